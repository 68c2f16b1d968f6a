import type { Finding, Suppression } from '../evaluate/index.js';
import { SEVERITIES, type Severity } from '../rule/index.js';
import { type Consequences, newConsequences } from './consequences.js';

/** What a rule found in a run, consequences of other findings left out. */
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
  /** The first ones with status `fail`, in report order. */
  first: NumberedFinding[];
}

/** A finding with its place in the order of the run. */
export interface NumberedFinding {
  finding: Finding;
  number: number;
}

/** Findings that one exception covers. */
export interface SuppressionDigest extends Suppression {
  rule_id: string;
  findings: number;
}

/** How much of a run is kept. */
export interface DigestOptions {
  /** Failing findings of each rule. */
  firstPerRule: number;
  /** Failing findings of each severity. */
  listed: { readonly [severity in Severity]: number };
}

/** A run in bounded memory: counts, and the first findings of each severity and of each rule. Consequences of other findings are kept apart. */
export interface Digest {
  options: DigestOptions;
  rules: Map<string, RuleDigest>;
  /** In report order. */
  listed: { [severity in Severity]: Finding[] };
  /** Failing findings so far, consequences left out. */
  taken: number;
  /** How many of them there are of each severity, kept or not. */
  totals: { [severity in Severity]: number };
  /** The first findings with status `error`. */
  failures: Finding[];
  moreFailures: number;
  consequences: Consequences;
  /** By rule, source and reason; those beyond the limit are counted in `moreSuppressed` only. */
  suppressions: Map<string, SuppressionDigest>;
  moreSuppressed: number;
}

/** Reasons come from the input, so there may be as many as findings. */
const MAX_SUPPRESSIONS = 200;

const MAX_FAILURES = 1_000;

export function newDigest(options: DigestOptions): Digest {
  return {
    options,
    rules: new Map(),
    listed: { CRITICAL: [], HIGH: [], MEDIUM: [], LOW: [], INFO: [] },
    taken: 0,
    totals: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 },
    failures: [],
    moreFailures: 0,
    consequences: newConsequences(),
    suppressions: new Map(),
    moreSuppressed: 0,
  };
}

export function addToDigest(digest: Digest, finding: Finding): void {
  if (finding.status === 'suppressed') addSuppressed(digest, finding);
  else if (finding.status === 'error') addFailure(digest, finding);
  else if (finding.status === 'fail' && !digest.consequences.take(finding)) addFinding(digest, finding);
}

/** The rules that found something, or could not be evaluated: the most severe first, then the most frequent. */
export function rulesBySeverity(digest: Digest): RuleDigest[] {
  return [...digest.rules.values()].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      b.findings - a.findings ||
      b.errors - a.errors ||
      (a.rule_id < b.rule_id ? -1 : 1),
  );
}

/** The exceptions that covered something: the most frequent first. */
export function suppressionsByCount(digest: Digest): SuppressionDigest[] {
  return [...digest.suppressions.values()].sort(
    (a, b) => b.findings - a.findings || (a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : 0),
  );
}

function addFinding(digest: Digest, finding: Finding): void {
  const { severity } = finding;
  digest.taken += 1;
  digest.totals[severity] += 1;
  if (digest.listed[severity].length < digest.options.listed[severity]) digest.listed[severity].push(finding);
  const rule = ruleOf(digest, finding);
  rule.findings += 1;
  if (rule.first.length < digest.options.firstPerRule) rule.first.push({ finding, number: digest.taken });
}

function addFailure(digest: Digest, finding: Finding): void {
  ruleOf(digest, finding).errors += 1;
  if (digest.failures.length < MAX_FAILURES) digest.failures.push(finding);
  else digest.moreFailures += 1;
}

function ruleOf(digest: Digest, { rule_id, category, severity, title, fix }: Finding): RuleDigest {
  let rule = digest.rules.get(rule_id);
  if (rule === undefined) {
    rule = { rule_id, category, severity, title, fix, findings: 0, errors: 0, first: [] };
    digest.rules.set(rule_id, rule);
  }
  return rule;
}

function addSuppressed(digest: Digest, finding: Finding): void {
  const suppression: Suppression = finding.suppression ?? { source: 'config', reason: '' };
  const key = JSON.stringify([finding.rule_id, suppression.source, suppression.reason, suppression.expires]);
  const known = digest.suppressions.get(key);
  if (known !== undefined) known.findings += 1;
  else if (digest.suppressions.size >= MAX_SUPPRESSIONS) digest.moreSuppressed += 1;
  else digest.suppressions.set(key, { ...suppression, rule_id: finding.rule_id, findings: 1 });
}
