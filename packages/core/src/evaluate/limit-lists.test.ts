import { describe, expect, it } from 'vitest';
import type { Comparison } from './compare.js';
import type { EvaluationEvent } from './findings/evaluation.js';
import type { Finding, FindingStatus } from './findings/finding.js';
import { findingBatch } from './findings/finding-json.js';
import { limitComparison, limitEvents } from './limit-lists.js';

const finding = (name: string, severity: Finding['severity'], status: FindingStatus = 'fail'): Finding => ({
  rule_id: 'CS-001',
  category: 'CS',
  severity,
  title: 'T',
  status,
  resource: { api_version: 'v1', kind: 'Pod', namespace: null, name },
  location: null,
  path: '',
  message: 'm',
  fix: 'f',
  frameworks: [],
});

const FINDINGS = [
  finding('low', 'LOW'),
  finding('passes', 'CRITICAL', 'pass'),
  finding('high', 'HIGH'),
  finding('accepted', 'CRITICAL', 'suppressed'),
  finding('broken', 'HIGH', 'error'),
  finding('critical', 'CRITICAL'),
  finding('low too', 'LOW'),
];

const error = (message: string) => ({ code: 'yaml-syntax', message, location: null }) as const;
const END = {
  type: 'end',
  errors: [error('first'), error('second'), error('third')],
  notes: [],
  score: { overall: null, by_category: {}, grade: null, score_without_waivers: null, coverage: 0, low: null, high: null },
  summary: {
    resources: 7,
    unchecked: [],
    rules: 1,
    findings: 4,
    suppressed: 1,
    errors: 4,
    by_severity: { CRITICAL: 1, HIGH: 1, MEDIUM: 0, LOW: 2, INFO: 0 },
    by_category: { CS: 4 },
  },
  more: { compliance: 'as it was' },
} as const satisfies object;

async function* run(): AsyncGenerator<EvaluationEvent> {
  yield { type: 'findings', batch: findingBatch(FINDINGS.slice(0, 3)) };
  yield { type: 'findings', batch: findingBatch(FINDINGS.slice(3)) };
  yield { ...END, errors: [...END.errors], notes: [], summary: { ...END.summary, unchecked: [] } };
}

async function limited(limit: number) {
  const names: string[] = [];
  for await (const event of limitEvents(run(), limit)) {
    if (event.type === 'end') return { names, end: event };
    names.push(...event.batch.findings().map(({ resource }) => resource.name));
  }
  return expect.fail('there is no end');
}

describe('a run with a limit', () => {
  it.each([
    [1, ['critical']],
    [3, ['high', 'broken', 'critical']],
    [4, ['low', 'high', 'broken', 'critical']],
    [5, ['low', 'high', 'broken', 'critical', 'low too']],
    [6, ['low', 'high', 'accepted', 'broken', 'critical', 'low too']],
  ])('of %i keeps the most severe findings in the order of the report', async (limit, expected) => {
    const { names, end } = await limited(limit);
    expect(names).toEqual(expected);
    expect(end.more).toMatchObject({ compliance: 'as it was', truncated: { findings: { shown: limit, total: 7 } } });
    expect(end.summary).toEqual(END.summary);
  });

  it('keeps the first errors', async () => {
    const { end } = await limited(2);
    expect(end.errors).toEqual(END.errors.slice(0, 2));
    expect(end.more).toHaveProperty('truncated.errors', { shown: 2, total: 3 });
  });

  it('that nothing exceeds is the run itself', async () => {
    const { names, end } = await limited(7);
    expect(names).toEqual(FINDINGS.map(({ resource }) => resource.name));
    expect(end).toEqual(END);
  });
});

describe('a comparison with a limit', () => {
  const resource = { api_version: 'v1', kind: 'Pod', namespace: null, name: 'a' };
  const comparison: Comparison = {
    verdict: 'regressed',
    score: { current: 100, proposed: 50, delta: -50 },
    introduced: FINDINGS,
    resolved: FINDINGS.slice(0, 2),
    unchanged: 3,
    not_comparable: 0,
    changes: [1, 2, 3].map((index) => ({ resource, change: 'modified', paths: [`/${index}`] })),
    errors: [error('first')],
    notes: [],
    unchecked: { current: [], proposed: [] },
  };

  it('has at most so many entries in each list, and the same verdict', () => {
    const { introduced, resolved, changes, truncated, ...rest } = limitComparison(comparison, 2);
    expect(introduced.map(({ resource: { name } }) => name)).toEqual(['high', 'critical']);
    expect([resolved.length, changes.map(({ paths }) => paths)]).toEqual([2, [['/1'], ['/2']]]);
    expect(truncated).toEqual({ introduced: { shown: 2, total: 7 }, changes: { shown: 2, total: 3 } });
    expect(rest).toMatchObject({ verdict: 'regressed', unchanged: 3, errors: comparison.errors });
  });

  it('that nothing exceeds is the comparison itself', () => {
    expect(limitComparison(comparison, 7)).toEqual(comparison);
  });
});
