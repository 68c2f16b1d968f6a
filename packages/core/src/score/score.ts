import { CATEGORIES, type Rule, type Severity } from '../rule/rule.js';
import { type Tally, uncheckedOf } from './tally.js';

/** The score of a run as command, server and tool give it, members in this order. */
export interface Score {
  /** 0 to 100, or null if less than half of the input could be read, no rule covers any kind in it, or no rule applied to any of it. */
  overall: number | null;
  /** Category code → 0 to 100, or null where no rule of the category applied to any resource, or less than half could be evaluated. */
  by_category: { [category: string]: number | null };
  /** Null without a score, and where fewer than half of the resources are of a kind that a rule covers. */
  grade: 'A' | 'B' | 'C' | 'D' | 'F' | null;
  /** The overall score as if no finding were suppressed. */
  score_without_waivers: number | null;
  /** Resources parsed and evaluated, divided by resources found; 0 to 1. */
  coverage: number;
  /** With every value that is unknown at plan time failing, and passing. Equal to `overall` where nothing is unknown. */
  low: number | null;
  high: number | null;
}

/** One selected rule with the numbers of distinct resources that it evaluated. */
export interface ScoredRule {
  rule_id: string;
  category: string;
  severity: Severity;
  /** Failing, and not covered by an exception. */
  failed: number;
  /** Failing, but covered by an exception. */
  waived: number;
  /** Resources to which the rule applied, whatever came of it. */
  applicable: number;
  /** Not failing, but failing if every value that is unknown at plan time were bad. */
  unknown?: number;
}

export interface ScoreInput {
  /** Every selected rule, those that applied to nothing included. Any order: the result does not depend on it. */
  rules: readonly ScoredRule[];
  /** Resources parsed and evaluated. */
  resources: number;
  /** Resources met, those that could not be read included. */
  found: number;
  /** Those of `resources` whose kind no selected rule covers; 0 when absent. */
  unchecked?: number;
}

/** What a failing rule costs, by severity. */
const WEIGHTS: { [severity in Severity]: number } = { CRITICAL: 40, HIGH: 16, MEDIUM: 6, LOW: 2, INFO: 0 };

/** Demerits at which a category has lost 63 % of its points, and the same for the sum over categories. Fixed per catalogue major version. */
const CATEGORY_SCALE = 80;
const OVERALL_SCALE = 160;

/** The highest overall score beside an unwaived finding of the severity. */
export const SCORE_CAPS: { readonly [severity in Severity]?: number } = { CRITICAL: 69, HIGH: 89 };

const GRADES = [
  [90, 'A'],
  [80, 'B'],
  [70, 'C'],
  [50, 'D'],
  [0, 'F'],
] as const;

/** Below this share of evaluated resources a score would say more about the unread part than about the read one. */
const MIN_COVERAGE = 0.5;

/**
 * The score of a run, 0 to 100, one decimal, higher is better.
 *
 * A rule failing on f > 0 resources costs `weight × min(1, 0.5 + 0.1 log2 f)` demerits. With D the demerits of a category, the category
 * scores `100 exp(-D/80)`, and the whole `100 exp(-Σ 80 (1 - exp(-D/80)) / 160)`, at most 69 beside an unwaived CRITICAL and at most
 * 89 beside a HIGH. Resources that pass do not appear, so a score cannot be raised by adding harmless ones.
 *
 * A category is null where none of its rules applied to anything, or all that they say is undecided, and so is the whole where no category applied: silence is not a
 * pass. Every score is null if less than half of the resources could be read, or if no selected rule covers the kind of any of them. The grade
 * is that of the rounded score; there is none where rules cover the kinds of fewer than half of the resources.
 *
 * Same counts, same bytes: sums run in the order of rule identifiers, scores are rounded to one decimal, half up, and coverage is cut
 * (not rounded) after four decimals, so that 1 means all.
 */
export function computeScore(input: ScoreInput): Score {
  const rules = input.rules.toSorted((a, b) => compare(a.rule_id, b.rule_id));
  const checked = input.resources - (input.unchecked ?? 0);
  const evaluated = (input.found === 0 || input.resources / input.found >= MIN_COVERAGE) && (input.resources === 0 || checked > 0);
  const decided = evaluated ? rules.filter(isDecided) : [];
  const actual = scoresWhere(decided, (rule) => rule.failed);
  const unwaived = scoresWhere(decided, (rule) => rule.failed + rule.waived);
  const worst = actual.overall === null ? NO_SCORES : scoresWhere(rules, (rule) => rule.failed + (rule.unknown ?? 0));
  return {
    overall: actual.overall,
    by_category: Object.fromEntries(categoriesOf(rules).map((category) => [category, actual.byCategory.get(category) ?? null])),
    grade: checked < input.resources * MIN_COVERAGE ? null : gradeOf(actual.overall),
    score_without_waivers: unwaived.overall,
    coverage: input.found === 0 ? 1 : Math.floor((input.resources * 10_000) / input.found) / 10_000,
    low: worst.overall,
    high: actual.overall,
  };
}

/** The score of what a tally counted, for the selected rules. */
export function scoreOf(tally: Tally, rules: readonly ScorableRule[]): Score {
  const { resources, found } = tally;
  return computeScore({ rules: scoredRules(tally, rules), resources, found, unchecked: uncheckedOf(tally) });
}

type ScorableRule = Pick<Rule, 'id' | 'category' | 'severity'>;

/** The selected rules with what a tally counted for each. */
export function scoredRules(tally: Tally, rules: readonly ScorableRule[]): ScoredRule[] {
  return rules.map(({ id, category, severity }) => {
    const count = Object.hasOwn(tally.rules, id) ? tally.rules[id] : undefined;
    return { applicable: 0, failed: 0, waived: 0, unknown: 0, ...count, rule_id: id, category, severity };
  });
}

/** The grade of a score: A from 90, B from 80, C from 70, D from 50, else F. */
export function gradeOf(score: number | null): Score['grade'] {
  if (score === null) return null;
  return GRADES.find(([from]) => score >= from)?.[1] ?? 'F';
}

/** Whether the rule says anything about any resource: to leave all of them open is silence, too. */
function isDecided({ applicable, waived, unknown = 0 }: ScoredRule): boolean {
  return applicable > unknown || waived > 0;
}

interface Scores {
  overall: number | null;
  byCategory: ReadonlyMap<string, number>;
}

const NO_SCORES: Scores = { overall: null, byCategory: new Map() };

/** Overall and category scores where `failing` says on how many resources each rule counts as failing. Rules are in the order of summation. */
function scoresWhere(rules: readonly ScoredRule[], failing: (rule: ScoredRule) => number): Scores {
  const demerits = new Map<string, number>();
  let cap = 100;
  for (const rule of rules) {
    if (rule.applicable === 0) continue;
    const failed = failing(rule);
    demerits.set(rule.category, (demerits.get(rule.category) ?? 0) + demeritsOf({ severity: rule.severity, failed }));
    if (failed > 0) cap = Math.min(cap, SCORE_CAPS[rule.severity] ?? 100);
  }
  if (demerits.size === 0) return NO_SCORES;

  const byCategory = new Map<string, number>();
  let loss = 0;
  for (const [category, sum] of demerits) {
    byCategory.set(category, roundScore(100 * Math.exp(-sum / CATEGORY_SCALE)));
    loss += (CATEGORY_SCALE * (1 - Math.exp(-sum / CATEGORY_SCALE))) / OVERALL_SCALE;
  }
  return { overall: roundScore(Math.min(cap, 100 * Math.exp(-loss))), byCategory };
}

/** What the failing resources of one rule cost. Zero where none fails. */
export function demeritsOf({ severity, failed }: Pick<ScoredRule, 'severity' | 'failed'>): number {
  return WEIGHTS[severity] * penalty(failed);
}

/** Half the weight for the first failing resource, all of it from 32 on: copies of one mistake are not as many mistakes. */
function penalty(failed: number): number {
  return failed === 0 ? 0 : Math.min(1, 0.5 + 0.1 * Math.log2(failed));
}

function roundScore(score: number): number {
  return Math.round(score * 10) / 10;
}

/** The categories of the rules: the catalogue's own in its order, then those of custom packs by name. */
function categoriesOf(rules: readonly ScoredRule[]): string[] {
  const met = new Set(rules.map((rule) => rule.category));
  const own = Object.keys(CATEGORIES).filter((category) => met.has(category));
  const custom = [...met].filter((category) => !Object.hasOwn(CATEGORIES, category)).sort(compare);
  return [...own, ...custom];
}

/** By code units, never by locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
