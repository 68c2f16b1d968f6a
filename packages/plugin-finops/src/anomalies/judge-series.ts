import type { JudgedSeries, Judgement } from './judgement.js';
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
export function judgeSeries(series: JudgedSeries, threshold: number): Judgement {
  const { values, provisionalFrom } = series;
  const state = new SeriesState(series, threshold, neededHistory(series.period));
  const judged = nothingJudged(values.length);
  for (let t = state.begin; t < values.length; t++) {
    const expectation = state.expect(t);
    if (!expectation) continue;
    const alarm = state.alarm(t, expectation);
    if (state.isJudged(t)) note(judged, t, expectation, alarm);
    if (t >= provisionalFrom) {
      state.skip(t);
      continue;
    }
    state.learn(t, expectation, alarm);
    state.shift(t, expectation, alarm);
  }
  const { clean, accepted, returned } = state;
  clean.set(values.subarray(0, state.begin));
  return { ...judged, clean, accepted, returned };
}

type BucketJudgements = Omit<Judgement, 'clean' | 'accepted' | 'returned'>;

function nothingJudged(count: number): BucketJudgements {
  const unknown = () => new Float64Array(count).fill(Number.NaN);
  return { expected: unknown(), scale: unknown(), z: unknown(), lower: unknown(), upper: unknown(), alarm: new Int8Array(count) };
}

function note(judged: BucketJudgements, t: number, { scale }: Expectation, { expected, z, lower, upper, sign }: Alarm): void {
  judged.expected[t] = expected;
  judged.scale[t] = scale;
  judged.z[t] = z;
  judged.lower[t] = lower;
  judged.upper[t] = upper;
  judged.alarm[t] = sign;
}
