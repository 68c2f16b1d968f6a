import type { CostTable } from '@bylaw/core/cost';
import { money, roundSignificant } from '@bylaw/core/number';
import { type SumForecast, sumOver, type TargetForecast } from './forecast-target.js';
import { labelsAfter, type Period, periodOf } from './future.js';
import type { Budget } from './parameters.js';

/** Cost of a period: what is known of it, what is forecast, and both. Bounds have the names `lower_80`, `upper_80`, … */
export interface PeriodTotal {
  period: string;
  actual_to_date: number;
  forecast_rest: number;
  total: number;
  /** History and forecast cover it from its first bucket to its last. */
  complete: boolean;
  [bound: `${'lower' | 'upper'}_${number}`]: number;
}

export interface BudgetOutlook {
  id: string;
  period: string;
  amount: number;
  /** Chance that the total goes over it, 0 to 1. */
  probability_over: number;
  /** By how much the total goes over it on average, nothing where it does not. */
  expected_over: number;
  /** First bucket at which the cost is expected to be over it; null where it is not. */
  likely_crossing: string | null;
}

/** A period that the forecast touches. */
interface Span {
  name: string;
  /** Index of its first bucket in the table, and how many of its buckets are known. */
  from: number;
  known: number;
  /** Leads of the forecast. */
  first: number;
  length: number;
  complete: boolean;
}

/** The totals of all periods that the forecast touches. */
export function periodTotals(forecast: TargetForecast, table: CostTable, period: Period, levels: readonly number[]): PeriodTotal[] {
  return spansOf(forecast, table, period).map((span) => {
    const rest = sumOver(forecast, span.first, span.length);
    const actual = actualOf(forecast, span);
    const total: PeriodTotal = {
      period: span.name,
      actual_to_date: money(actual),
      forecast_rest: money(rest.mean),
      total: money(actual + rest.mean),
      complete: span.complete,
    };
    for (const level of levels) {
      const half = rest.half(level / 100);
      const lower = forecast.positive ? Math.max(0, rest.mean - half) : rest.mean - half;
      total[`lower_${level}`] = money(actual + lower);
      total[`upper_${level}`] = money(actual + rest.mean + half);
    }
    return total;
  });
}

/** What becomes of a budget in the periods that the forecast covers to their end. */
export function budgetOutlooks(forecast: TargetForecast, table: CostTable, { id, amount, period }: Budget): BudgetOutlook[] {
  return spansOf(forecast, table, period)
    .filter(({ complete }) => complete)
    .map((span) => {
      const rest = sumOver(forecast, span.first, span.length);
      const left = amount - actualOf(forecast, span);
      // What is spent already does not come back where cost is never negative.
      const certain = forecast.positive && left < 0;
      return {
        id,
        period: span.name,
        amount: money(amount),
        probability_over: certain ? 1 : roundSignificant(chanceOver(rest, left)),
        expected_over: money(expectedOver(rest, left)),
        likely_crossing: crossingOf(forecast, table, span, amount),
      };
    });
}

function spansOf({ labels, target, history }: TargetForecast, table: CostTable, period: Period): Span[] {
  const end = target.values.length;
  const after = labelsAfter(labels.at(-1) ?? '', table.granularity, 1)[0] ?? '';
  const names = [...new Set(labels.map((label) => periodOf(label, period)))];
  return names.map((name) => {
    const first = labels.findIndex((label) => periodOf(label, period) === name);
    const length = labels.filter((label) => periodOf(label, period) === name).length;
    let from = end;
    while (from > 0 && periodOf(table.buckets[from - 1] ?? '', period) === name) from -= 1;
    const begun = from < end;
    // A period that has begun is known from its start only where a bucket before it is, or where it is the first day.
    const fromStart = !begun || (history.start < from && from > 0) || startsPeriod(table.buckets[from] ?? '', period);
    return { name, from, known: end - from, first, length, complete: fromStart && periodOf(after, period) !== name };
  });
}

function startsPeriod(label: string, period: Period): boolean {
  const [month, day] = [Number(label.slice(5, 7)), Number(label.slice(8, 10))];
  return day === 1 && (period === 'month' || (period === 'quarter' ? month % 3 === 1 : month === 1));
}

function actualOf({ target }: TargetForecast, { from, known }: Span): number {
  let sum = 0;
  for (let t = from; t < from + known; t++) sum += target.values[t] || 0;
  return sum;
}

/**
 * Share of the errors that put the sum over what is left, linear between neighbours. No finite number of backtests makes something certain: with `m`
 * errors the chance stays between 1 / (m + 2) and 1 - 1 / (m + 2).
 */
export function chanceOver({ mean, errors }: SumForecast, left: number): number {
  const m = errors.length;
  const needed = left - mean;
  let below = 0;
  while (below < m && (errors[below] ?? 0) <= needed) below += 1;
  const [low, high] = [errors[below - 1], errors[below]];
  const between = low !== undefined && high !== undefined && high > low ? (needed - low) / (high - low) : 0;
  const share = 1 - Math.min(m, Math.max(0, below - 0.5 + between)) / m;
  const [least, most] = [1 / (m + 2), 1 - 1 / (m + 2)];
  if (errors.every((error) => error === 0)) return needed < 0 ? 1 : 0;
  return Math.min(most, Math.max(least, share));
}

function expectedOver({ mean, errors }: SumForecast, left: number): number {
  return errors.reduce((sum, error) => sum + Math.max(0, mean + error - left), 0) / errors.length;
}

function crossingOf(
  { target, mean, labels }: TargetForecast,
  table: CostTable,
  { from, known, first, length }: Span,
  amount: number,
): string | null {
  let sum = 0;
  for (let t = from; t < from + known; t++) {
    sum += target.values[t] || 0;
    if (sum > amount) return table.buckets[t] ?? null;
  }
  for (let j = first; j < first + length; j++) {
    sum += mean[j] ?? 0;
    if (sum > amount) return labels[j] ?? null;
  }
  return null;
}
