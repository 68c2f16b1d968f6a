import { complianceMap, complianceReport, type RuleResult } from '@bylaw/core/compliance';
import { describe, expect, it } from 'vitest';
import { complianceCsv, complianceReportCsv } from './compliance-csv.js';
import { compliancePage, complianceReportPage } from './compliance-page.js';
import { complianceReportText } from './compliance-report-text.js';
import { complianceText } from './compliance-text.js';

const TERMINAL = { width: 120, colour: false };
const CLEAN: RuleResult = { applied: 2, failed: 0, waived: 0, undecided: 0 };

const RULES = [
  { id: 'CS-001', frameworks: ['OWASP-K8S:K01', 'MITRE-ATTACK:T1611'] },
  { id: 'CS-002', frameworks: ['OWASP-K8S:K01', 'OWASP-K8S:K02', 'OWASP-K8S'] },
  { id: 'CS-003', frameworks: ['OWASP-K8S:K03'] },
];
const MAP = complianceMap(RULES);
const REPORT = complianceReport({
  rules: RULES,
  results: new Map([
    ['CS-001', { ...CLEAN, failed: 3 }],
    ['CS-002', { ...CLEAN, waived: 1 }],
  ]),
  resources: 2,
  unchecked: 1,
  errors: 1,
});

/** Frameworks and controls of a custom rule may have any name. */
const HOSTILE = ['=cmd|calc!A1', '<script>alert(1)</script>', '\u001b[31mred', '"quoted", \r\nand broken'];
const HOSTILE_RULES = HOSTILE.map((name, i) => ({ id: `X-00${i}`, frameworks: [`${name}:${name}`] }));
const HOSTILE_MAP = complianceMap(HOSTILE_RULES);
const HOSTILE_REPORT = complianceReport({ rules: HOSTILE_RULES, results: new Map(), resources: 0, unchecked: 0, errors: 0 });

describe('compliance as text', () => {
  it('says of each framework how many of its controls have a rule', () => {
    const text = complianceText(MAP, false, TERMINAL);
    expect(text).toContain('MITRE-ATTACK  MITRE ATT&CK, Enterprise techniques (1 control, 1 rule)\n');
    expect(text).toContain('OWASP-K8S     OWASP Kubernetes Top Ten (3 of 10 controls, 3 rules)\n');
  });

  it('lists the controls that have a rule, and those that have none', () => {
    const text = complianceText(complianceMap(RULES, ['OWASP-K8S']), true, TERMINAL);
    expect(text).toContain('3 of 10 controls have a rule; 3 rules in total.\n\nK01  Insecure Workload Configurations\n  CS-001 CS-002\n');
    expect(text).toContain('OWASP-K8S  (cited as a whole, or not a control of this edition)\n  CS-002\n');
    expect(text).toContain('Not covered (7)\n  K04  Lack of Centralized Policy Enforcement\n');
  });

  it('of a run is a table of counts, with what a pass is not and that the run is incomplete', () => {
    const text = complianceReportText(REPORT, false, TERMINAL);
    const rows = text.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows).toContainEqual(['Framework', 'Fail', 'Pass', 'Not checked', 'Not covered', 'Controls']);
    expect(rows).toContainEqual(['MITRE-ATTACK', '1', '0', '0', '–', '–']);
    expect(rows).toContainEqual(['OWASP-K8S', '1', '2', '1', '7', '10']);
    expect(text).toContain('2 resources evaluated, 1 of a kind that no rule covers.');
    expect(text.replaceAll('\n', ' ')).toContain('Incomplete: a part of the input could not be read or evaluated');
    expect(text.replaceAll('\n', ' ')).toContain('That is not the same as meeting the control');
  });

  it('of a run tells control by control what fails, why others are not checked, and what is not covered', () => {
    const text = complianceReportText(REPORT, true, TERMINAL);
    expect(text).toContain(
      'Fail (1)\n  K01  Insecure Workload Configurations\n      3 findings of CS-001; 1 finding waived; other rules that applied: CS-002\n',
    );
    expect(text).toContain('      not all of its rules were used; rules that did not apply: CS-003\n');
    expect(text).toContain('Not covered (7)\n  K04  ');
    expect(text.replaceAll('\n', ' ')).toContain('That is not the same as meeting the control');
  });

  it('shows no character that a terminal would obey', () => {
    const texts = [true, false].flatMap((withControls) => [
      complianceText(HOSTILE_MAP, withControls, TERMINAL),
      complianceReportText(HOSTILE_REPORT, withControls, TERMINAL),
    ]);
    for (const text of texts) expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('says so where no rule maps to a framework', () => {
    expect(complianceText(complianceMap([]), false, TERMINAL)).toBe('None of the installed rules maps to a framework.\n');
  });
});

describe('compliance as CSV', () => {
  it('has a row per control, covered or not', () => {
    const rows = complianceCsv(MAP).split('\r\n');
    expect(rows[0]).toBe('framework,version,control,title,status,rules');
    expect(rows).toContain('OWASP-K8S,2022,K01,Insecure Workload Configurations,covered,CS-001 CS-002');
    expect(rows).toContain('OWASP-K8S,2022,K10,Outdated and Vulnerable Kubernetes Components,not-covered,');
    expect(rows).toHaveLength(1 + 1 + 11 + 1);
  });

  it('of a run has the status of each control', () => {
    const rows = complianceReportCsv(REPORT).split('\r\n');
    expect(rows[0]).toBe('framework,version,control,title,status,rules,applied_rules,failing_rules,findings,waived,reason');
    expect(rows).toContain('OWASP-K8S,2022,K01,Insecure Workload Configurations,fail,CS-001 CS-002,CS-001 CS-002,CS-001,3,1,');
    expect(rows).toContain('OWASP-K8S,2022,K03,Overly Permissive RBAC Configurations,not-checked,CS-003,,,0,0,rule-left-out');
    expect(rows).toContain('OWASP-K8S,2022,K04,Lack of Centralized Policy Enforcement,not-covered,,,,0,0,');
  });

  it('opens no cell with what a spreadsheet would compute', () => {
    for (const csv of [complianceCsv(HOSTILE_MAP), complianceReportCsv(HOSTILE_REPORT)]) {
      expect(csv).toContain("'=cmd|calc!A1");
      expect(csv).not.toMatch(/(^|[,"\n])[=+\-@]/);
    }
  });
});

describe('compliance as a page', () => {
  it('shows each framework with its controls, covered or not', () => {
    const page = compliancePage(MAP, '1.2.3');
    for (const part of ['OWASP-K8S: OWASP Kubernetes Top Ten', '3 of 10 controls have a rule', 'Not covered (7)', 'CS-001 CS-002'])
      expect(page).toContain(part);
  });

  it('of a run shows the counts, what fails, why others are not checked, and what a pass is not', () => {
    const page = complianceReportPage(REPORT, '1.2.3');
    for (const part of ['<b>2</b> controls: fail', '<b>7</b> controls: not covered', 'Fail (1)', 'not all of its rules were used'])
      expect(page).toContain(part);
    expect(page).toContain('That is not the same as meeting the control');
    expect(page).toContain('2 resources evaluated, 1 of a kind that no rule covers.');
    expect(page).toContain('Incomplete: ');
  });

  it('lets no name break out of its place', () => {
    for (const page of [compliancePage(HOSTILE_MAP, '1'), complianceReportPage(HOSTILE_REPORT, '1')]) {
      expect(page).toContain('&lt;script&gt;');
      expect(page).not.toContain('<script');
      expect(page).not.toContain('\u001b');
    }
  });
});
