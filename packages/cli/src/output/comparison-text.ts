import type { Terminal } from '@bylaw/core/command/output';
import type { Comparison, Finding } from '@bylaw/core/evaluate';
import { placeOf, resourceName, scoreText } from '@bylaw/core/report';
import { newPage, type Page, severityStyle } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';

/** A comparison for people: what changes, what it introduces and resolves, and the verdict last. */
export function comparisonText(comparison: Comparison, terminal: Terminal): string {
  const page = newPage(terminal);
  const { chalk } = page;
  const { introduced, resolved, unchanged, changes, errors, score, verdict } = comparison;
  const changed = changes.map(
    ({ resource, change, paths }) =>
      `  ${SIGNS[change]} ${resourceName(resource)}${paths.length > 0 ? chalk.dim(` ${printable(paths.join(' '))}`) : ''}`,
  );
  const wrong = errors.map(({ message, location }) => `  ${placeOf(location)}: ${printable(message)}`);
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
    `${introduced.length} introduced, ${resolved.length} resolved, ${unchanged} unchanged.`,
    `Score ${scoreText(score.current)} → ${scoreText(score.proposed)}. Verdict: ${VERDICTS[verdict](page)}${errors.length > 0 ? RESERVATION : ''}`,
    '',
  ].join('\n');
}

/** What could not be read may hold findings of either side. */
const RESERVATION = ', as far as both sides could be read';

const SIGNS = { added: '+', removed: '-', modified: '~' };

const VERDICTS: { [verdict in Comparison['verdict']]: ({ chalk }: Page) => string } = {
  improved: ({ chalk }) => chalk.green('improved'),
  regressed: ({ chalk }) => chalk.red('regressed'),
  unchanged: () => 'unchanged',
};

function section(name: string, lines: readonly string[], { chalk }: Page): string[] {
  return lines.length === 0 ? [] : [chalk.bold(name), ...lines, ''];
}

function findingLines(finding: Finding, page: Page): string {
  const severity = severityStyle(page, finding.severity)(finding.severity);
  return `  ${finding.rule_id} ${severity} ${resourceName(finding.resource)}: ${printable(finding.message)}\n    ${page.chalk.dim(placeOf(finding.location))} ${printable(finding.fix)}`;
}
