import type { ScoredRule } from '../score.js';

/** What the history keeps of one run: enough to compute its score again on any part of its rules. */
export interface RecordedRun {
  id: string;
  /** RFC 3339, UTC. */
  recordedAt: string;
  project: string;
  /** Branch or environment; empty where none was named. */
  ref: string;
  /** Empty where none was named. */
  commit: string;
  /** Where the resources came from: `files`, `cluster`, … */
  source: string;
  catalogueVersion: string;
  /** Digest of the rules that were selected, and of their severities. */
  catalogueSha: string;
  scope: ScopeSketch;
  resources: number;
  found: number;
  /** Those of `resources` whose kind no selected rule covers. */
  unchecked: number;
  /** Parts of the input that could not be read or evaluated. */
  errors: number;
  rules: readonly ScoredRule[];
}

/** Whether a part of the input was not read: the score says nothing about that part, and cannot be compared with others. */
export function isIncomplete({ errors, found, resources }: Pick<RecordedRun, 'errors' | 'found' | 'resources'>): boolean {
  // Runs of versions that did not record errors tell it by what they found and did not read.
  return errors > 0 || found > resources;
}

/**
 * Which resources a run evaluated, in bounded space: the smallest hashes of their identities. Of a run with more resources than hashes it is a
 * fair sample, and samples of two runs can be compared below the smaller of their largest hashes.
 * Source: K. Beyer and others, "On Synopses for Distinct-Value Estimation Under Multiset Operations" (2007).
 */
export interface ScopeSketch {
  /** SHA-256 over all identities. */
  sha: string;
  /** Ascending, 48 bits each. */
  hashes: readonly number[];
  /** Whether these are all. */
  complete: boolean;
}
