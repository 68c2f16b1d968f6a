import { type CitedControl, type CitingRule, citedFrameworks } from './cited-frameworks.js';
import { type Coverage, coverageOf } from './compliance-map.js';
import { resolveFramework } from './framework-ref.js';
import type { Control } from './frameworks/index.js';
import { naturalOrder } from './natural-order.js';

/** What a run says about the controls of frameworks: the member `compliance` of an evaluation, members in this order. */
export interface ComplianceReport {
  /** What a status does not say. */
  notice: string;
  /** False where a part of the input could not be read, or a rule could not be evaluated: a pass is then a pass as far as was read. */
  complete: boolean;
  /** Resources that were evaluated. */
  resources: number;
  /** Those of `resources` whose kind no rule of the run covers. */
  unchecked: number;
  /** Those asked for; otherwise all that rules cite, but for mere references such as documentation. In natural order. */
  frameworks: FrameworkCompliance[];
  /** Number of `frameworks`. */
  total: number;
}

export interface FrameworkCompliance {
  id: string;
  title: string;
  version: string | null;
  coverage: Coverage;
  /** How many of `controls` have each status. */
  counts: { pass: number; fail: number; not_checked: number; not_covered: number };
  /** All that are known of the framework, and whatever else rules cite of it; in natural order. */
  controls: ControlCompliance[];
}

/**
 * - `fail`: a rule that supports the control has a failing finding that no exception covers.
 * - `pass`: no such finding; every installed rule that supports the control was used and could be evaluated, and one applied to a resource at least.
 * - `not-checked`: rules support the control, but neither is the case; `reason` says why.
 * - `not-covered`: no installed rule supports the control.
 */
export type ControlStatus = 'pass' | 'fail' | 'not-checked' | 'not-covered';

/** Why a control is not checked. `rule-left-out`: the run did not use all rules that support it. */
export type NotCheckedReason = 'rule-left-out' | 'rule-undecided' | 'nothing-applies';

export type ControlCompliance = CoveredControl | (Control & { status: 'not-covered' });

export interface CoveredControl extends Control {
  status: Exclude<ControlStatus, 'not-covered'>;
  /** Only where `status` is `not-checked`. */
  reason?: NotCheckedReason;
  /** Rules that support it. */
  rules: string[];
  /** Those of `rules` that applied to a resource: the status rests on these alone. */
  applied_rules: string[];
  /** Those of `rules` with a failing finding. */
  failing_rules: string[];
  /** Failing findings of all its rules. */
  findings: number;
  /** Findings that an exception covers. */
  waived: number;
  /** See `CitedControl`. */
  unlisted?: true;
}

/** What a run counted for one rule. */
export interface RuleResult {
  /** Resources to which the rule applied. */
  applied: number;
  /** Findings that fail. */
  failed: number;
  /** Findings that an exception covers. */
  waived: number;
  /** How often the rule could not be evaluated, or a value that decides is not known before the change is applied. */
  undecided: number;
}

/** A run, as far as compliance looks at it. */
export interface EvaluatedRules {
  /** All installed rules, in catalogue order. */
  rules: readonly CitingRule[];
  /** By identifier, for each rule that the run used. */
  results: ReadonlyMap<string, RuleResult>;
  resources: number;
  /** Those of `resources` whose kind no rule of the run covers. */
  unchecked: number;
  /** Parts of the input that could not be read or evaluated. */
  errors: number;
  /** Frameworks with or without version and item; everything when absent. */
  frameworks?: readonly string[] | undefined;
}

const NOTICE =
  'A control passes when the rules that support it find nothing. That is not the same as meeting the control: rules see configuration only.';

/**
 * The status of each control, from what a run counted per rule.
 * @throws {BylawError} `framework-unknown` for a framework that no rule maps to
 */
export function complianceReport({ rules, results, resources, unchecked, errors, frameworks: queries }: EvaluatedRules): ComplianceReport {
  const wanted = queries?.map((query) => resolveFramework(query, rules));
  const frameworks = citedFrameworks(rules, wanted)
    .filter(({ reference }) => wanted !== undefined || !reference)
    .map((framework): FrameworkCompliance => {
      const { id, title, version, cited, uncovered } = framework;
      const covered = cited.map((control): ControlCompliance => coveredControl(control, results));
      const rest = (uncovered ?? []).map((control): ControlCompliance => ({ ...control, status: 'not-covered' }));
      const controls = [...covered, ...rest].sort((a, b) => naturalOrder(a.id, b.id));
      return { id, title, version, coverage: coverageOf(framework), counts: countsOf(controls), controls };
    });
  return { notice: NOTICE, complete: errors === 0, resources, unchecked, frameworks, total: frameworks.length };
}

const UNUSED: RuleResult = { applied: 0, failed: 0, waived: 0, undecided: 0 };

function coveredControl({ id, title, rules, unlisted }: CitedControl, results: EvaluatedRules['results']): CoveredControl {
  const counted = rules.map((rule) => ({ rule, ...(results.get(rule) ?? UNUSED) }));
  const sum = (member: 'failed' | 'waived') => counted.reduce((all, count) => all + count[member], 0);
  return {
    id,
    ...(title !== undefined && { title }),
    ...outcomeOf(rules, results),
    rules,
    applied_rules: counted.filter(({ applied }) => applied > 0).map(({ rule }) => rule),
    failing_rules: counted.filter(({ failed }) => failed > 0).map(({ rule }) => rule),
    findings: sum('failed'),
    waived: sum('waived'),
    ...(unlisted && { unlisted }),
  };
}

function outcomeOf(rules: readonly string[], results: EvaluatedRules['results']): Pick<CoveredControl, 'status' | 'reason'> {
  const used = rules.flatMap((rule) => results.get(rule) ?? []);
  if (used.some(({ failed }) => failed > 0)) return { status: 'fail' };
  if (used.length < rules.length) return { status: 'not-checked', reason: 'rule-left-out' };
  if (used.some(({ undecided }) => undecided > 0)) return { status: 'not-checked', reason: 'rule-undecided' };
  return used.some(({ applied }) => applied > 0) ? { status: 'pass' } : { status: 'not-checked', reason: 'nothing-applies' };
}

function countsOf(controls: readonly ControlCompliance[]): FrameworkCompliance['counts'] {
  const count = (wanted: ControlStatus) => controls.filter(({ status }) => status === wanted).length;
  return { pass: count('pass'), fail: count('fail'), not_checked: count('not-checked'), not_covered: count('not-covered') };
}
