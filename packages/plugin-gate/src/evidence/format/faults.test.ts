import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBatches, newChain } from '../chain.test-support.js';
import type { TestChain } from '../chain-names.test-support.js';
import { faultsOf, faultWalk, MAX_FAULTS, markData, walkedRecord } from './index.js';
import { recordSet } from './record-set.js';

const ACT = { reportedBy: 'system' };

/** A chain of format 1, as versions without a format wrote it. */
const oldChain = () => newChain({ format: 1 });

/** Takes the data out of a record, and says so nowhere. */
function forge(chain: TestChain, seq: number): void {
  chain.records = chain.records.map((record) => (record.seq === seq ? { ...record, data: null, salt: null } : record));
}

function mark(chain: TestChain, faults: Parameters<typeof markData>[0] = []): void {
  for (const data of markData(faults)) chain.append('admin_action', data, ACT);
}

function walkedOver(chain: TestChain) {
  const walk = faultWalk();
  const misfits = chain.records.flatMap((record) => (walk.next(walkedRecord(record)) ? [] : [record.seq]));
  return { misfits, format: walk.format(), ...walk.faults() };
}

describe('the faults of a chain', () => {
  it('are none in a chain with one final result each and with erasures that are named', async () => {
    const chain = oldChain();
    const seq = chain.decide('p-1');
    chain.append('result', { proposal_id: 'p-1', verdict_seq: seq, status: 'deferred' });
    chain.report('p-1', seq);
    chain.report('p-2', chain.decide('p-2'));
    chain.erase(1);
    expect(await faultsOf(inBatches(chain.records))).toEqual({ format: 1, faults: [] });
  });

  it('are every final result after the first of its proposal, and every erased record that no later act names', async () => {
    const chain = oldChain();
    const seq = chain.decide('p-1');
    for (const status of ['ok', 'deferred', 'error', 'skipped']) chain.append('result', { proposal_id: 'p-1', verdict_seq: seq, status });
    chain.append('admin_action', { action: 'evidence.erase', seq: 8, operator: 'root', reason: 'before the record is there' });
    chain.decide('p-2');
    forge(chain, 8);
    forge(chain, 2);
    expect(await faultsOf(inBatches(chain.records))).toEqual({
      format: 1,
      faults: [
        { kind: 'unexplained-erasure', seq: 2 },
        { kind: 'second-final', seq: 5 },
        { kind: 'second-final', seq: 6 },
        { kind: 'unexplained-erasure', seq: 8 },
      ],
    });
  });

  it('count beyond 1,000 without an end', async () => {
    const chain = oldChain();
    for (let n = 0; n < 1500; n++) chain.append('approval', { approval_id: `apr_${n}`, event: 'requested' });
    chain.records = chain.records.map((record) => (record.type === 'approval' ? { ...record, data: null, salt: null } : record));
    const { faults } = await faultsOf(chain.records.map((record) => [record]));
    expect(faults.map(({ seq }) => seq)).toEqual(Array.from({ length: 1500 }, (_, n) => n + 1));
  });

  it('include an erasure whose act was erased, as old versions allowed', async () => {
    const chain = oldChain();
    chain.decide('p-1');
    chain.erase(1);
    chain.erase(3);
    expect((await faultsOf(inBatches(chain.records))).faults).toEqual([{ kind: 'unexplained-erasure', seq: 1 }]);
  });
});

describe('a mark', () => {
  it('turns the faults that it lists into known ones, and no others', () => {
    const chain = oldChain();
    const seq = chain.decide('p-1');
    for (let n = 0; n < 3; n++) chain.report('p-1', seq);
    forge(chain, 1);
    mark(chain, [
      { kind: 'second-final', seq: 4 },
      // The wrong kind does not count.
      { kind: 'second-final', seq: 1 },
    ]);
    chain.report('p-1', seq);
    expect(walkedOver(chain)).toEqual({
      misfits: [],
      format: 2,
      known: [{ kind: 'second-final', seq: 4 }],
      open: [
        { kind: 'unexplained-erasure', seq: 1 },
        { kind: 'second-final', seq: 5 },
        { kind: 'second-final', seq: 7 },
      ],
    });
  });

  it('has a part for each 1,000 faults, and puts the format in force after the last', () => {
    const faults = Array.from({ length: 2 * MAX_FAULTS + 1 }, (_, seq) => ({ kind: 'unexplained-erasure' as const, seq }));
    expect(markData([])).toMatchObject([{ action: 'store.format', format: 2, from_format: 1, part: 1, parts: 1, faults: [] }]);
    expect(markData(faults).map(({ part, parts }) => [part, parts])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    const chain = oldChain();
    for (let n = 0; n < faults.length; n++) chain.append('approval', {});
    const formats: number[] = [];
    const walk = faultWalk();
    mark(chain, faults);
    for (const record of chain.records) {
      expect(walk.next(walkedRecord(record))).toBe(true);
      if (record.type === 'admin_action') formats.push(walk.format());
    }
    expect(formats).toEqual([1, 1, 2]);
  });

  it.each<[string, (chain: TestChain) => void]>([
    ['a second one', (chain) => mark(chain)],
    ['one that speaks of itself', (chain) => chain.append('admin_action', { ...data(), faults: [{ kind: 'second-final', seq: 99 }] })],
    ['a kind that is not known', (chain) => chain.append('admin_action', { ...data(), faults: [{ kind: 'other', seq: 1 }] })],
    ['another format', (chain) => chain.append('admin_action', { ...data(), format: 3 })],
    ['a part that is not the next', (chain) => chain.append('admin_action', { ...data(), part: 2, parts: 2 })],
    ['a part after the last', (chain) => chain.append('admin_action', { ...data(), part: 2, parts: 1 })],
  ])('is refused: %s', (_, append) => {
    const chain = oldChain();
    chain.decide('p-1');
    if (_ === 'a second one') mark(chain);
    append(chain);
    expect(walkedOver(chain).misfits).toEqual([chain.head.seq]);
  });

  it('is refused when another record stands between its parts', () => {
    const chain = oldChain();
    const [part] = markData(Array.from({ length: 1001 }, () => ({ kind: 'second-final' as const, seq: 0 })));
    chain.append('admin_action', part ?? {});
    chain.append('admin_action', { action: 'config.load' });
    expect(walkedOver(chain)).toMatchObject({ misfits: [2], format: 1 });
  });

  it('is refused in a chain that began with the format, where its list counts for nothing', () => {
    const chain = newChain();
    chain.decide('p-1');
    forge(chain, 1);
    mark(chain, [{ kind: 'unexplained-erasure', seq: 1 }]);
    expect(walkedOver(chain)).toMatchObject({ misfits: [3], open: [{ kind: 'unexplained-erasure', seq: 1 }], known: [] });
  });
});

it.each(['genesis', 'key'] as const)('no act explains that a %s record is erased', (type) => {
  const walk = faultWalk();
  walk.next({ seq: 0, type, data: null });
  walk.next({ seq: 1, type: 'admin_action', data: { action: 'evidence.erase', seq: 0 } });
  expect(walk.faults().open).toEqual([{ kind: 'unexplained-erasure', seq: 0 }]);
});

describe('a set of record numbers', () => {
  it('holds what was put into it, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(5000), fc.maxSafeNat())), (seqs) => {
        const set = recordSet();
        for (const seq of seqs) set.add(seq);
        const distinct = [...new Set(seqs)].sort((a, b) => a - b);
        expect(set.values()).toEqual(distinct);
        for (const seq of distinct) expect(set.has(seq) && !(!seqs.includes(seq + 1) && set.has(seq + 1))).toBe(true);
      }),
    );
  });
});

function data() {
  return markData([])[0] ?? {};
}
