import type { Config } from '../../config/index.js';
import { type Counted, type Outcome, outcomeOf, type Threshold } from '../../report/verdict.js';

/** The exit code of an evaluation: 2 if something could not be read or evaluated, else 1 if a finding reaches the threshold, else 0. */
export function exitCodeOf(counted: Counted, threshold: Threshold): 0 | 1 | 2 {
  return EXIT_CODES[outcomeOf(counted, threshold)];
}

const EXIT_CODES: { readonly [outcome in Outcome]: 0 | 1 | 2 } = { pass: 0, 'not-checked': 0, fail: 1, incomplete: 2 };

/** The threshold of a run: the flag, else the configuration; none while a baseline is written, which accepts everything. */
export function thresholdOf(
  flags: { 'fail-on'?: Threshold | undefined; 'write-baseline'?: string | undefined },
  { config }: { config: Config },
): Threshold {
  return flags['write-baseline'] === undefined ? (flags['fail-on'] ?? config.evaluate.fail_on) : 'NONE';
}
