import { readFile } from 'node:fs/promises';
import { remoteCall } from '@bylaw/core/command/remote';
import type { CostInput, PlainSeries } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import { requestCheck } from '@bylaw/core/http';
import type { Installation } from '@bylaw/core/installation';
import { readYamlFile } from '@bylaw/core/yaml-file';
import { ANOMALY_SEVERITIES } from '../anomalies/severity.js';
import {
  ANOMALIES_BODY_SCHEMA,
  type AnomaliesAnswer,
  type AnomaliesOptions,
  anomalyParameters,
  answerOf,
  monitorsOf,
  neededDimensions,
} from '../doors/anomalies.js';
import { type CostFlags, readingOptions } from './cost-flags.js';
import { readCost } from './read-cost.js';
import { remoteInput } from './remote-input.js';

export interface AnomaliesFlags extends CostFlags {
  sensitivity: 'low' | 'normal' | 'high';
  'min-impact'?: string | undefined;
  'min-percent'?: string | undefined;
  up: boolean;
  monitor?: string[] | undefined;
  planned?: string | undefined;
  'history-days': number;
  buckets: boolean;
  json: boolean;
  html?: string | undefined;
}

/** What a server would be asked, answered here or there. */
export async function anomaliesCommand(flags: AnomaliesFlags, { loaded }: Installation): Promise<AnomaliesAnswer> {
  const options = await optionsOf(flags);
  const input = readingOptions(flags);
  if (loaded.remote.url !== undefined) {
    const { url, key } = loaded.remote;
    const body = { ...input, ...options, ...(await remoteInput(flags)) };
    return remoteCall<AnomaliesAnswer>({ url, key }, 'POST', 'finops/anomalies', { body });
  }
  const parametersFor = (series?: readonly PlainSeries[]) =>
    anomalyParameters(options, monitorsOf(series ? ({ series } as CostInput) : {}));
  const { tables, series } = await readCost(flags, (some) => neededDimensions(parametersFor(some)));
  return answerOf(tables, parametersFor(series), input);
}

/** Whether an anomaly that was not planned is as grave. */
export function failsOn({ anomalies }: AnomaliesAnswer, threshold: 'low' | 'medium' | 'high' | 'critical' | 'none'): boolean {
  if (threshold === 'none') return false;
  const least = ANOMALY_SEVERITIES.findIndex((severity) => severity.toLowerCase() === threshold);
  return anomalies.some(({ severity, status }) => status !== 'planned' && ANOMALY_SEVERITIES.indexOf(severity) >= least);
}

async function optionsOf(flags: AnomaliesFlags): Promise<AnomaliesOptions> {
  const amount = numberOf(flags['min-impact'], '--min-impact');
  const percent = numberOf(flags['min-percent'], '--min-percent');
  return {
    sensitivity: flags.sensitivity,
    history_days: flags['history-days'],
    ...((amount !== undefined || percent !== undefined) && {
      min_impact: { ...(amount !== undefined && { amount }), ...(percent !== undefined && { percent }) },
    }),
    ...(flags.up && { direction: 'up' as const }),
    ...(flags.monitor && { monitors: flags.monitor.map((monitor) => monitor.split('+')) }),
    ...(flags.planned !== undefined && { planned: await plannedAt(flags.planned) }),
    // Text shows a line of each series.
    ...((flags.buckets || flags.html !== undefined || !flags.json) && { include_buckets: true }),
  };
}

function numberOf(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new BylawError('usage', `${flag} is no number of 0 or more.`);
}

async function plannedAt(path: string): Promise<NonNullable<AnomaliesOptions['planned']>> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new BylawError('path-not-found', `${path} cannot be read.`, { cause, hint: 'Check the spelling and the permissions.' });
  });
  const { value } = readYamlFile(path, text, 'yaml-syntax');
  const [breach] = requestCheck(ANOMALIES_BODY_SCHEMA.properties.planned)(value);
  if (breach)
    throw new BylawError('usage', `${path}: ${breach.path || 'the file'} ${breach.message}.`, {
      hint: 'It is a list of {start, end, match, note}.',
    });
  return value as NonNullable<AnomaliesOptions['planned']>; // it has passed the schema
}
