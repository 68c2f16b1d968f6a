import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complianceMap } from './compliance-map.js';
import { type ComplianceReport, complianceReport, type EvaluatedRules, type RuleResult } from './compliance-report.js';

const CLEAN: RuleResult = { applied: 2, failed: 0, waived: 0, undecided: 0 };
const FAILING: RuleResult = { ...CLEAN, failed: 3 };
const IDLE: RuleResult = { ...CLEAN, applied: 0 };

const RULES = [
  { id: 'CS-001', frameworks: ['OWASP-K8S:K01', 'SLSA-1.0:BUILD-L1', 'K8S-DOCS:pods'] },
  { id: 'CS-002', frameworks: ['OWASP-K8S:K01', 'OWASP-K8S:K02'] },
  { id: 'CS-003', frameworks: ['OWASP-K8S:K03', 'NSA-K8S'] },
];

function reportOf(results: { [rule: string]: RuleResult }, more: Partial<EvaluatedRules> = {}): ComplianceReport {
  return complianceReport({ rules: RULES, results: new Map(Object.entries(results)), resources: 2, unchecked: 1, errors: 0, ...more });
}

function controlOf(report: ComplianceReport, framework: string, id: string) {
  return report.frameworks.find((one) => one.id === framework)?.controls.find((control) => control.id === id);
}

describe('the status of a control', () => {
  it('is `pass` when a rule that supports it applied, and all of them found nothing', () => {
    const report = reportOf({ 'CS-001': CLEAN, 'CS-002': IDLE, 'CS-003': IDLE });
    expect(controlOf(report, 'OWASP-K8S', 'K01')).toEqual({
      id: 'K01',
      title: 'Insecure Workload Configurations',
      status: 'pass',
      rules: ['CS-001', 'CS-002'],
      applied_rules: ['CS-001'],
      failing_rules: [],
      findings: 0,
      waived: 0,
    });
  });

  it('is `fail` when one of its rules has a failing finding, whatever else is known', () => {
    const report = reportOf({ 'CS-001': { ...FAILING, undecided: 1 }, 'CS-002': { ...CLEAN, waived: 4 } });
    expect(controlOf(report, 'OWASP-K8S', 'K01')).toMatchObject({ status: 'fail', failing_rules: ['CS-001'], findings: 3, waived: 4 });
  });

  it('is not `fail` for findings that an exception covers, which are counted', () => {
    const report = reportOf({ 'CS-001': CLEAN, 'CS-002': { ...CLEAN, waived: 2 }, 'CS-003': IDLE });
    expect(controlOf(report, 'OWASP-K8S', 'K02')).toMatchObject({ status: 'pass', findings: 0, waived: 2 });
  });

  it('is `not-checked` when its rules apply to nothing', () => {
    const report = reportOf({ 'CS-001': CLEAN, 'CS-002': CLEAN, 'CS-003': IDLE });
    expect(controlOf(report, 'OWASP-K8S', 'K03')).toMatchObject({ status: 'not-checked', reason: 'nothing-applies' });
  });

  it('is `not-checked` when a rule could not be evaluated everywhere', () => {
    const report = reportOf({ 'CS-001': CLEAN, 'CS-002': { ...CLEAN, undecided: 1 }, 'CS-003': IDLE });
    expect(controlOf(report, 'OWASP-K8S', 'K01')).toMatchObject({ status: 'not-checked', reason: 'rule-undecided' });
  });

  it('is `not-checked` when the run left one of its rules out', () => {
    const report = reportOf({ 'CS-001': CLEAN });
    expect(controlOf(report, 'OWASP-K8S', 'K01')).toMatchObject({ status: 'not-checked', reason: 'rule-left-out' });
    expect(controlOf(report, 'SLSA-1.0', 'BUILD-L1')).toMatchObject({ status: 'pass' });
  });

  it('is `not-covered` when no installed rule supports it', () => {
    expect(controlOf(reportOf({}), 'OWASP-K8S', 'K07')).toEqual({
      id: 'K07',
      title: 'Missing Network Segmentation Controls',
      status: 'not-covered',
    });
  });
});

describe('a report', () => {
  it('counts the controls of each framework, and says what a pass is not', () => {
    const report = reportOf({ 'CS-001': FAILING, 'CS-002': CLEAN, 'CS-003': IDLE });
    expect(report.notice).toContain('not the same as meeting the control');
    expect(report).toMatchObject({ complete: true, resources: 2, unchecked: 1, total: 3 });
    expect(report.frameworks.map(({ id, coverage, counts }) => ({ id, ...coverage, ...counts }))).toEqual([
      { id: 'NSA-K8S', controls_mapped: 1, controls_total: null, rules: 1, pass: 0, fail: 0, not_checked: 1, not_covered: 0 },
      { id: 'OWASP-K8S', controls_mapped: 3, controls_total: 10, rules: 3, pass: 1, fail: 1, not_checked: 1, not_covered: 7 },
      { id: 'SLSA-1.0', controls_mapped: 1, controls_total: 3, rules: 1, pass: 0, fail: 1, not_checked: 0, not_covered: 2 },
    ]);
  });

  it('says that it is incomplete when something could not be read', () => {
    expect(reportOf({}, { errors: 1 }).complete).toBe(false);
  });

  it('leaves mere references out unless they are asked for', () => {
    expect(reportOf({}).frameworks.map(({ id }) => id)).toEqual(['NSA-K8S', 'OWASP-K8S', 'SLSA-1.0']);
    expect(reportOf({}, { frameworks: ['K8S-DOCS', 'OWASP-K8S:K01'] }).frameworks).toMatchObject([
      { id: 'K8S-DOCS', coverage: { controls_total: null } },
      { id: 'OWASP-K8S', controls: [{ id: 'K01' }], coverage: { controls_mapped: 1, controls_total: 1 } },
    ]);
  });

  it('refuses a framework that no rule maps to', () => {
    expect(() => reportOf({}, { frameworks: ['SOC2'] })).toThrow(expect.objectContaining({ code: 'framework-unknown' }));
  });
});

describe('for any rules and results, a report', () => {
  const reference = fc.constantFrom(
    ...['OWASP-K8S:K01', 'OWASP-K8S:K02', 'OWASP-K8S:K99', 'OWASP-K8S', 'SLSA-1.0:BUILD-L2', 'PSS-BASELINE', 'PSS-BASELINE:hostPorts'],
    ...['NSA-K8S', 'NIST-800-53:AC-6', 'NIST-800-53:AC-6(5)', 'ACME-1.0:a', 'CVE-2023-2878', '__proto__:constructor'],
  );
  const count = fc.nat({ max: 3 });
  const result = fc.record({ applied: count, failed: count, waived: count, undecided: fc.constantFrom(0, 0, 0, 1) });
  const run = fc.array(fc.record({ frameworks: fc.uniqueArray(reference), result: fc.option(result, { nil: undefined }) }), {
    maxLength: 6,
  });
  const evaluated = (rows: readonly { frameworks: string[]; result: RuleResult | undefined }[]): EvaluatedRules => ({
    rules: rows.map(({ frameworks }, i) => ({ id: `CS-${i}`, frameworks })),
    results: new Map(rows.flatMap((row, i) => (row.result ? [[`CS-${i}`, row.result] as const] : []))),
    resources: 1,
    unchecked: 0,
    errors: 0,
  });

  it('gives every control of the map exactly one status, and the counts add up', () => {
    fc.assert(
      fc.property(run, (rows) => {
        const input = evaluated(rows);
        const map = new Map(complianceMap(input.rules).frameworks.map((framework) => [framework.id, framework]));
        for (const { id, controls, counts, coverage } of complianceReport(input).frameworks) {
          const mapped = map.get(id);
          const expected = [...(mapped?.controls ?? []), ...(mapped?.uncovered ?? [])].map((control) => control.id);
          expect(controls.map((control) => control.id).sort()).toEqual(expected.sort());
          expect(counts.pass + counts.fail + counts.not_checked + counts.not_covered).toBe(controls.length);
          expect(counts.not_covered).toBe(mapped?.uncovered.length);
          expect(coverage).toEqual(mapped?.coverage);
          const unlisted = controls.filter((control) => 'unlisted' in control).length;
          if (coverage.controls_total !== null) expect(controls.length - unlisted).toBe(coverage.controls_total);
        }
      }),
    );
  });

  it('passes no more controls when there is one more finding, and fails no fewer', () => {
    const sum = (report: ComplianceReport, status: 'pass' | 'fail') =>
      report.frameworks.reduce((all, { counts }) => all + counts[status], 0);
    fc.assert(
      fc.property(run, fc.nat(), (rows, chosen) => {
        const before = complianceReport(evaluated(rows));
        const more = rows.map((row, i) =>
          row.result && i === chosen % rows.length ? { ...row, result: { ...row.result, failed: row.result.failed + 1 } } : row,
        );
        const after = complianceReport(evaluated(more));
        expect(sum(after, 'pass')).toBeLessThanOrEqual(sum(before, 'pass'));
        expect(sum(after, 'fail')).toBeGreaterThanOrEqual(sum(before, 'fail'));
      }),
    );
  });
});
