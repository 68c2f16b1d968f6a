import { callEndpoint } from '@bylaw/core/command/remote';
import type { CostInput, PlainSeries } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { ANOMALY_SEVERITIES } from '../anomalies/anomaly.js';
import { type AnomaliesAnswer, answerOf } from '../endpoints/anomalies.js';
import {
  ANOMALIES_BODY_SCHEMA,
  type AnomaliesOptions,
  anomalyParameters,
  monitorsOf,
  neededDimensions,
} from '../endpoints/anomalies-request.js';
import { findCostAnomalies } from '../endpoints/endpoints.js';
import { checkRequest, listAt } from './check-request.js';
import { type CostFlags, readingOptions } from './cost-flags.js';
import { readCost, remoteInput } from './read-cost.js';

export interface AnomaliesFlags extends CostFlags {
  sensitivity: 'low' | 'normal' | 'high';
  'threshold-z'?: string | undefined;
  'min-impact'?: string | undefined;
  'min-percent'?: string | undefined;
  up: boolean;
  monitor?: string[] | undefined;
  'max-drivers': number;
  planned?: string | undefined;
  'history-days': number;
  buckets: boolean;
  chart: boolean;
  json: boolean;
  html?: string | undefined;
}

/** What a server would be asked, answered here or there. */
export async function anomaliesCommand(flags: AnomaliesFlags, { loaded }: Installation): Promise<AnomaliesAnswer> {
  const options = await optionsOf(flags);
  const input = await readingOptions(flags);
  checkRequest({ ...input, ...options }, ANOMALIES_BODY_SCHEMA);
  if (loaded.remote.url !== undefined) {
    const { url, key } = loaded.remote;
    const body = { ...input, ...options, ...(await remoteInput(flags)) };
    return callEndpoint({ url, key }, findCostAnomalies, body);
  }
  const parametersFor = (series?: readonly PlainSeries[]) =>
    anomalyParameters(options, monitorsOf(series ? ({ series } as CostInput) : {}));
  const { tables, series } = await readCost(flags, input, (some) => neededDimensions(parametersFor(some)));
  return answerOf(tables, parametersFor(series), input);
}

/** Whether an anomaly that was not planned is as grave. */
export function failsOn({ anomalies }: AnomaliesAnswer, threshold: 'low' | 'medium' | 'high' | 'critical' | 'none'): boolean {
  if (threshold === 'none') return false;
  const least = ANOMALY_SEVERITIES.findIndex((severity) => severity.toLowerCase() === threshold);
  return anomalies.some(({ severity, status }) => status !== 'planned' && ANOMALY_SEVERITIES.indexOf(severity) >= least);
}

async function optionsOf(flags: AnomaliesFlags): Promise<AnomaliesOptions> {
  const threshold = parseNumberFlag(flags['threshold-z'], '--threshold-z', { least: 1, most: 100 });
  const amount = parseNumberFlag(flags['min-impact'], '--min-impact');
  const percent = parseNumberFlag(flags['min-percent'], '--min-percent');
  return {
    sensitivity: flags.sensitivity,
    history_days: flags['history-days'],
    max_drivers: flags['max-drivers'],
    ...(threshold !== undefined && { threshold_z: threshold }),
    ...((amount !== undefined || percent !== undefined) && {
      min_impact: { ...(amount !== undefined && { amount }), ...(percent !== undefined && { percent }) },
    }),
    ...(flags.up && { direction: 'up' as const }),
    ...(flags.monitor && { monitors: flags.monitor.map((monitor) => monitor.split('+')) }),
    ...(flags.planned !== undefined && { planned: await plannedAt(flags.planned) }),
    // Text shows a line of each series.
    ...((flags.buckets || flags.html !== undefined || !flags.json) && { include_buckets: true }),
    ...(flags.chart && { chart: true }),
  };
}

function parseNumberFlag(
  text: string | undefined,
  flag: string,
  { least, most } = { least: 0, most: Number.MAX_VALUE },
): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most) return value;
  throw new BylawError(
    'usage',
    `${flag} must be a number ${most === Number.MAX_VALUE ? `of ${least} or more` : `from ${least} to ${most}`}.`,
  );
}

function plannedAt(path: string): Promise<NonNullable<AnomaliesOptions['planned']>> {
  return listAt(path, ANOMALIES_BODY_SCHEMA.properties.planned, 'The file must contain a list of {start, end, match, note}.');
}
