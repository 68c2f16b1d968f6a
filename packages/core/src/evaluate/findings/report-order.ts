import type { Finding } from './finding.js';

type Placed = Pick<Finding, 'location' | 'rule_id' | 'path'>;

/** Within one file: by line, then rule, then path. */
export function inReportOrder(a: Placed, b: Placed): number {
  const lines = (a.location?.line ?? 0) - (b.location?.line ?? 0);
  if (lines !== 0) return lines;
  if (a.rule_id !== b.rule_id) return a.rule_id < b.rule_id ? -1 : 1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
