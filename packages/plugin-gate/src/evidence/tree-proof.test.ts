import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstKey, inBatches, newChain, ORIGIN } from './chain.test-support.js';
import { checkpointNote } from './checkpoint.js';
import type { StoredRecord } from './record.js';
import { appendLeaf, nodeHash, rootOfFrontier } from './tree.js';
import { consistencyProof, inclusionProof, isConsistent, rootOfInclusion, tlogProof } from './tree-proof.js';

/** Of record n. */
const leaf = (n: number) => hash('sha256', `leaf ${n}`, 'hex');
const records = (count: number): StoredRecord[] =>
  Array.from({ length: count }, (_, seq) => ({ seq, type: 'verdict', header: '', data: null, salt: null, hash: leaf(seq), sig: '' }));

/** MTH of RFC 9162, section 2.1.1, word for word. */
function root(from: number, to: number): string {
  if (to === from) return hash('sha256', '', 'hex');
  if (to - from === 1) return leaf(from);
  let k = 1;
  while (k * 2 < to - from) k *= 2;
  return nodeHash(root(from, from + k), root(from + k, to));
}

/** PATH of RFC 9162, section 2.1.3.1, word for word. */
function path(m: number, from: number, to: number): string[] {
  if (to - from === 1) return [];
  let k = 1;
  while (k * 2 < to - from) k *= 2;
  return m < k ? [...path(m, from, from + k), root(from + k, to)] : [...path(m - k, from + k, to), root(from, from + k)];
}

describe('the tree over the records', () => {
  it('has the same root whether it grows or is computed at once', () => {
    let frontier: string[] = [];
    for (let size = 0; size <= 70; size++) {
      expect(rootOfFrontier(frontier)).toBe(root(0, size));
      frontier = appendLeaf(size, frontier, leaf(size));
    }
  });

  it('proves any record, and the proof leads to the root of no other record or size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 130 }), fc.nat(129), async (size, at) => {
        const seq = at % size;
        const proof = await inclusionProof(seq, size, inBatches(records(size + 3)));
        expect(proof).toEqual(path(seq, 0, size));
        expect(rootOfInclusion(leaf(seq), seq, size, proof)).toBe(root(0, size));
        for (const other of [seq - 1, seq + 1].filter((n) => n >= 0 && n < size))
          expect(rootOfInclusion(leaf(seq), other, size, proof)).not.toBe(root(0, size));
        expect(rootOfInclusion(leaf(seq), seq, size, [...proof, leaf(0)])).toBeUndefined();
        expect(rootOfInclusion(leaf(seq), size, size, proof)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('proves that one size begins with the other, and nothing else', async () => {
    for (let second = 1; second <= 33; second++)
      for (let first = 1; first <= second; first++) {
        const proof = await consistencyProof(first, second, inBatches(records(second)));
        const [older, newer] = [
          { size: first, root: root(0, first) },
          { size: second, root: root(0, second) },
        ];
        expect(isConsistent(older, newer, proof)).toBe(true);
        expect(isConsistent({ ...older, root: leaf(99) }, newer, proof)).toBe(false);
        expect(isConsistent(older, { ...newer, root: leaf(99) }, proof)).toBe(false);
        if (proof.length > 0) expect(isConsistent(older, newer, proof.slice(1))).toBe(false);
      }
  });

  it('writes a proof as C2SP does', async () => {
    const chain = newChain();
    for (let n = 0; n < 4; n++) chain.append('admin_action', { n });
    const note = checkpointNote(chain.head, ORIGIN, firstKey);
    const text = tlogProof(1, await inclusionProof(1, 5, inBatches(chain.records)), note);
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['c2sp.org/tlog-proof@v1', 'index 1']);
    expect(Buffer.from(lines[2] ?? '', 'base64').toString('hex')).toBe(chain.records[0]?.hash);
    expect(lines.slice(2, 5).every((line) => Buffer.from(line, 'base64').length === 32)).toBe(true);
    expect(lines[5]).toBe('');
    expect(text.endsWith(`\n\n${note}`)).toBe(true);
  });
});
