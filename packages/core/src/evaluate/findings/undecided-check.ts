import type { Location } from '../../errors.js';
import type { Severity } from '../../rule/rule.js';
import type { UndecidedReason } from '../../undecided.js';
import type { Finding } from './finding.js';

/** A rule that neither passes nor fails on a resource, because something that decides is not known. Member order is the order in every JSON output. */
export interface UndecidedCheck {
  rule_id: string;
  category: string;
  severity: Severity;
  title: string;
  resource: Finding['resource'];
  location: Location | null;
  /** JSON Pointer of the value that is not known, or of what the rule is about. */
  path: string;
  reason: UndecidedReason;
  /** One sentence, the same for everything with the same cause. */
  message: string;
}

/** How many checks of a run are undecided, and why. Absent where all are decided. */
export interface UndecidedSummary {
  /** Pairs of a rule and a resource. */
  checks: number;
  /** The most frequent first, at most 20. */
  reasons: { reason: UndecidedReason; message: string; count: number }[];
  /** How many other reasons there are. */
  more_reasons: number;
}

/** What a run does about undecided checks: leave them out of the report, report them, or treat them as an error. */
export const UNDECIDED_HANDLING = ['ignore', 'warn', 'fail'] as const;
export type UndecidedHandling = (typeof UNDECIDED_HANDLING)[number];
