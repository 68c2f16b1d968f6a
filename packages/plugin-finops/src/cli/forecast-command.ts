import { callEndpoint } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { forecastCost } from '../endpoints/endpoints.js';
import {
  FORECAST_BODY_SCHEMA,
  type ForecastAnswer,
  type ForecastOptions,
  forecastAnswerOf,
  forecastParameters,
  KNOWN_CHANGES_SCHEMA,
  matchedDimensions,
} from '../endpoints/forecast.js';
import { PERIODS, type Period } from '../forecast/index.js';
import { checkRequest, listAt } from './check-request.js';
import { type CostFlags, readingOptions } from './cost-flags.js';
import { readCost, remoteInput } from './read-cost.js';

export interface ForecastFlags extends CostFlags {
  horizon?: number | undefined;
  until?: string | undefined;
  levels?: string[] | undefined;
  budget?: string[] | undefined;
  'known-changes'?: string | undefined;
  reconcile?: boolean | undefined;
  origins?: number | undefined;
  history: boolean;
  chart: boolean;
  html?: string | undefined;
}

/** What a server would be asked, answered here or there. */
export async function forecastCommand(flags: ForecastFlags, { loaded }: Installation): Promise<ForecastAnswer> {
  const options = await optionsOf(flags);
  const input = await readingOptions(flags);
  checkRequest({ ...input, ...options }, FORECAST_BODY_SCHEMA);
  if (loaded.remote.url !== undefined) {
    const { url, key } = loaded.remote;
    const body = { ...input, ...options, ...(await remoteInput(flags)) };
    return callEndpoint({ url, key }, forecastCost, body);
  }
  const parameters = forecastParameters(options, flags.series !== undefined);
  const { tables } = await readCost(flags, input, () => matchedDimensions(parameters));
  return forecastAnswerOf(tables, parameters, input);
}

/** Whether a budget is passed with this chance or a higher one. */
export function passes({ forecasts }: ForecastAnswer, chance: number | undefined): boolean {
  return chance !== undefined && forecasts.some(({ budgets }) => budgets.some(({ probability_over }) => probability_over >= chance));
}

/** @throws {BylawError} `usage` */
export function chanceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new BylawError('usage', '--fail-on-over must be a number from 0 to 1.', { hint: 'Use 0.5 for an even chance.' });
}

async function optionsOf(flags: ForecastFlags): Promise<ForecastOptions> {
  return {
    ...(flags.horizon !== undefined && { horizon: flags.horizon }),
    ...(flags.until !== undefined && { until: dayOf(flags.until) }),
    ...(flags.levels && { levels: [...new Set(flags.levels.map(levelOf))] }),
    ...(flags.budget && { budgets: flags.budget.map(budgetOf) }),
    ...(flags['known-changes'] !== undefined && { known_changes: await changesAt(flags['known-changes']) }),
    ...(flags.reconcile !== undefined && { reconcile: flags.reconcile }),
    ...((flags.history || flags.html !== undefined) && { include_history: true }),
    ...(flags.origins !== undefined && { backtest: { origins: flags.origins } }),
    ...(flags.chart && { chart: true }),
  };
}

function dayOf(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // 31 February would be a day in March.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new BylawError('usage', '--until must be a date.', { hint: 'For example 2026-12-31.' });
}

function levelOf(text: string): number {
  const level = Number(text);
  if (Number.isInteger(level) && level >= 50 && level <= 99) return level;
  throw new BylawError('usage', '--levels must be whole numbers from 50 to 99.', { hint: 'For example --levels 80,95.' });
}

/** `name=amount/period`, and what it is about after it: `search=900/month,tag:team=search`. */
function budgetOf(text: string): NonNullable<ForecastOptions['budgets']>[number] {
  const [head = '', ...parts] = text.split(',');
  const [, id = '', amount = '', period = 'month'] = /^(.+)=([0-9.]+)(?:\/([a-z]+))?$/.exec(head) ?? [];
  const known = PERIODS.find((name) => name === period);
  const match = Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
  if (id !== '' && amount !== '' && Number.isFinite(Number(amount)) && known && parts.every((part) => part.indexOf('=') > 0))
    return { id, amount: Number(amount), period: known satisfies Period, ...(parts.length > 0 && { match }) };
  throw new BylawError('usage', '--budget must be NAME=AMOUNT/PERIOD.', {
    hint: `For example prod=12000/month. Periods are ${PERIODS.join(', ')}. To limit the budget to part of the cost, add dimensions: search=900/month,tag:team=search.`,
  });
}

function changesAt(path: string): Promise<NonNullable<ForecastOptions['known_changes']>> {
  return listAt(path, KNOWN_CHANGES_SCHEMA, 'The file must contain a list of {start, end, add or multiply, match, note}.');
}
