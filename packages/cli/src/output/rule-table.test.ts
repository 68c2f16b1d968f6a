import { howToInstall } from '@bylaw/core/publication';
import { describe, expect, it } from 'vitest';
import type { RuleList, RuleSummary } from '../rules/rule-list.js';
import { ruleTable } from './rule-table.js';

const rule = (id: string, title: string): RuleSummary => ({
  id,
  category: 'CS',
  severity: 'CRITICAL',
  title,
  targets: ['PodSpec', 'apps/Deployment'],
  frameworks: [],
});

const PLAIN = { width: 80, colour: false };

function listOf(...rules: RuleSummary[]): RuleList {
  return { rules, total: rules.length, installed: rules.length, not_installed: [] };
}

const long = rule('CS-002', 'A title that is so long that no narrow terminal has the room to show all of it on one line');

describe('the table of rules', () => {
  it.each([60, 80, 100, 140, 200])('fits a terminal of %i columns', (width) => {
    const table = ruleTable(listOf(rule('CS-001', 'Short'), long), { width, colour: false });
    const [head, ...lines] = table.split('\n').slice(0, 3);
    expect(head).toMatch(/^ID {6}SEVERITY {2}TITLE/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines[0]).toContain('CS-001  CRITICAL  Short');
  });

  it('cuts nothing where there is no terminal', () => {
    const table = ruleTable(listOf(long), { width: Number.POSITIVE_INFINITY, colour: false });
    expect(table).toContain(long.title);
    expect(table).toContain('PodSpec, apps/Deployment');
  });

  it('shows the title of a custom rule without what would steer the terminal', () => {
    const table = ruleTable(listOf(rule('ORG-001', 'a\u001b[2Jb\nc')), { width: 80, colour: false });
    expect(table).toContain('ab c');
    expect(table).not.toContain('\u001b');
  });

  it('says when nothing matches', () => {
    expect(ruleTable({ ...listOf(), installed: 3 }, PLAIN)).toBe('No rules match.\n');
  });

  it('says which category has no rule here, and where its rules come from', () => {
    const note = `No rules of category NS (Network) are installed. The rules of NS belong to @bylaw/plugin-k8s, which is not installed or does not have them yet. ${howToInstall(['@bylaw/plugin-k8s'])}\n`;
    expect(ruleTable({ ...listOf(), not_installed: ['NS'] }, PLAIN)).toBe(note);
    expect(ruleTable({ ...listOf(), installed: 3, not_installed: ['NS'] }, PLAIN)).toBe(`No rules match.\n${note}`);
    expect(ruleTable({ ...listOf(long), not_installed: ['NS'] }, PLAIN)).toMatch(/shows a rule in full\.\nNo rules of category NS/);
  });
});
