import type { Finding, Suppression } from '../evaluate/index.js';
import { SEVERITIES, type Severity } from '../rule/index.js';

/** What a rule found in a run. */
export interface RuleDigest {
  rule_id: string;
  category: string;
  severity: Severity;
  title: string;
  fix: string;
  /** Findings with status `fail`. */
  findings: number;
  /** Findings with status `error`: the rule could not be evaluated. */
  errors: number;
  /** The first ones of both, in report order. */
  first: Finding[];
}

/** Findings that one exception covers. */
export interface SuppressionDigest extends Suppression {
  rule_id: string;
  findings: number;
}

/** A run in bounded memory: counts, and the first findings of each rule. */
export interface Digest {
  rules: Map<string, RuleDigest>;
  /** By rule, source and reason; those beyond the limit are counted in `moreSuppressed` only. */
  suppressions: Map<string, SuppressionDigest>;
  moreSuppressed: number;
  firstPerRule: number;
}

/** Reasons come from the input, so there may be as many as findings. */
const MAX_SUPPRESSIONS = 200;

export function newDigest(firstPerRule: number): Digest {
  return { rules: new Map(), suppressions: new Map(), moreSuppressed: 0, firstPerRule };
}

export function addToDigest(digest: Digest, finding: Finding): void {
  if (finding.status === 'suppressed') addSuppressed(digest, finding);
  else if (finding.status !== 'pass') addToRule(digest, finding);
}

/** The rules that found something: the gravest first, then the most frequent. */
export function rulesBySeverity(digest: Digest): RuleDigest[] {
  return [...digest.rules.values()].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      b.findings - a.findings ||
      b.errors - a.errors ||
      (a.rule_id < b.rule_id ? -1 : 1),
  );
}

/** The rules that found something: the most frequent first, then the gravest. */
export function rulesByCount(digest: Digest): RuleDigest[] {
  return rulesBySeverity(digest).sort((a, b) => b.findings + b.errors - a.findings - a.errors);
}

/** The exceptions that covered something: the most frequent first. */
export function suppressionsByCount(digest: Digest): SuppressionDigest[] {
  return [...digest.suppressions.values()].sort(
    (a, b) => b.findings - a.findings || (a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : 0),
  );
}

function addToRule(digest: Digest, finding: Finding): void {
  let rule = digest.rules.get(finding.rule_id);
  if (rule === undefined) {
    const { rule_id, category, severity, title, fix } = finding;
    rule = { rule_id, category, severity, title, fix, findings: 0, errors: 0, first: [] };
    digest.rules.set(rule_id, rule);
  }
  if (finding.status === 'fail') rule.findings += 1;
  else rule.errors += 1;
  if (rule.first.length < digest.firstPerRule) rule.first.push(finding);
}

function addSuppressed(digest: Digest, finding: Finding): void {
  const suppression: Suppression = finding.suppression ?? { source: 'config', reason: '' };
  const key = JSON.stringify([finding.rule_id, suppression.source, suppression.reason, suppression.expires]);
  const known = digest.suppressions.get(key);
  if (known !== undefined) known.findings += 1;
  else if (digest.suppressions.size >= MAX_SUPPRESSIONS) digest.moreSuppressed += 1;
  else digest.suppressions.set(key, { ...suppression, rule_id: finding.rule_id, findings: 1 });
}
