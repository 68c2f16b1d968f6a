import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEVERITIES, type Severity } from '../rule/rule.js';
import { computeScore, gradeOf, type ScoredRule, scoreOf } from './score.js';
import { mergeTally, newTally, type Outcome, record, recordResource, type Tally } from './tally.js';

let serial = 0;

function rule(category: string, severity: Severity, failed: number, more: Partial<ScoredRule> = {}): ScoredRule {
  serial += 1;
  return {
    rule_id: `${category}-${String(serial).padStart(3, '0')}`,
    category,
    severity,
    failed,
    waived: 0,
    applicable: Math.max(failed, 1),
    ...more,
  };
}

function scoreRules(...rules: ScoredRule[]) {
  return computeScore({ rules, resources: 1, found: 1 });
}

describe('the worked numbers of the design', () => {
  it('one CRITICAL rule on one resource: category 77.9, overall capped at 69', () => {
    expect(scoreRules(rule('CS', 'CRITICAL', 1))).toEqual({
      overall: 69,
      by_category: { CS: 77.9 },
      grade: 'D',
      score_without_waivers: 69,
      coverage: 1,
      low: 69,
      high: 69,
    });
  });

  it('one HIGH rule on one resource: category 90.5, overall capped at 89', () => {
    const score = scoreRules(rule('CS', 'HIGH', 1));
    expect(score.by_category).toEqual({ CS: 90.5 });
    expect(score.overall).toBe(89);
  });

  it('four categories with 2 HIGH, 5 MEDIUM and 5 LOW each: 63.8, overall 48.4', () => {
    const rules = ['CS', 'SP', 'NS', 'AC'].flatMap((category) => [
      ...Array.from({ length: 2 }, () => rule(category, 'HIGH', 1)),
      ...Array.from({ length: 5 }, () => rule(category, 'MEDIUM', 1)),
      ...Array.from({ length: 5 }, () => rule(category, 'LOW', 1)),
    ]);
    const score = scoreRules(...rules);
    expect(score.by_category).toEqual({ CS: 63.8, SP: 63.8, NS: 63.8, AC: 63.8 });
    expect(score.overall).toBe(48.4);
    expect(score.grade).toBe('F');
  });

  it('damps copies: the penalty doubles from one to 32 failing resources, and stays there', () => {
    expect(scoreRules(rule('CS', 'MEDIUM', 32)).by_category).toEqual(
      scoreRules(rule('CS', 'MEDIUM', 1), rule('CS', 'MEDIUM', 1)).by_category,
    );
    expect(scoreRules(rule('CS', 'MEDIUM', 100_000)).by_category).toEqual(scoreRules(rule('CS', 'MEDIUM', 32)).by_category);
  });
});

describe('what a score is silent about', () => {
  it('gives null, never 100, for a category whose rules applied to nothing', () => {
    const score = scoreRules(rule('CS', 'LOW', 0), rule('SP', 'HIGH', 0, { applicable: 0 }));
    expect(score.by_category).toEqual({ CS: 100, SP: null });
    expect(score.overall).toBe(100);
  });

  it('gives no overall score where no rule applied to anything', () => {
    expect(scoreRules(rule('CS', 'LOW', 0, { applicable: 0 }))).toMatchObject({ overall: null, grade: null, low: null, high: null });
    expect(computeScore({ rules: [], resources: 0, found: 0 })).toEqual({
      overall: null,
      by_category: {},
      grade: null,
      score_without_waivers: null,
      coverage: 1,
      low: null,
      high: null,
    });
  });

  it('gives no score at all where less than half of the resources could be evaluated', () => {
    const rules = [rule('CS', 'LOW', 0)];
    expect(computeScore({ rules, resources: 49, found: 100 })).toMatchObject({ overall: null, by_category: { CS: null }, coverage: 0.49 });
    expect(computeScore({ rules, resources: 50, found: 100 })).toMatchObject({ overall: 100, by_category: { CS: 100 }, coverage: 0.5 });
  });

  it('says coverage 1 only where everything was evaluated', () => {
    expect(computeScore({ rules: [], resources: 99_999, found: 100_000 }).coverage).toBe(0.9999);
  });
});

describe('waivers and unknown values', () => {
  it('leaves a waived CRITICAL out of the score and its cap, and shows the score without the waiver beside it', () => {
    expect(scoreRules(rule('CS', 'CRITICAL', 0, { waived: 1 }))).toMatchObject({ overall: 100, grade: 'A', score_without_waivers: 69 });
  });

  it('gives the range that values unknown at plan time leave open', () => {
    expect(scoreRules(rule('AWS', 'HIGH', 0, { applicable: 3, unknown: 2 }))).toMatchObject({ overall: 100, low: 89, high: 100 });
  });

  it('gives no score to what is undecided throughout, because silence is not a pass', () => {
    const open = rule('AWS', 'HIGH', 0, { applicable: 2, unknown: 2 });
    expect(scoreRules(open)).toMatchObject({ overall: null, by_category: { AWS: null }, grade: null, low: null, high: null });
    expect(scoreRules(open, rule('GCP', 'LOW', 0))).toMatchObject({
      overall: 100,
      by_category: { AWS: null, GCP: 100 },
      low: 89,
      high: 100,
    });
  });

  it('grades by the rounded score', () => {
    expect([100, 90, 89.9, 80, 79.9, 70, 69.9, 50, 49.9, 0, null].map(gradeOf)).toEqual([
      'A',
      'A',
      'B',
      'B',
      'C',
      'C',
      'D',
      'D',
      'F',
      'F',
      null,
    ]);
  });
});

const RULES = SEVERITIES.flatMap((severity, i) =>
  ['CS', 'SP', 'custom'].map((category) => ({ id: `${category}-00${i}`, category, severity })),
);
const outcome = fc.record({ rule: fc.constantFrom(...RULES), outcome: fc.constantFrom<Outcome>('pass', 'waived', 'fail') });
const resource = fc.uniqueArray(outcome, { selector: (j) => j.rule.id, maxLength: 6 });
type Resource = { rule: { id: string }; outcome: Outcome }[];

function tallyOf(resources: Resource[]): Tally {
  const tally = newTally();
  for (const outcomes of resources) {
    recordResource(tally);
    for (const { rule, outcome } of outcomes) record(tally, rule.id, outcome);
  }
  return tally;
}

function scores(resources: Resource[]): (number | null)[] {
  const score = scoreOf(tallyOf(resources), RULES);
  return [score.overall, score.score_without_waivers, score.low, ...Object.values(score.by_category)];
}

/** Pairs where both are known: a category that did not apply has no score to compare. */
function expectNowhereHigher(after: (number | null)[], before: (number | null)[]): void {
  before.forEach((value, i) => {
    const then = after[i] ?? null;
    if (value !== null && then !== null) expect(then).toBeLessThanOrEqual(value);
  });
}

describe('the score of a run', () => {
  it('never rises when a resource is added', () => {
    fc.assert(
      fc.property(fc.array(resource), resource, (resources, added) => {
        expectNowhereHigher(scores([...resources, added]), scores(resources));
      }),
      { numRuns: 10_000 },
    );
  });

  it('never falls when a resource is fixed', () => {
    fc.assert(
      fc.property(fc.array(resource, { minLength: 1 }), fc.nat(), (resources, at) => {
        const index = at % resources.length;
        const fixed = resources.with(
          index,
          (resources[index] ?? []).map((outcome) => ({ ...outcome, outcome: 'pass' })),
        );
        expectNowhereHigher(scores(resources), scores(fixed));
      }),
      { numRuns: 10_000 },
    );
  });

  it('is the same however its resources are split into files or workers, and in any order of rules', () => {
    fc.assert(
      fc.property(fc.array(resource), fc.nat(), (resources, at) => {
        const cut = resources.length === 0 ? 0 : at % resources.length;
        const merged = mergeTally(tallyOf(resources.slice(cut)), tallyOf(resources.slice(0, cut)));
        expect(scoreOf(merged, RULES.toReversed())).toEqual(scoreOf(tallyOf(resources), RULES));
      }),
      { numRuns: 10_000 },
    );
  });

  it('stays between 0 and 100, with low <= overall <= high and no gain from ending a waiver', () => {
    fc.assert(
      fc.property(fc.array(resource, { minLength: 1, maxLength: 60 }), (resources) => {
        const { overall, low, high, score_without_waivers } = scoreOf(tallyOf(resources), RULES);
        if (overall === null || low === null || high === null || score_without_waivers === null) return;
        expect(low).toBeLessThanOrEqual(overall);
        expect(overall).toBeLessThanOrEqual(high);
        expect(score_without_waivers).toBeLessThanOrEqual(overall);
        expect(score_without_waivers).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(100);
      }),
      { numRuns: 10_000 },
    );
  });
});
