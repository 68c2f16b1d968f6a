import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import type { ComplianceReport } from '../compliance/index.js';
import { textInput } from '../resource/index.js';
import { catalogueOf, type LoadedPack, type RuleDetail } from '../rule/index.js';
import { createEngine, type EvaluationRequest } from './engine.js';
import type { Finding } from './findings/finding.js';
import { countFinding, newCounts, sumCounts } from './run/counts.js';

const rule = (id: string, expression: string, frameworks: string[]): RuleDetail => ({
  id,
  category: 'CS',
  severity: 'HIGH',
  title: `Title of ${id}`,
  description: 'Why.',
  targets: ['Pod'],
  logic: [{ targets: ['Pod'], expression }],
  fix: 'Fix it.',
  frameworks,
  references: [],
  peers: [],
  examples: [],
});
const rules = [
  rule('CS-001', 'object.?spec.?hostNetwork.orValue(false) != true', ['OWASP-K8S:K01']),
  rule('CS-002', 'object.?spec.?hostPID.orValue(false) != true', ['OWASP-K8S:K02', 'NSA-K8S']),
  rule('CS-003', 'object.metadata.labels.team == "a"', ['OWASP-K8S:K03']),
];
const pack: LoadedPack = {
  name: 'test',
  settings: {},
  constants: {},
  rules,
  detail: ({ id }) => rules.find((one) => one.id === id) ?? rule(id, 'true', []),
};
const engine = createEngine({ catalogue: catalogueOf([pack], { packs: [], ruleDirs: [] }), clock: fixedClock('2026-01-01') });

async function complianceOf(content: string, more: Partial<EvaluationRequest> = {}): Promise<ComplianceReport> {
  const request = { inputs: [textInput('pods.yaml', content)], threads: 0, includeCompliance: true, ...more };
  for await (const event of engine.evaluate(request)) if (event.type === 'end') return event.more?.['compliance'] as ComplianceReport; // it was asked for
  throw new Error('the run has no end');
}

const statusesOf = (report: ComplianceReport) =>
  Object.fromEntries(
    report.frameworks.flatMap(({ controls }) =>
      controls.filter(({ status }) => status !== 'not-covered').map(({ id, status }) => [id, status]),
    ),
  );

const APP = '{containers: [{name: app, image: app}]}';
const pod = (name: string, spec: string, labels = '{team: a}') =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, labels: ${labels}}, spec: ${spec}}`;

describe('the compliance of a run', () => {
  it('is added to its end on request, and only then', async () => {
    for await (const event of engine.evaluate({ inputs: [textInput('a.yaml', pod('a', APP))], threads: 0 }))
      if (event.type === 'end') expect(event.more).toBeUndefined();
    expect(await complianceOf(pod('a', APP))).toMatchObject({ complete: true, resources: 1, unchecked: 0, total: 2 });
  });

  it('follows the findings of all resources', async () => {
    const report = await complianceOf([pod('a', '{hostNetwork: true}'), pod('b', '{hostNetwork: true}'), pod('c', '{}')].join('\n---\n'));
    expect(statusesOf(report)).toEqual({ K01: 'fail', K02: 'pass', K03: 'pass', 'NSA-K8S': 'pass' });
    expect(report.frameworks[1]?.controls[0]).toMatchObject({ id: 'K01', failing_rules: ['CS-001'], findings: 2, waived: 0 });
  });

  it('passes a control whose findings an exception covers, and counts them', async () => {
    const exceptions = [{ rule: 'CS-001', reason: 'known' }];
    const report = await complianceOf(pod('a', '{hostNetwork: true}'), { exceptions });
    expect(report.frameworks[1]?.controls[0]).toMatchObject({ id: 'K01', status: 'pass', findings: 0, waived: 1 });
  });

  it('does not pass a control whose rule could not be evaluated, and is then incomplete', async () => {
    const report = await complianceOf(`${pod('a', '{}')}\n---\n${pod('b', '{}', '{}')}`);
    expect(report.complete).toBe(false);
    expect(report.frameworks[1]?.controls[2]).toMatchObject({ id: 'K03', status: 'not-checked', reason: 'rule-undecided' });
  });

  it('is incomplete when a document could not be read, and checks nothing where nothing applies', async () => {
    const report = await complianceOf('a: [\n---\n{apiVersion: v1, kind: Service, metadata: {name: a}}');
    expect(report).toMatchObject({ complete: false, resources: 1, unchecked: 1 });
    expect(new Set(Object.values(statusesOf(report)))).toEqual(new Set(['not-checked']));
  });

  it('is about the frameworks of the filter, and knows which rules the filter leaves out', async () => {
    const filtered = await complianceOf(pod('a', '{}'), { filter: { frameworks: ['NSA-K8S'] } });
    expect(filtered.frameworks.map(({ id }) => id)).toEqual(['NSA-K8S']);
    const partial = await complianceOf(pod('a', '{}'), { filter: { excludeRules: ['CS-002'] } });
    expect(statusesOf(partial)).toEqual({ K01: 'pass', K02: 'not-checked', K03: 'pass', 'NSA-K8S': 'not-checked' });
  });
});

describe('counts of several threads', () => {
  it('are the sums of the findings of each rule', () => {
    const counted = (...findings: readonly (readonly [string, Finding['status']])[]) => {
      const counts = newCounts();
      for (const [id, status] of findings) countFinding(counts, { rule_id: id, status, severity: 'LOW', category: 'CS' } as Finding); // what is counted
      return counts;
    };
    const sum = sumCounts([
      counted(['CS-001', 'fail'], ['CS-001', 'suppressed'], ['CS-002', 'pass']),
      counted(['CS-001', 'fail'], ['CS-003', 'error']),
    ]);
    expect(Object.fromEntries(sum.byRule)).toEqual({
      'CS-001': { fail: 2, suppressed: 1, error: 0 },
      'CS-003': { fail: 0, suppressed: 0, error: 1 },
    });
  });
});
