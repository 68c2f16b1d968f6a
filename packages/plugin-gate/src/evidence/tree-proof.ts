import type { StoredRecord } from './record.js';
import { appendLeaf, nodeHash, rootOfFrontier } from './tree.js';

/** Leaves `from` (inclusive) to `to` (exclusive). */
type Span = readonly [from: number, to: number];

/**
 * The inclusion proof of a record (RFC 9162, section 2.1.3.1): the hashes, in hex, from the leaf's sibling up to the child of the root.
 * @param seq of the record
 * @param size number of records in the tree
 * @param records all of them, from 0, in order; they are read once
 */
export async function inclusionProof(seq: number, size: number, records: AsyncIterable<readonly StoredRecord[]>): Promise<string[]> {
  return rootsOf(siblings(seq, [0, size]), records);
}

/**
 * The consistency proof between two sizes of the tree (RFC 9162, section 2.1.4.1), in hex.
 * @param first the smaller size, at least 1
 * @param second the larger size
 * @param records the first `second` of them, from 0, in order; they are read once
 */
export async function consistencyProof(first: number, second: number, records: AsyncIterable<readonly StoredRecord[]>): Promise<string[]> {
  return rootsOf(first === second ? [] : differences(first, [0, second], true), records);
}

/** The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2); undefined when the proof does not fit the sizes. */
export function rootOfInclusion(leaf: string, seq: number, size: number, proof: readonly string[]): string | undefined {
  if (seq >= size) return undefined;
  let [position, last, root] = [seq, size - 1, leaf];
  for (const node of proof) {
    if (last === 0) return undefined;
    if (position % 2 === 1 || position === last) {
      root = nodeHash(node, root);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else root = nodeHash(root, node);
    [position, last] = [half(position), half(last)];
  }
  return last === 0 ? root : undefined;
}

/** Whether the proof shows that the tree of the second size begins with the one of the first (RFC 9162, section 2.1.4.2). */
export function isConsistent(
  first: { size: number; root: string },
  second: { size: number; root: string },
  proof: readonly string[],
): boolean {
  if (first.size === second.size) return first.root === second.root && proof.length === 0;
  if (first.size === 0 || first.size > second.size) return false;
  const path = isPowerOfTwo(first.size) ? [first.root, ...proof] : [...proof];
  const start = path.shift();
  if (start === undefined) return false;
  let [position, last] = [first.size - 1, second.size - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  let [older, newer] = [start, start];
  for (const node of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      [older, newer] = [nodeHash(node, older), nodeHash(node, newer)];
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else newer = nodeHash(newer, node);
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && older === first.root && newer === second.root;
}

/** The spans beside the way from the root to a leaf, the leaf's own sibling first. */
function siblings(leaf: number, [from, to]: Span): Span[] {
  if (to - from === 1) return [];
  const middle = from + largestPowerBelow(to - from);
  if (leaf < middle) return [...siblings(leaf, [from, middle]), [middle, to]];
  return [...siblings(leaf, [middle, to]), [from, middle]];
}

/** The spans of SUBPROOF. @param known whether the verifier has the root of the span that `first` ends in */
function differences(first: number, [from, to]: Span, known: boolean): Span[] {
  if (first === to) return known ? [] : [[from, to]];
  const middle = from + largestPowerBelow(to - from);
  if (first <= middle) return [...differences(first, [from, middle], known), [middle, to]];
  return [...differences(first, [middle, to], false), [from, middle]];
}

/** The roots over spans that do not overlap, from one reading of the leaves, with one frontier each. */
async function rootsOf(spans: readonly Span[], records: AsyncIterable<readonly StoredRecord[]>): Promise<string[]> {
  const frontiers = new Map<Span, string[]>(spans.map((span) => [span, []]));
  const inOrder = [...spans].sort((a, b) => a[0] - b[0]);
  let at = 0;
  for await (const batch of records)
    for (const { seq, hash } of batch) {
      while (seq >= (inOrder[at]?.[1] ?? Number.POSITIVE_INFINITY)) at++;
      const span = inOrder[at];
      if (span !== undefined && seq >= span[0]) frontiers.set(span, appendLeaf(seq - span[0], frontiers.get(span) ?? [], hash));
    }
  return spans.map((span) => rootOfFrontier(frontiers.get(span) ?? []));
}

function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

function isPowerOfTwo(count: number): boolean {
  return largestPowerBelow(count + 1) === count;
}

/** Sizes pass 2^32, so no bit operators. */
function half(n: number): number {
  return Math.floor(n / 2);
}

/**
 * A proof of one record that can be checked with nothing but the verifier's key (c2sp.org/tlog-proof@v1): the place of the
 * record, the way to the root, and the checkpoint that names the root.
 * @param proof from `inclusionProof`, in hex
 * @param checkpoint the signed note, whole
 * @param line the record itself (see `recordLine`), to be carried along; a verifier must hash it before it believes it
 */
export function tlogProof(seq: number, proof: readonly string[], checkpoint: string, line?: string): string {
  const extra = line === undefined ? '' : `extra ${Buffer.from(line).toString('base64')}\n`;
  const hashes = proof.map((node) => `${Buffer.from(node, 'hex').toString('base64')}\n`).join('');
  return `c2sp.org/tlog-proof@v1\n${extra}index ${seq}\n${hashes}\n${checkpoint}`;
}
