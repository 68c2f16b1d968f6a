import type { Terminal } from '@bylaw/core/command/output';
import type { Comparison, Finding } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/plural';
import { exceptionTexts, placeOf, resourceName, scoreText, uncheckedText } from '@bylaw/core/report';
import { newPage, type Page, severityStyle, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import { type Difference, differenceTitle, differentItems, summaryWords, unknownWords, warningWords } from './differences.js';

/** A comparison for people: what changes, what it introduces and resolves, and the verdict last. */
export function comparisonText(comparison: Comparison, differences: readonly Difference[], terminal: Terminal): string {
  const page = newPage(terminal);
  const { chalk } = page;
  const { introduced, resolved, unchanged, changes, errors, notes, score, verdict } = comparison;
  const changed = changes.map(({ resource, change, paths }) =>
    hanging(`${SIGNS[change]} ${resourceName(resource)}${paths.length > 0 ? chalk.dim(` ${printable(paths.join(' '))}`) : ''}`, 2, page),
  );
  const wrong = errors.map(({ message, location }) => hanging(`${placeOf(location)}: ${printable(message)}`, 2, page));
  return [
    ...section('Changes', changed, page),
    ...section(
      'Introduced',
      introduced.map((finding) => findingLines(finding, page)),
      page,
    ),
    ...section(
      'Resolved',
      resolved.map((finding) => findingLines(finding, page)),
      page,
    ),
    ...section('Could not be read', wrong, page),
    ...section('Not checked', uncheckedLines(comparison, page), page),
    ...section('Undecided', undecidedLines(comparison, page), page),
    ...section(
      'Exceptions',
      exceptionLines(comparison).map((line) => hanging(line, 2, page)),
      page,
    ),
    ...section(
      'Notes',
      notes.map(({ message }) => hanging(printable(message), 2, page)),
      page,
    ),
    ...section(printable(differenceTitle(differences)), differenceLines(comparison, differences, page), page),
    `${introduced.length} introduced, ${resolved.length} resolved, ${unchanged} unchanged.`,
    ...notComparable(comparison),
    `Score ${scoreText(score.current)} → ${scoreText(score.proposed)}. Verdict: ${VERDICTS[verdict](page)}${verdictReason(comparison)}`,
    '',
  ].join('\n');
}

/** Kinds that no rule covers, side by side. */
function uncheckedLines({ unchecked }: Comparison, page: Page): string[] {
  return (['current', 'proposed'] as const).flatMap((side) => {
    const text = uncheckedText({ unchecked: unchecked[side] });
    return text === '' ? [] : [hanging(`${side}: ${text.replace(/^Not checked: /, '')}`, 2, page)];
  });
}

/** Why checks could not be decided, side by side. */
function undecidedLines({ undecided_counts: counts }: Comparison, page: Page): string[] {
  return (['current', 'proposed'] as const).flatMap((side) => {
    const { checks, reasons = [], more_reasons: others = 0 } = counts?.[side] ?? {};
    if (checks === undefined) return [];
    const lines = reasons.map(({ count, message }) => hanging(`${count}: ${printable(message)}`, 4, page));
    return [
      hanging(`${side}: ${plural(checks, 'check')}`, 2, page),
      ...lines,
      ...(others > 0 ? [hanging(`and ${plural(others, 'more reason')}`, 4, page)] : []),
    ];
  });
}

/** What exceptions cover, side by side. */
export function exceptionLines({ exceptions }: Comparison): string[] {
  if (!exceptions) return [];
  return (['current', 'proposed'] as const).flatMap((side) => exceptionTexts(exceptions[side]).map((text) => `${side}: ${text}`));
}

function notComparable({ not_comparable: count }: Comparison): string[] {
  if (count === 0) return [];
  const what = plural(count, 'introduced finding');
  return [`${what} in files that could not be read on the current side may not be new and ${count === 1 ? 'does' : 'do'} not count.`];
}

/** Why the verdict is what it is, if findings do not say it. */
function verdictReason({ verdict, errors, undecided_counts }: Comparison): string {
  if (verdict === 'incomplete') return ', because a part of the proposed side could not be read or evaluated';
  const undecided = undecided_counts?.proposed
    ? `, with ${plural(undecided_counts.proposed.checks, 'check')} of the proposed side undecided`
    : '';
  return errors.length > 0 ? `${undecided}, although a part of the current side could not be read` : undecided;
}

const SIGNS = { added: '+', removed: '-', modified: '~' };

const VERDICTS: { [verdict in Comparison['verdict']]: ({ chalk }: Page) => string } = {
  improved: ({ chalk }) => chalk.green('improved'),
  regressed: ({ chalk }) => chalk.red('regressed'),
  unchanged: () => 'unchanged',
  incomplete: ({ chalk }) => chalk.magenta('incomplete'),
};

function section(name: string, lines: readonly string[], { chalk }: Page): string[] {
  return lines.length === 0 ? [] : [chalk.bold(name), ...lines, ''];
}

/** How many of the largest differences are listed. */
const LISTED = 5;

/** Lines that go on two columns further in. */
function hanging(text: string, indent: number, page: Page, style?: (line: string) => string): string {
  return wrapped(page, text, indent + 2, style, ' '.repeat(indent)).trimEnd();
}

function differenceLines(comparison: Comparison, differences: readonly Difference[], page: Page): string[] {
  const { chalk } = page;
  const items = differentItems(differences);
  const largest = items.slice(0, LISTED).map(({ id, words }) => {
    const amounts = words.flatMap((item) => item?.text ?? []);
    return hanging(printable(`${id}: ${amounts.join(', ')}`), 4, page);
  });
  const rest = items.length - largest.length;
  return [
    ...summaryWords(comparison, differences).map((words) => hanging(printable(words), 2, page)),
    ...largest,
    ...(rest > 0 ? [chalk.dim(`    and ${rest} more`)] : []),
    ...[...unknownWords(differences), ...warningWords(differences)].map((words) => hanging(printable(words), 2, page, chalk.dim)),
  ];
}

function findingLines(finding: Finding, page: Page): string {
  const severity = severityStyle(page, finding.severity)(finding.severity);
  const what = `${finding.rule_id} ${severity} ${resourceName(finding.resource)}: ${printable(finding.message)}`;
  const where = `${page.chalk.dim(placeOf(finding.location))} ${printable(finding.fix)}`;
  return `${hanging(what, 2, page)}\n${hanging(where, 4, page)}`;
}
