import type { CostTable } from '@bylaw/core/cost';
import { minorUnit } from '../series/minor-unit.js';
import { timeAxis } from '../series/time-axis.js';
import { type CleanHistory, cleanHistory, type Frame } from './clean-history.js';
import { forecastValues, type ValueForecast } from './forecast-values.js';
import { labelsAfter, periodsOf } from './future.js';
import type { Target } from './targets.js';
import { sumErrors, sumWidth, widths } from './uncertainty.js';

/** The forecast of one target, before and after it is adjusted: mean = factor × model + fee + change, all but the first of which come last. */
export interface TargetForecast {
  target: Target;
  history: CleanHistory;
  /** Labels of the buckets to come. */
  labels: readonly string[];
  model: ValueForecast;
  /** What errors of the model are multiplied by. */
  factors: Float64Array;
  mean: Float64Array;
  /** No value of the history is negative, so no cost to come is. */
  positive: boolean;
}

/** A single value says nothing about how cost varies. */
const LEAST_VALUES = 2;

/** Where the values of targets are in time; those that end at the same bucket share it. */
export function frames({ granularity, timezone, buckets, currency }: CostTable, horizon: number): (length: number) => Frame {
  const known = new Map<number, Frame>();
  return (length) => {
    const frame = known.get(length);
    if (frame) return frame;
    const own = buckets.slice(0, length);
    const ahead = labelsAfter(own.at(-1) ?? '', granularity, horizon);
    const axis = timeAxis([...own, ...ahead], granularity, timezone);
    const made: Frame = { granularity, buckets: own, ahead, axis, minorUnit: minorUnit(currency) };
    known.set(length, made);
    return made;
  };
}

/** @returns undefined where the history has fewer than two values */
export function forecastTarget(target: Target, frameOf: (length: number) => Frame, origins: number): TargetForecast | undefined {
  const { values } = target;
  if (values.length < LEAST_VALUES) return undefined;
  const frame = frameOf(values.length);
  const { granularity, ahead: labels } = frame;
  const history = cleanHistory(values, frame);
  if (!history || history.values.length < LEAST_VALUES) return undefined;
  const model = forecastValues(
    { values: history.values, periods: periodsOf(granularity), daily: granularity === 'day', minorUnit: frame.minorUnit },
    (history.leads.at(-1) ?? 0) + 1,
    origins,
  );
  const positive = values.every((value) => !(value < 0));
  return {
    target,
    history,
    labels,
    model,
    factors: history.factors,
    mean: history.factors.map((factor, j) => factor * (model.mean[history.leads[j] ?? j] ?? 0)),
    positive,
  };
}

/** Adds the monthly fees: they are known, and are not to be spread over other groups when parts and total are made to agree. */
export function addFees({ mean, history: { fees }, positive }: TargetForecast): void {
  for (const [j, fee] of fees.entries()) mean[j] = positive ? Math.max(0, (mean[j] ?? 0) + fee) : (mean[j] ?? 0) + fee;
}

/** Interval of each bucket. @param level 0 to 1 */
export function intervals(forecast: TargetForecast, level: number): { lower: Float64Array; upper: Float64Array } {
  const { model, history, factors, mean, positive } = forecast;
  const own = widths(model.uncertainty, level, model.mean.length);
  const half = factors.map((factor, j) => factor * (own[history.leads[j] ?? j] ?? 0));
  const lower = mean.map((value, j) => value - (half[j] ?? 0));
  return {
    lower: positive ? lower.map((value) => Math.max(0, value)) : lower,
    upper: mean.map((value, j) => value + (half[j] ?? 0)),
  };
}

/** The sum over some buckets: what is expected, and how far off it may be. */
export interface SumForecast {
  mean: number;
  /** Errors to expect, ascending, all equally likely. */
  errors: Float64Array;
  /** Half the width of its interval. @param level 0 to 1 */
  half(level: number): number;
}

export function sumOver({ model, history, factors, mean }: TargetForecast, first: number, length: number): SumForecast {
  let [sum, weight] = [0, 0];
  for (let j = first; j < first + length; j++) {
    sum += mean[j] ?? 0;
    weight += factors[j] ?? 1;
  }
  const scale = length === 0 ? 0 : weight / length;
  const plain = length === 0 ? new Float64Array(1) : sumErrors(model.uncertainty, history.leads[first] ?? first, length);
  return {
    mean: sum,
    errors: plain.map((error) => error * scale),
    half: (level) => (length === 0 ? 0 : sumWidth(model.uncertainty, plain, level) * scale),
  };
}
