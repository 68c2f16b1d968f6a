import type { InputError } from '../../errors.js';
import type { Rule, Severity } from '../../rule/index.js';
import { mergeTally, newTally, type Tally } from '../../score/index.js';
import {
  addExceptionTallies,
  countException,
  type ExceptionTallies,
  exceptionMembers,
  newExceptionTallies,
} from '../exceptions/exception-counts.js';
import type { Summary } from '../findings/evaluation.js';
import type { Finding } from '../findings/finding.js';
import type { UndecidedSummary } from '../findings/undecided-check.js';

/** What a run has counted so far. It can be posted between threads: workers send theirs at the end. */
export interface Counts {
  tally: Tally;
  findings: number;
  suppressed: number;
  exceptions: ExceptionTallies;
  /** Findings that say that a rule could not be evaluated. */
  ruleErrors: number;
  bySeverity: { [severity in Severity]: number };
  byCategory: { [category: string]: number };
  /** By identifier of the rule, for each rule with a finding. */
  byRule: Map<string, FindingCount>;
  /** Kind, namespace and name of every resource, if requested. */
  identities?: string[];
}

/** The findings of one rule, by status. */
export interface FindingCount {
  fail: number;
  suppressed: number;
  error: number;
}

export function newCounts(tally: Tally = newTally(), identities = false): Counts {
  return {
    ...(identities && { identities: [] }),
    tally,
    findings: 0,
    suppressed: 0,
    exceptions: newExceptionTallies(),
    ruleErrors: 0,
    bySeverity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 },
    byCategory: {},
    byRule: new Map(),
  };
}

export function countFinding(counts: Counts, finding: Finding): void {
  if (finding.status !== 'pass') findingsOf(counts, finding.rule_id)[finding.status] += 1;
  countException(counts.exceptions, finding);
  if (finding.status === 'suppressed') counts.suppressed += 1;
  else if (finding.status === 'error') counts.ruleErrors += 1;
  else if (finding.status === 'fail') {
    counts.findings += 1;
    counts.bySeverity[finding.severity] += 1;
    counts.byCategory[finding.category] = (counts.byCategory[finding.category] ?? 0) + 1;
  }
}

function findingsOf({ byRule }: Counts, ruleId: string): FindingCount {
  const known = byRule.get(ruleId);
  if (known) return known;
  const count = { fail: 0, suppressed: 0, error: 0 };
  byRule.set(ruleId, count);
  return count;
}

export function sumCounts(parts: readonly Counts[]): Counts {
  const sum = newCounts();
  for (const part of parts) {
    sum.tally = mergeTally(sum.tally, part.tally);
    if (part.identities) sum.identities = [...(sum.identities ?? []), ...part.identities];
    sum.findings += part.findings;
    sum.suppressed += part.suppressed;
    addExceptionTallies(sum.exceptions, part.exceptions);
    sum.ruleErrors += part.ruleErrors;
    for (const [ruleId, { fail, suppressed, error }] of part.byRule) {
      const count = findingsOf(sum, ruleId);
      count.fail += fail;
      count.suppressed += suppressed;
      count.error += error;
    }
    for (const [severity, count] of Object.entries(part.bySeverity) as [Severity, number][]) sum.bySeverity[severity] += count;
    for (const [category, count] of Object.entries(part.byCategory)) sum.byCategory[category] = (sum.byCategory[category] ?? 0) + count;
  }
  return sum;
}

export function summaryOf(rules: readonly Rule[], counts: Counts, errors: readonly InputError[], undecided?: UndecidedSummary): Summary {
  const categories = [...new Set(rules.map((rule) => rule.category))];
  return {
    resources: counts.tally.resources,
    unchecked: uncheckedKinds(counts.tally),
    rules: rules.length,
    findings: counts.findings,
    suppressed: counts.suppressed,
    ...exceptionMembers(counts.exceptions),
    errors: errors.length + counts.ruleErrors,
    ...(undecided && { undecided }),
    by_severity: counts.bySeverity,
    by_category: Object.fromEntries(categories.map((category) => [category, counts.byCategory[category] ?? 0])),
  };
}

/** The most frequent kind first. */
export function uncheckedKinds({ unchecked }: Tally): Summary['unchecked'] {
  return [...unchecked].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}
