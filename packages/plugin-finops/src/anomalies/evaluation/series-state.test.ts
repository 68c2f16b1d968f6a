import { describe, expect, it } from 'vitest';
import { timeAxis } from '../../series/time-axis.js';
import { days, usualDays } from '../series.test-support.js';
import { type Alarm, type Expectation, SeriesState } from './series-state.js';

const THRESHOLD = 4.5;
const NEEDED = { first: 21, full: 56 };

/** The state before bucket `until`, and what was found on the way. */
function stateAt(values: Float64Array, until: number) {
  const axis = timeAxis(days(values.length), 'day');
  const state = new SeriesState({ values, provisionalFrom: values.length, minorUnit: 0.01, ...axis }, THRESHOLD, NEEDED);
  for (let t = state.begin; t < until; t++) step(state, t);
  return state;
}

function step(state: SeriesState, t: number): { expectation: Expectation; alarm: Alarm } | undefined {
  const expectation = state.expect(t);
  if (!expectation) return undefined;
  const alarm = state.alarm(t, expectation);
  state.learn(t, expectation, alarm);
  state.shift(t, expectation, alarm);
  return { expectation, alarm };
}

/** The expectation and the alarm of one bucket. */
function at(values: Float64Array, t: number) {
  const found = step(stateAt(values, t), t);
  if (!found) throw new Error('the bucket is a gap');
  return found;
}

const changed = (values: Float64Array, changes: { [at: number]: number }) => values.map((value, at) => changes[at] ?? value);
const withFees = (...on: readonly number[]) => usualDays(120).map((value, t) => (on.includes(t) ? value + 250 : value));
const from = (start: number, change: (usual: number) => number, count = 140) =>
  usualDays(count).map((value, at) => (at >= start ? change(value) : value));

describe('expect', () => {
  it('begins at the first cost, and has no alarm until enough is known', () => {
    const state = stateAt(new Float64Array([0, Number.NaN, 0, ...usualDays(60)]), 0);
    expect(state.begin).toBe(3);
    expect([state.isEvaluated(23), state.isEvaluated(24)]).toEqual([false, true]);
  });

  it('gives nothing for the first bucket, and for a gap', () => {
    const values = changed(usualDays(60), { 40: Number.NaN });
    expect(stateAt(values, 0).expect(0)).toBeUndefined();
    expect(stateAt(values, 40).expect(40)).toBeUndefined();
  });

  it('knows the week, and the usual size of residuals', () => {
    const monday = at(usualDays(120), 102).expectation;
    expect(monday.base).toBeGreaterThan(95);
    expect(monday.base).toBeLessThan(105);
    const saturday = at(usualDays(120), 100).expectation;
    expect(saturday.base).toBeGreaterThan(55);
    expect(saturday.base).toBeLessThan(65);
    expect(saturday.scale).toBe(0.02);
  });

  it('adds what came on this day of two months', () => {
    const fees = withFees(31, 59, 90);
    expect(at(fees, 90).expectation.excess).toBeCloseTo(250, -1);
    expect(at(fees, 91).expectation.excess).toBe(0);
  });

  it('trusts a short history and a young level less', () => {
    expect(at(usualDays(120), 40).expectation.threshold).toBe(1.5 * THRESHOLD);
    expect(at(usualDays(120), 100).expectation.threshold).toBe(THRESHOLD);
    const doubled = from(90, (usual) => usual * 2);
    expect(at(doubled, 95).expectation.threshold).toBe(1.5 * THRESHOLD);
    expect(at(doubled, 110).expectation.threshold).toBe(THRESHOLD);
  });

  it('recognizes by the first weekend that a constant amount came on top', () => {
    const { expectation, alarm } = at(
      from(93, (usual) => usual + 80),
      100,
    );
    expect(expectation.value).toBeGreaterThan(135);
    expect(expectation.base).toBeGreaterThan(120);
    expect(alarm.sign).toBe(0);
  });
});

describe('alarm', () => {
  const spike = changed(usualDays(120), { 95: 400 });

  it('has the sign of what is beyond the threshold, and the bounds of what is not', () => {
    const { alarm, expectation } = at(spike, 95);
    expect(alarm).toMatchObject({ sign: 1, isKnown: false, isBack: false, expected: expectation.base });
    expect(alarm.z).toBeGreaterThan(THRESHOLD);
    expect(alarm.lower).toBeLessThan(expectation.base);
    expect(alarm.upper).toBeLessThan(400);
    expect(at(changed(usualDays(120), { 95: 0 }), 95).alarm.sign).toBe(-1);
    expect(at(usualDays(120), 95).alarm.sign).toBe(0);
  });

  it('changes nothing: asked twice, it answers the same', () => {
    const state = stateAt(spike, 95);
    const expectation = state.expect(95);
    if (!expectation) throw new Error('the bucket is a gap');
    expect(state.alarm(95, expectation)).toEqual(state.alarm(95, expectation));
    expect(state.clean[95]).toBe(400);
  });

  it('is not raised by the amount that came on this day of the month before', () => {
    const fees = withFees(59, 90);
    expect(at(fees, 90).alarm).toMatchObject({ sign: 0, z: 0, isKnown: true, expected: fees[90] });
  });

  it('takes the way back to the level before for the end of the event', () => {
    const values = usualDays(140).map((value, t) => (t >= 90 && t < 98 ? value * 2 : value));
    const { alarm, expectation } = at(values, 98);
    expect(alarm).toMatchObject({ sign: 0, isBack: true, expected: expectation.before?.expected });
    expect(expectation.base).toBeGreaterThan(150);
  });
});

describe('learn', () => {
  it('keeps the value without the fee, and what was expected in place of an alarm', () => {
    const fees = changed(withFees(31, 59, 90), { 95: 400 });
    const { clean } = stateAt(fees, 100);
    expect(clean[90]).toBeLessThan(110);
    expect(clean[95]).toBe(at(fees, 95).expectation.base);
    expect(clean[96]).toBe(fees[96]);
  });

  it('does not take the residual of an alarm for usual', () => {
    const quiet = at(usualDays(120), 99).expectation.scale;
    const noisy = at(changed(usualDays(120), { 80: 400, 85: 400, 90: 400 }), 99).expectation.scale;
    expect(noisy).toBe(quiet);
  });

  it('leaves out a bucket that is skipped', () => {
    const state = stateAt(usualDays(60), 50);
    state.skip(50);
    expect(state.clean[50]).toBeNaN();
  });
});

describe('shift', () => {
  const doubled = from(90, (usual) => usual * 2);

  it('accepts a new level after four alarms of one sign', () => {
    expect(stateAt(doubled, 93).accepted).toEqual([]);
    const state = stateAt(doubled, 94);
    expect(state.accepted).toEqual([93]);
    expect([...state.clean.subarray(90, 94)]).toEqual([...doubled.subarray(90, 94)]);
    expect(stateAt(doubled, 96).expect(96)?.base).toBeGreaterThan(150);
  });

  it('does not accept alarms of both signs', () => {
    expect(stateAt(changed(usualDays(120), { 90: 400, 91: 0, 92: 400, 93: 0, 94: 400 }), 100).accepted).toEqual([]);
  });

  it('returns to the level before within four weeks, and puts it in place of the burst', () => {
    const values = usualDays(160).map((value, t) => (t >= 90 && t < 98 ? value * 2 : value));
    const state = stateAt(values, 99);
    expect(state.returned).toEqual([{ start: 90, end: 97 }]);
    expect(Math.max(...state.clean.subarray(90, 98))).toBeLessThan(110);
    const later = usualDays(160).map((value, t) => (t >= 90 && t < 125 ? value * 2 : value));
    expect(stateAt(later, 135).returned).toEqual([]);
  });

  it('accepts a new week after alarms on the same day of three weeks', () => {
    const values = usualDays(140).map((value, t) => (t >= 90 && t % 7 === 0 ? value * 0.3 : value));
    const before = at(values, 105).alarm;
    const after = at(values, 112).alarm;
    expect([before.sign, after.sign]).toEqual([-1, 0]);
  });
});
