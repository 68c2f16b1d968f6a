import { createHash } from 'node:crypto';
import type { ScopeSketch } from './recorded-run.js';

/** Six bytes each: 24 KiB a run at most. */
const MOST_HASHES = 4096;

/** @param identities of the resources, in any order: kind, namespace and name as one text */
export function scopeSketch(identities: Iterable<string>): ScopeSketch {
  const distinct = [...new Set(identities)].sort();
  const whole = createHash('sha256');
  const hashes: number[] = [];
  for (const identity of distinct) {
    whole.update(`${Buffer.byteLength(identity)}:${identity}`);
    hashes.push(createHash('sha256').update(identity).digest().readUIntBE(0, 6));
  }
  hashes.sort((a, b) => a - b);
  return { sha: whole.digest('hex'), hashes: hashes.slice(0, MOST_HASHES), complete: hashes.length <= MOST_HASHES };
}

/** The share of the resources of the first run that the second lacks, 0 to 1; exact for up to 4,096 resources, else an estimate. */
export function shareLeft(before: ScopeSketch, after: ScopeSketch): number {
  const limit = Math.min(reach(before), reach(after));
  const present = new Set(after.hashes);
  const compared = before.hashes.filter((hash) => hash <= limit);
  return compared.length === 0 ? 0 : compared.filter((hash) => !present.has(hash)).length / compared.length;
}

/** Up to where the sketch knows every hash. */
function reach({ hashes, complete }: ScopeSketch): number {
  return complete ? Number.POSITIVE_INFINITY : (hashes.at(-1) ?? 0);
}
