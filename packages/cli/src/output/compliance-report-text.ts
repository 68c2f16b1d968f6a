import type { Terminal } from '@bylaw/core/command/output';
import type {
  ComplianceReport,
  ControlCompliance,
  ControlStatus,
  CoveredControl,
  FrameworkCompliance,
  NotCheckedReason,
} from '@bylaw/core/compliance';
import { plural } from '@bylaw/core/report';
import { type Page, padded, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import { controlLines, mappedSentence, terminalPage, titleAfter, UNLISTED } from './compliance-text.js';
import { extentOf, REASONS, STATUS_NAMES, STATUSES, withStatus } from './compliance-words.js';

/** The counts of each framework, or if some were asked for, their controls by status: what fails first. */
export function complianceReportText(report: ComplianceReport, withControls: boolean, terminal: Terminal): string {
  const page = terminalPage(terminal);
  if (report.total === 0) return 'None of the installed rules maps to a framework.\n';
  const body = withControls
    ? report.frameworks.map((framework) => controlsOf(framework, page)).join('\n')
    : countsTable(report.frameworks, page);
  return `${body}\n${wrapped(page, closing(report, withControls), 0)}`;
}

function closing(report: ComplianceReport, withControls: boolean): string {
  const hint = withControls ? [] : ['--framework NAME lists the controls of one framework.'];
  return [...extentOf(report), report.notice, ...hint].join(' ');
}

const COLUMNS = ['Fail', 'Pass', 'Not checked', 'Not covered', 'Controls'] as const;

/** A dash where it is not known how many controls the framework has. */
function countsTable(frameworks: readonly FrameworkCompliance[], page: Page): string {
  const widest = Math.max(...frameworks.map(({ id }) => printable(id).length), 'Framework'.length);
  const row = (name: string, cells: readonly string[]) =>
    `${padded(name, widest)}${cells.map((cell, i) => `  ${cell.padStart(COLUMNS[i]?.length ?? 0)}`).join('')}`;
  const lines = frameworks.map(({ id, counts, coverage: { controls_total: total } }) => {
    const known = total === null ? ['–', '–'] : [String(counts.not_covered), String(total)];
    return `${row(printable(id), [String(counts.fail), String(counts.pass), String(counts.not_checked), ...known])}\n`;
  });
  return `${page.chalk.dim(row('Framework', COLUMNS))}\n${lines.join('')}`;
}

function controlsOf({ id, title, coverage, controls }: FrameworkCompliance, page: Page): string {
  const parts = STATUSES.map((status) => statusPart(status, controls, page));
  return `${page.chalk.bold(printable(id))}  ${printable(title)}\n${wrapped(page, mappedSentence(coverage), 0)}${parts.join('')}`;
}

function statusPart(status: ControlStatus, controls: readonly ControlCompliance[], page: Page): string {
  const these = withStatus(controls, status);
  if (these.length === 0) return '';
  const style = { fail: page.chalk.red, pass: page.chalk.green, 'not-checked': page.chalk.yellow, 'not-covered': page.chalk.dim }[status];
  const lines = these.map((control) => (control.status === 'not-covered' ? '' : coveredLines(control, page))).join('');
  return `\n${page.chalk.bold(style(`${STATUS_NAMES[status]} (${these.length})`))}\n${status === 'not-covered' ? controlLines(these, page) : lines}`;
}

function coveredLines(control: CoveredControl, page: Page): string {
  const { rules, applied_rules: applied, failing_rules: failing, findings, waived, reason, unlisted } = control;
  const quiet = applied.filter((rule) => !failing.includes(rule));
  const idle = rules.filter((rule) => !applied.includes(rule) && !failing.includes(rule));
  const said = [
    failing.length > 0 ? `${plural(findings, 'finding')} of ${failing.join(', ')}` : '',
    waived > 0 ? `${plural(waived, 'finding')} waived` : '',
    quiet.length > 0 ? `${failing.length > 0 ? 'other rules' : 'rules'} that applied: ${quiet.join(', ')}` : '',
    reason === undefined ? '' : REASONS[reason] + (reason === 'nothing-applies' ? `: ${idle.join(', ')}` : ''),
    idle.length > 0 && reason !== 'nothing-applies' ? idleText(idle, reason) : '',
    unlisted ? UNLISTED : '',
  ].filter((part) => part !== '');
  return `${wrapped(page, `${printable(control.id)}${titleAfter(control)}`, 2)}${wrapped(page, said.join('; '), 6, page.chalk.dim)}`;
}

/** Rules that say nothing about the input: the status of their control rests on the others. */
function idleText(idle: readonly string[], reason: NotCheckedReason | undefined): string {
  return reason === undefined ? `${plural(idle.length, 'other rule')} checked nothing` : `rules that did not apply: ${idle.join(', ')}`;
}
