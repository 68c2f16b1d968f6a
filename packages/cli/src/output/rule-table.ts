import type { Terminal } from '@bylaw/core/command/output';
import { categoriesText, packagesOf } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/plural';
import { newPage, type Page, padded, severityStyle } from '@bylaw/core/report/page';
import { printable, shorten } from '@bylaw/core/report/printable';
import type { RuleList, RuleSummary } from '../rules/rule-list.js';

const GAP = '  ';
const SEVERITY = 'SEVERITY';
const TARGETS = 'TARGETS';

/** Titles narrower than this would say nothing. */
const NARROWEST_TITLE = 24;

/** One line per rule: identifier, severity, title, and the targets where the terminal is wide enough for them. */
export function ruleTable({ rules, total, installed, not_installed: missing }: RuleList, terminal: Terminal): string {
  const note = missing.length === 0 ? '' : `No rules of ${categoriesText(missing)} are installed. ${packagesOf(missing)}\n`;
  if (installed === 0) return note || 'No rules are installed.\n';
  if (total === 0) return `No rules match.\n${note}`;
  const page = newPage(terminal);
  const columns = columnsFor(rules, terminal.width);
  const head = [
    padded('ID', columns.id),
    padded(SEVERITY, SEVERITY.length),
    padded('TITLE', columns.title),
    columns.targets > 0 ? TARGETS : '',
  ];
  const lines = rules.map((rule) => line(rule, columns, page));
  return `${page.chalk.bold(head.join(GAP).trimEnd())}\n${lines.join('\n')}\n\n${plural(total, 'rule')}. \`bylaw rules --id ID\` shows a rule in full.\n${note}`;
}

interface Columns {
  id: number;
  title: number;
  /** 0: no room for them. */
  targets: number;
}

function columnsFor(rules: readonly RuleSummary[], width: number): Columns {
  const id = Math.max(...rules.map((rule) => rule.id.length));
  const left = width - id - SEVERITY.length - 2 * GAP.length;
  const longest = Math.max(...rules.map((rule) => rule.title.length));
  const title = Math.max(NARROWEST_TITLE, Math.min(longest, left));
  const targets = left - title - GAP.length;
  return { id, title, targets: targets < TARGETS.length ? 0 : targets };
}

function line(rule: RuleSummary, columns: Columns, page: Page): string {
  const severity = severityStyle(page, rule.severity)(padded(rule.severity, SEVERITY.length));
  const title = shorten(printable(rule.title), columns.title);
  const start = [padded(rule.id, columns.id), severity].join(GAP);
  if (columns.targets === 0) return `${start}${GAP}${title}`;
  return [start, padded(title, columns.title), page.chalk.dim(shorten(printable(rule.targets.join(', ')), columns.targets))].join(GAP);
}
