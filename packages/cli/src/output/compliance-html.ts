import type { ComplianceMap, ComplianceReport, ControlCompliance, ControlStatus, FrameworkCompliance } from '@bylaw/core/compliance';
import { plural } from '@bylaw/core/report';
import { type ChartSection, type ChartTable, chartPage } from '@bylaw/core/report/chart-page';
import { mappedOf, UNLISTED } from './compliance-text.js';
import { REASONS, STATUS_NAMES, STATUSES, withStatus } from './compliance-words.js';

/** Which rules support which controls, as a page: for each framework the controls that have a rule, then those that have none. */
export function complianceHtml({ frameworks, total }: ComplianceMap, version: string): string {
  const count = (controls: (framework: ComplianceMap['frameworks'][number]) => number) =>
    String(frameworks.reduce((sum, framework) => sum + controls(framework), 0));
  return chartPage({
    title: 'Rules and controls',
    notes: [`bylaw ${version}`],
    tiles: [
      { value: String(total), name: total === 1 ? 'framework' : 'frameworks' },
      { value: count(({ controls }) => controls.length), name: 'controls with a rule' },
      { value: count(({ uncovered }) => uncovered.length), name: 'controls not covered' },
    ],
    sections: frameworks.map(({ id, title, coverage, controls, uncovered }) => ({
      title: `${id}: ${title}`,
      paragraphs: [`${mappedOf(coverage)}, ${plural(coverage.rules, 'rule')}.`],
      tables: [
        {
          caption: `With a rule (${controls.length})`,
          columns: [CONTROL, TITLE, { name: 'Rules', kind: 'text' }],
          rows: controls.map((control) => [control.id, titleOf(control), control.rules.join(' ')]),
        },
        uncoveredTable(uncovered),
      ],
    })),
  });
}

/** What a run says about the controls, as a page: for each framework a table by status, what fails first. */
export function complianceReportHtml({ frameworks, notice, complete, resources }: ComplianceReport, version: string): string {
  const tiles = STATUSES.map((status) => ({
    value: String(frameworks.reduce((sum, { controls }) => sum + withStatus(controls, status).length, 0)),
    name: `controls: ${STATUS_NAMES[status].toLowerCase()}`,
  }));
  const incomplete = 'Incomplete: a part of the input could not be read or evaluated, so a pass is a pass as far as was read.';
  return chartPage({
    title: 'Compliance',
    notes: [`${plural(resources, 'resource')} evaluated by bylaw ${version}.`, ...(complete ? [] : [incomplete]), notice],
    tiles,
    sections: frameworks.map(sectionOf),
  });
}

const CONTROL = { name: 'Control', kind: 'key' } as const;
const TITLE = { name: 'Title', kind: 'text' } as const;

function sectionOf({ id, title, coverage, controls }: FrameworkCompliance): ChartSection {
  return {
    title: `${id}: ${title}`,
    paragraphs: [`${mappedOf(coverage)} ${coverage.controls_mapped === 1 ? 'has' : 'have'} a rule.`],
    tables: STATUSES.map((status) => statusTable(status, controls)),
  };
}

function statusTable(status: ControlStatus, controls: readonly ControlCompliance[]): ChartTable {
  if (status === 'not-covered') return uncoveredTable(withStatus(controls, status));
  const these = withStatus(controls, status);
  const numbers = [
    { name: 'Findings', kind: 'number' },
    { name: 'Waived', kind: 'number' },
  ] as const;
  return {
    caption: `${STATUS_NAMES[status]} (${these.length})`,
    columns: [
      CONTROL,
      TITLE,
      ...(status === 'fail' ? [{ name: 'Failing rules', kind: 'text' } as const] : []),
      ...(status === 'not-checked' ? [{ name: 'Why', kind: 'text' } as const] : []),
      { name: 'Rules', kind: 'text' },
      ...numbers,
    ],
    rows: these.map((control) => [
      control.id,
      titleOf(control),
      ...(status === 'fail' ? [control.failing_rules.join(' ')] : []),
      ...(status === 'not-checked' ? [control.reason === undefined ? '' : REASONS[control.reason]] : []),
      control.rules.join(' '),
      String(control.findings),
      String(control.waived),
    ]),
  };
}

function uncoveredTable(controls: readonly { id: string; title?: string }[]): ChartTable {
  return {
    caption: `${STATUS_NAMES['not-covered']} (${controls.length})`,
    columns: [CONTROL, TITLE],
    rows: controls.map(({ id, title = '' }) => [id, title]),
  };
}

function titleOf({ title = '', unlisted }: { title?: string; unlisted?: true }): string {
  return unlisted ? `${title} (${UNLISTED})`.trim() : title;
}
