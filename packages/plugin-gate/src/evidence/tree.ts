import { hash } from 'node:crypto';
import type { ChainHead } from './record.js';

/**
 * The Merkle tree of RFC 9162, section 2.1, over the hashes of the records. Its frontier, the hashes of the perfect subtrees
 * from left to right, has one hash per bit that is set in the number of leaves: enough to append and to tell the root.
 */

/**
 * @param size number of leaves before this one
 * @param frontier of those leaves, in hex
 * @param leaf hash of the new leaf, in hex
 * @returns the frontier of one more leaf
 */
export function appendLeaf(size: number, frontier: readonly string[], leaf: string): string[] {
  const next = [...frontier];
  let node = leaf;
  // Each bit that carries merges two subtrees of one size into one. Sizes pass 2^32, so no bit operators.
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = next.pop();
    if (left === undefined) throw new RangeError('The frontier does not fit the number of leaves.');
    node = nodeHash(left, node);
  }
  next.push(node);
  return next;
}

/** Root over all records up to the head, in hex. Costs as many hashes as the frontier has. */
export function treeRoot(head: ChainHead): string {
  return rootOfFrontier(head.frontier);
}

/** Root over the leaves of a frontier, in hex. An empty tree has the SHA-256 of nothing. */
export function rootOfFrontier(frontier: readonly string[]): string {
  const last = frontier.at(-1);
  if (last === undefined) return hash('sha256', '', 'hex');
  return frontier.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}

/** Hash of an inner node, in hex. */
export function nodeHash(left: string, right: string): string {
  return hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex');
}
