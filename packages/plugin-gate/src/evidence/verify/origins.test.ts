import { describe, expect, it } from 'vitest';
import type { Json } from '../../json/index.js';
import { originWalk } from './origins.js';

const entry = (n: number, replica = 'a'): Json => ({ origin: { replica, n } });
const drop = (n: number, replica = 'a'): Json => ({ action: 'quarantine.drop', replica, n });

/** @returns numbers of the records that are refused at once, and of those before which entries are missing */
function walked(records: readonly Json[], from = 1) {
  const walk = originWalk();
  if (from === 1) walk.next({ seq: 0, data: {} });
  const refused = records.flatMap((data, at) => (walk.next({ seq: from + at, data }) ? [] : [from + at]));
  return { refused, missing: walk.missing() };
}

describe('the numbers of replicas', () => {
  it('are whole when each replica counts from 1 without a hole', () => {
    expect(walked([entry(1), entry(1, 'b'), entry(2), {}, entry(2, 'b')])).toEqual({ refused: [], missing: [] });
  });

  it('have a hole where an entry was removed, at the start too', () => {
    expect(walked([entry(1), entry(3), entry(2, 'b')])).toEqual({ refused: [], missing: [2, 3] });
  });

  it('are whole again when the entry comes later, as from quarantine, or an act says that it was dropped', () => {
    expect(walked([entry(1), entry(4), entry(2), drop(3)])).toEqual({ refused: [], missing: [] });
    expect(walked([drop(1), entry(2)])).toEqual({ refused: [], missing: [] });
    expect(walked([entry(1), entry(3), drop(2, 'b')]).missing).toEqual([2]);
    expect(walked([entry(1), entry(3), drop(4)]).missing).toEqual([2]);
  });

  it('may miss as many entries as were erased before', () => {
    expect(walked([null, entry(2), entry(4)])).toEqual({ refused: [], missing: [3] });
  });

  it('are refused twice, and when they are none', () => {
    expect(walked([entry(1), entry(1), entry(3), entry(2), entry(2), entry(0), { origin: { n: 4 } }]).refused).toEqual([2, 5, 6, 7]);
  });

  it('say nothing of what was before a range', () => {
    expect(walked([entry(7), entry(3), entry(9)], 20)).toEqual({ refused: [], missing: [22] });
  });
});
