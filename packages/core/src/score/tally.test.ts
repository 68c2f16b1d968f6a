import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countOf,
  mergeTally,
  newTally,
  type Outcome,
  record,
  recordResource,
  recordUnchecked,
  strongest,
  type Tally,
  uncheckedOf,
} from './tally.js';

const outcome = fc.constantFrom<Outcome>('pass', 'waived', 'fail');
const event = fc.record({
  rule: fc.constantFrom('CS-001', 'SP-002', 'SC-003', '__proto__', 'toString'),
  outcome,
  unknown: fc.boolean(),
  unchecked: fc.option(fc.constantFrom('Service', '__proto__', 'constructor'), { nil: undefined }),
});

type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

function tallyOf(events: readonly Event[]): Tally {
  const tally = newTally();
  for (const { rule, outcome, unknown, unchecked } of events) {
    recordResource(tally, outcome !== 'waived');
    record(tally, rule, outcome, unknown);
    if (unchecked !== undefined) recordUnchecked(tally, unchecked);
  }
  return tally;
}

describe('a tally', () => {
  it('counts resources per rule by outcome', () => {
    const tally = newTally();
    record(tally, 'CS-001', 'pass');
    record(tally, 'CS-001', 'waived', true);
    record(tally, 'CS-001', 'fail', true);
    expect(countOf(tally, 'CS-001')).toEqual({ applicable: 3, failed: 1, waived: 1, unknown: 1 });
  });

  it('counts resources that were found but could not be evaluated', () => {
    const tally = newTally();
    recordResource(tally);
    recordResource(tally, false);
    expect(tally).toEqual({ resources: 1, found: 2, unchecked: new Map(), rules: {} });
  });

  it('counts resources that no rule covers by their kind', () => {
    const tally = newTally();
    recordUnchecked(tally, 'ClusterRole', 2);
    recordUnchecked(tally, '__proto__');
    recordUnchecked(tally, 'ClusterRole');
    expect([...tally.unchecked]).toEqual([
      ['ClusterRole', 3],
      ['__proto__', 1],
    ]);
    expect(uncheckedOf(tally)).toBe(4);
  });

  it('lets fail win over waived, and waived over pass, for one resource', () => {
    expect(strongest('pass', 'waived')).toBe('waived');
    expect(strongest('waived', 'fail')).toBe('fail');
    expect(strongest('fail', 'pass')).toBe('fail');
    expect(strongest('pass', 'pass')).toBe('pass');
  });

  it('keeps hostile rule identifiers as members like any other', () => {
    const tally = newTally();
    record(tally, '__proto__', 'fail');
    expect(Object.keys(tally.rules)).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'failed')).toBe(false);
  });

  it('is the same however a run is split between workers and merged', () => {
    fc.assert(
      fc.property(fc.array(event), fc.nat(), (events, at) => {
        const cut = events.length === 0 ? 0 : at % events.length;
        const [left, right] = [tallyOf(events.slice(0, cut)), tallyOf(events.slice(cut))];
        expect(mergeTally(left, right)).toEqual(tallyOf(events));
        expect(mergeTally(right, left)).toEqual(tallyOf(events));
      }),
      { numRuns: 10_000 },
    );
  });

  it('survives the way to another thread', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const tally = tallyOf(events);
        expect(mergeTally(newTally(), structuredClone(tally))).toEqual(tally);
      }),
      { numRuns: 10_000 },
    );
  });
});
