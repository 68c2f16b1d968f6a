import { type CostTable, type CostWarning, costError } from '@bylaw/core/cost';
import { money, roundSignificant } from '@bylaw/core/number';
import { plural } from '@bylaw/core/plural';
import type { Accuracy } from './accuracy.js';
import { applyChanges, reconcile } from './adjust.js';
import { addFees, forecastTarget, frames, intervals, type TargetForecast } from './forecast-target.js';
import type { Reliability, ValueForecast } from './forecast-values.js';
import { labelsAfter, type Period } from './future.js';
import { applyTo, type Match } from './known-changes.js';
import { type Budget, type ForecastParameters, MOST_BUCKETS_AHEAD } from './parameters.js';
import { budgetTargets, type Target, targetsOf } from './targets.js';
import { type BudgetOutlook, budgetOutlooks, type PeriodTotal, periodTotals } from './totals.js';

/** The forecast of one group of cost, in units of `currency`. */
export interface Forecast {
  id: string;
  dimensions: Match;
  currency: string;
  history: { start: string; end: string; buckets: number; gaps: number };
  method: ValueForecast['method'];
  weights: { [method: string]: number };
  seasons: readonly number[];
  /** Bounds have the names `lower_80`, `upper_80`, … */
  points: { start: string; mean: number; [bound: `${'lower' | 'upper'}_${number}`]: number }[];
  totals: PeriodTotal[];
  budgets: BudgetOutlook[];
  /** Null where the history is too short to be tested. */
  backtest: (Accuracy & { verdict: 'better than naive' | 'no better than naive' }) | null;
  reliability: Reliability;
  notes: string[];
  /** Buckets of the history; null is a gap. */
  actual?: { start: string; value: number | null }[];
}

export interface ForecastResult {
  forecasts: Forecast[];
  /** Null where there are no parts, or where it was not wanted. */
  reconciliation: { method: 'bottom-up-scaled'; max_adjustment_percent: number } | null;
  /** Buckets ahead. */
  horizon: number;
  warnings: CostWarning[];
  /** The history of one of the forecasts, whether they have it or not. */
  historyOf(forecast: Forecast): NonNullable<Forecast['actual']>;
}

/**
 * Forecasts the cost of a table. Pure: no clock, no chance; what is "now" is where the final buckets end.
 * @param groupBy dimensions whose groups are forecast beside the total
 * @throws {BylawError} `series-too-short` where nothing can be forecast
 */
export function forecast(table: CostTable, groupBy: readonly string[], parameters: ForecastParameters): ForecastResult {
  const { budgets, known_changes, levels, backtest } = parameters;
  const warnings: CostWarning[] = [];
  const targets = targetsOf(table, groupBy, budgets, parameters.reconcile);
  const horizon = horizonOf(table, targets, parameters, warnings);
  refuseTooMany(targets, horizon, parameters);
  const frameOf = frames(table, horizon);
  const made = targets.flatMap((target) => forecastTarget(target, frameOf, backtest.origins) ?? tooShort(target, warnings));
  if (made.length === 0)
    throw costError('series-too-short', 'A forecast needs at least two values, but no series has that many.', {
      hint: 'Provide a longer history: at least two weeks of daily values, and preferably two months.',
    });
  for (const { target, model, history } of made)
    if (model.method === 'zero' && history.fees.every((fee) => fee === 0))
      warnings.push({ code: 'series-zero', message: `All values of ${target.id} are zero, so its forecast is zero.` });
  const adjustment = parameters.reconcile ? reconcile(made) : undefined;
  if (parameters.reconcile && adjustment === undefined) warnApart(made, warnings);
  const final = targets.reduce((latest, { values }) => Math.max(latest, values.length), 0);
  const changes = known_changes.map((change) => applyTo(change, table.leaves, final));
  for (const one of made) {
    addFees(one);
    applyChanges(one, changes);
  }
  if (adjustment !== undefined) sumParts(made);
  warnBegun(parameters, made, warnings);
  const ofBudgets = budgetTargets(targets, table, budgets);
  for (const [at, budget] of budgets.entries()) warnBudget(budget, at, ofBudgets[at], table, made, warnings);
  const forecasts = made.map((one) =>
    toForecast(
      one,
      table,
      levels,
      budgets.filter((_, at) => ofBudgets[at] === one.target),
      parameters.include_history,
    ),
  );
  const sources = new Map(forecasts.map((one, at) => [one, made[at]]));
  return {
    forecasts,
    reconciliation: adjustment === undefined ? null : { method: 'bottom-up-scaled', max_adjustment_percent: roundSignificant(adjustment) },
    horizon,
    warnings,
    historyOf: (one) => {
      const source = sources.get(one);
      return source ? historyOf(source, table) : [];
    },
  };
}

/** Points of all forecasts together: some 200 MB of JSON with five levels, which a process can still hold. */
const MOST_POINTS = 500_000;

function refuseTooMany(targets: readonly Target[], horizon: number, { include_history }: ForecastParameters): void {
  const points = targets.reduce((sum, { values }) => sum + horizon + (include_history ? values.length : 0), 0);
  if (points > MOST_POINTS)
    throw costError('cost-too-large', `The answer would have more than ${MOST_POINTS.toLocaleString('en')} points.`, {
      hint: 'Forecast fewer series or groups at a time, use a shorter horizon, or leave out the history.',
    });
}

/** Parts that end at different times cannot be summed up. */
function warnApart(made: readonly TargetForecast[], warnings: CostWarning[]): void {
  if (made.some(({ target }) => target.role === 'part') && made.some(({ target }) => target.role === 'total'))
    warnings.push({ code: 'not-reconciled', message: 'The series end at different times, so the total is not reconciled with its parts.' });
}

/** A month of days, a week of hours, a quarter of weeks, a year of months. */
const USUAL_HORIZON = { hour: 168, day: 30, week: 13, month: 12 } as const;

/** At most half of the longest history: what is further is not shown by any backtest. */
function horizonOf(table: CostTable, targets: readonly Target[], { horizon, until }: ForecastParameters, warnings: CostWarning[]): number {
  const longest = targets.reduce(
    (most, { values }) =>
      Math.max(
        most,
        values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0),
      ),
    0,
  );
  const most = Math.min(MOST_BUCKETS_AHEAD, Math.max(1, Math.floor(longest / 2)));
  const wanted = until === null ? (horizon ?? Math.min(USUAL_HORIZON[table.granularity], most)) : bucketsUntil(table, targets, until);
  if (wanted > most)
    warnings.push({
      code: 'horizon-cut',
      message: `The forecast horizon is ${plural(most, 'bucket')} instead of ${wanted}. The maximum is half of the history, and never more than ${MOST_BUCKETS_AHEAD} buckets.`,
    });
  return Math.min(wanted, most);
}

function bucketsUntil(table: CostTable, targets: readonly Target[], until: string): number {
  const end = targets.reduce((latest, { values }) => Math.max(latest, values.length), 0);
  if (end === 0) return 1;
  const ahead = labelsAfter(table.buckets[end - 1] ?? '', table.granularity, MOST_BUCKETS_AHEAD + 1);
  const count = ahead.filter((label) => label.slice(0, 10) <= until).length;
  if (count === 0)
    throw costError('series-too-short', 'The forecast would end before it starts, because the history extends beyond `until`.', {
      hint: `The last bucket of the history is ${table.buckets[end - 1] ?? 'unknown'}.`,
    });
  return count;
}

function tooShort({ id }: Target, warnings: CostWarning[]): [] {
  warnings.push({ code: 'series-too-short', message: `${id} has fewer than two values and is not forecast.` });
  return [];
}

/** Fees and changes may touch the parts otherwise than the total, so its mean is summed up anew. */
function sumParts(forecasts: readonly TargetForecast[]): void {
  const total = forecasts.find(({ target }) => target.role === 'total');
  const parts = forecasts.filter(({ target }) => target.role === 'part');
  total?.mean.set(total.mean.map((_, j) => parts.reduce((sum, { mean }) => sum + (mean[j] ?? 0), 0)));
}

function warnBegun({ known_changes }: ForecastParameters, [first]: readonly TargetForecast[], warnings: CostWarning[]): void {
  const begin = first?.labels[0] ?? '';
  for (const [at, { start }] of known_changes.entries())
    if (start < begin.slice(0, start.length))
      warnings.push({
        code: 'change-begun',
        message: 'The change starts within the history, which already includes part of it. The forecast applies the change on top.',
        path: `/known_changes/${at}/start`,
      });
}

function warnBudget(
  budget: Budget,
  at: number,
  target: Target | undefined,
  table: CostTable,
  made: readonly TargetForecast[],
  warnings: CostWarning[],
): void {
  const path = `/budgets/${at}`;
  const forecast = made.find((one) => one.target === target);
  if (!forecast) warnings.push({ code: 'budget-unmatched', message: `No cost matches the budget ${budget.id}.`, path });
  else if (budgetOutlooks(forecast, table, budget).length === 0)
    warnings.push({
      code: 'budget-uncovered',
      message:
        'History and forecast do not cover a whole period of the budget. Forecast further ahead, or provide the history from the start of the period.',
      path,
    });
}

function toForecast(
  forecast: TargetForecast,
  table: CostTable,
  levels: readonly number[],
  budgets: readonly Budget[],
  withHistory: boolean,
): Forecast {
  const { target, history, model, labels, mean } = forecast;
  const bounds = levels.map((level) => ({ level, ...intervals(forecast, level / 100) }));
  const periods = [...new Set<Period>([table.granularity === 'month' ? 'year' : 'month', ...budgets.map(({ period }) => period)])];
  return {
    id: target.id,
    dimensions: target.dimensions,
    currency: table.currency,
    history: {
      start: table.buckets[history.start] ?? '',
      end: table.buckets[target.values.length - 1] ?? '',
      buckets: target.values.length - history.start,
      gaps: history.gaps,
    },
    method: model.method,
    weights: Object.fromEntries([...model.weights].map(([method, weight]) => [method, roundSignificant(weight)])),
    seasons: model.seasons,
    points: labels.map((start, j) => ({
      start,
      mean: money(mean[j] ?? 0),
      ...Object.fromEntries(
        bounds.flatMap(({ level, lower, upper }) => [
          [`lower_${level}`, money(lower[j] ?? 0)],
          [`upper_${level}`, money(upper[j] ?? 0)],
        ]),
      ),
    })),
    totals: periods.flatMap((period) => periodTotals(forecast, table, period, levels)),
    budgets: budgets.flatMap((budget) => budgetOutlooks(forecast, table, budget)),
    backtest: model.accuracy ? rounded(model.accuracy) : null,
    reliability: model.reliability,
    notes: [...history.notes, ...NOTES[model.method]],
    ...(withHistory && { actual: historyOf(forecast, table) }),
  };
}

function historyOf({ target, history }: TargetForecast, table: CostTable): NonNullable<Forecast['actual']> {
  return Array.from(target.values.subarray(history.start), (value, t) => ({
    start: table.buckets[history.start + t] ?? '',
    value: Number.isNaN(value) ? null : money(value),
  }));
}

const NOTES: { readonly [method in ValueForecast['method']]: readonly string[] } = {
  combination: [],
  'last-value': ['too few values for a model: the last value is repeated'],
  constant: ['all values are equal'],
  zero: ['all values are zero, except for fees'],
};

function rounded(accuracy: Accuracy): NonNullable<Forecast['backtest']> {
  const measure = (value: number | null) => (value === null ? null : roundSignificant(value));
  const { origins, horizon, mae, wape, mase, smape, naive2_mase, owa, coverage_80, coverage_95 } = accuracy;
  return {
    ...{ origins, horizon, mae: money(mae), wape: measure(wape), mase: measure(mase), smape: roundSignificant(smape) },
    ...{ naive2_mase: measure(naive2_mase), owa: measure(owa), coverage_80: measure(coverage_80), coverage_95: measure(coverage_95) },
    verdict: owa !== null && owa < 1 ? 'better than naive' : 'no better than naive',
  };
}
