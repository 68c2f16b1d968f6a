import type {
  ComplianceMap,
  ComplianceReport,
  ControlCompliance,
  ControlStatus,
  CoveredControl,
  FrameworkCompliance,
} from '@bylaw/core/compliance';
import { type ChartSection, type ChartTable, chartPage } from '@bylaw/core/report/chart-page';
import { mappedSentence, UNLISTED } from './compliance-text.js';
import { extentOf, REASONS, STATUS_NAMES, STATUSES, withStatus } from './compliance-words.js';

/** Which rules support which controls, as a page: for each framework the controls that have a rule, then those that do not have one. */
export function compliancePage({ frameworks, total }: ComplianceMap, version: string): string {
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
      paragraphs: [mappedSentence(coverage)],
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
export function complianceReportPage(report: ComplianceReport, version: string): string {
  const { frameworks, notice } = report;
  const tiles = STATUSES.map((status) => ({
    value: String(frameworks.reduce((sum, { controls }) => sum + withStatus(controls, status).length, 0)),
    name: `controls: ${STATUS_NAMES[status].toLowerCase()}`,
  }));
  return chartPage({
    title: 'Compliance',
    notes: [...extentOf(report), notice, `bylaw ${version}`],
    tiles,
    sections: frameworks.map(sectionOf),
  });
}

const CONTROL = { name: 'Control', kind: 'key' } as const;
const TITLE = { name: 'Title', kind: 'text' } as const;

function sectionOf({ id, title, coverage, controls }: FrameworkCompliance): ChartSection {
  return {
    title: `${id}: ${title}`,
    paragraphs: [mappedSentence(coverage)],
    tables: STATUSES.map((status) => statusTable(status, controls)),
  };
}

function statusTable(status: ControlStatus, controls: readonly ControlCompliance[]): ChartTable {
  if (status === 'not-covered') return uncoveredTable(withStatus(controls, status));
  const these = withStatus(controls, status);
  const columns: Column[] = [
    { name: 'Control', kind: 'key', of: ({ id }) => id },
    { name: 'Title', kind: 'text', of: titleOf },
    ...MORE_COLUMNS[status],
    { name: 'Rules that applied', kind: 'text', of: ({ applied_rules: applied }) => applied.join(' ') },
    {
      name: 'Other rules',
      kind: 'text',
      of: ({ rules, applied_rules: applied }) => rules.filter((rule) => !applied.includes(rule)).join(' '),
    },
    { name: 'Waived', kind: 'number', of: ({ waived }) => String(waived) },
  ];
  return {
    caption: `${STATUS_NAMES[status]} (${these.length})`,
    columns,
    rows: these.map((control) => columns.map(({ of }) => of(control))),
  };
}

type Column = ChartTable['columns'][number] & { of: (control: CoveredControl) => string };

const MORE_COLUMNS: { readonly [status in CoveredControl['status']]: readonly Column[] } = {
  fail: [
    { name: 'Findings', kind: 'number', of: ({ findings }) => String(findings) },
    { name: 'Failing rules', kind: 'text', of: ({ failing_rules: failing }) => failing.join(' ') },
  ],
  'not-checked': [{ name: 'Reason', kind: 'text', of: ({ reason }) => (reason === undefined ? '' : REASONS[reason]) }],
  pass: [],
};

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
