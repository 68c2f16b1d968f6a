import type { Summary } from '../../evaluate/index.js';
import { SEVERITIES } from '../../rule/index.js';
import type { Threshold } from '../flags/fail-on.js';

/** The exit code of an evaluation: 2 where something could not be read or judged, else 1 where a finding reaches the threshold, else 0. */
export function exitCodeOf({ errors, by_severity }: Pick<Summary, 'errors' | 'by_severity'>, threshold: Threshold): 0 | 1 | 2 {
  if (errors > 0) return 2;
  if (threshold === 'NONE') return 0;
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(threshold) + 1);
  return counted.some((severity) => by_severity[severity] > 0) ? 1 : 0;
}
