import type { SeriesEvaluation, WatchedSeries } from './series-evaluation.js';
import { type Alarm, type Expectation, SeriesState } from './series-state.js';

/**
 * How much of its own history a series needs, in buckets from its first cost on: until it is evaluated, and until it is evaluated by the plain threshold.
 * The week is learnt from three of its kind; two months of days show what the calendar does.
 */
export function neededHistory(period: number): { first: number; full: number } {
  const week = Math.max(period, 7);
  return { first: 3 * week, full: 8 * week };
}

/** Checks every bucket against those before it: level, seasons of the week, what repeats by the calendar, and the usual residual. */
export function evaluateSeries(series: WatchedSeries, threshold: number): SeriesEvaluation {
  const { values, provisionalFrom } = series;
  const state = new SeriesState(series, threshold, neededHistory(series.period));
  const evaluated = emptyColumns(values.length);
  for (let t = state.begin; t < values.length; t++) {
    const expectation = state.expect(t);
    if (!expectation) continue;
    const alarm = state.alarm(t, expectation);
    if (state.isEvaluated(t)) note(evaluated, t, expectation, alarm);
    if (t >= provisionalFrom) {
      state.skip(t);
      continue;
    }
    state.learn(t, expectation, alarm);
    state.shift(t, expectation, alarm);
  }
  const { clean, accepted, returned } = state;
  clean.set(values.subarray(0, state.begin));
  return { ...evaluated, clean, accepted, returned };
}

type EvaluationColumns = Omit<SeriesEvaluation, 'clean' | 'accepted' | 'returned'>;

function emptyColumns(count: number): EvaluationColumns {
  const unknown = () => new Float64Array(count).fill(Number.NaN);
  return { expected: unknown(), scale: unknown(), z: unknown(), lower: unknown(), upper: unknown(), alarm: new Int8Array(count) };
}

function note(evaluated: EvaluationColumns, t: number, { scale }: Expectation, { expected, z, lower, upper, sign }: Alarm): void {
  evaluated.expected[t] = expected;
  evaluated.scale[t] = scale;
  evaluated.z[t] = z;
  evaluated.lower[t] = lower;
  evaluated.upper[t] = upper;
  evaluated.alarm[t] = sign;
}
