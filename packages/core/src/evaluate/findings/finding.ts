import type { Location } from '../../errors.js';
import type { Source } from '../../resource/resource.js';
import type { Position } from '../../resource/text/lines.js';
import type { Severity } from '../../rule/rule.js';

export type FindingStatus = 'fail' | 'pass' | 'error' | 'suppressed';

/** What one rule says about one resource (or one item of it). Member order is the order in every JSON output. */
export interface Finding {
  rule_id: string;
  category: string;
  severity: Severity;
  title: string;
  status: FindingStatus;
  resource: { api_version: string; kind: string; namespace: string | null; name: string };
  location: Location | null;
  /** JSON Pointer of the offending value in the object, or of where it is missing. */
  path: string;
  message: string;
  fix: string;
  frameworks: string[];
  /** Only where `status` is `suppressed`. */
  suppression?: Suppression;
  /** An exception that covers the finding and does not count in this run. Only where `status` is `fail`. */
  would_be_suppressed?: WouldBeSuppressed;
  /**
   * Identifier of the rule whose failing finding on the same thing has the same cause; its fix comes first. Only where `status` is `fail`. The finding
   * counts like any other.
   */
  caused_by?: string;
}

export interface Suppression {
  source: 'annotation' | 'comment' | 'config' | 'baseline';
  reason: string;
  /** RFC 3339 date after which the exception no longer holds, where it has one. */
  expires?: string;
}

/** An exception that does not count, and the setting of the run because of which it does not. */
export interface WouldBeSuppressed extends Suppression {
  /** `exceptions_from`: exceptions of this source do not count. `policy_from`: the commit that holds the policy does not have it. */
  ignored_because: 'exceptions_from' | 'policy_from';
}

/** A place in the file of a resource; null for one that came without lines. */
export function locationIn({ file, line: start, rendered }: Source, { line, column }: Position): Location | null {
  if (start === 0) return null;
  return rendered === undefined ? { file, line, column } : { file, line, column, rendered_from: rendered };
}

type Placed = Pick<Finding, 'location' | 'rule_id' | 'path'>;

/** Within one file: by line, then rule, then path. */
export function inReportOrder(a: Placed, b: Placed): number {
  const lines = (a.location?.line ?? 0) - (b.location?.line ?? 0);
  if (lines !== 0) return lines;
  if (a.rule_id !== b.rule_id) return a.rule_id < b.rule_id ? -1 : 1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
