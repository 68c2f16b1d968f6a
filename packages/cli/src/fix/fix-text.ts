import { plural, resourceName } from '@bylaw/core/report';
import { heading, type Page, padded, severityStyle, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { FixedFinding, FixOutcome, UnfixedFinding } from './fix-files.js';

/** Places that are listed for one reason. */
const MOST_PLACES = 3;

/** Columns for a count. */
const INDENT = 10;

/** What was fixed, rule by rule, and what was not and why. Empty where no rule with a fix found anything. */
export function fixText(
  { fixed, unfixed, files, tests }: FixOutcome,
  page: Page,
  { dryRun, verbose }: { dryRun: boolean; verbose: boolean },
): string {
  const done = dryRun ? 'Would be fixed' : 'Fixed';
  const headline =
    fixed.length === 0 ? '' : heading(page, page.chalk.green(`${done}: ${plural(fixed.length, 'finding')} in ${plural(files, 'file')}`));
  return (
    headline +
    fixedRows(fixed, page) +
    testSection(tests, page) +
    unfixedSection(unfixed, page, verbose ? Number.POSITIVE_INFINITY : MOST_PLACES)
  );
}

function fixedRows(fixed: readonly FixedFinding[], page: Page): string {
  return byCount(Map.groupBy(fixed, ({ rule_id }) => rule_id))
    .map(([finding, all]) => {
      const severity = severityStyle(page, finding.severity)(padded(finding.severity, 8));
      return `${String(all.length).padStart(INDENT - 2)}  ${severity}  ${padded(printable(finding.rule_id), 7)}  ${printable(finding.title)}\n`;
    })
    .join('');
}

/** What can go wrong with what was fixed. */
function testSection(tests: FixOutcome['tests'], page: Page): string {
  if (tests.length === 0) return '';
  const rows = tests.map(({ rule_id, test }) =>
    wrapped(page, printable(test), INDENT, undefined, `  ${padded(printable(rule_id), INDENT - 2)}`),
  );
  return heading(page, page.chalk.yellow('Test before rollout')) + rows.join('');
}

function unfixedSection(unfixed: readonly UnfixedFinding[], page: Page, mostPlaces: number): string {
  if (unfixed.length === 0) return '';
  const groups = byCount(Map.groupBy(unfixed, ({ reason }) => reason));
  const rows = groups.map(([{ reason }, all]) => {
    const rules = byCount(Map.groupBy(all, ({ rule_id }) => rule_id)).map(
      ([{ rule_id }, same]) => `${printable(rule_id)} (${same.length})`,
    );
    const places = [...new Set(all.map(({ file, resource }) => `${printable(file)}: ${resourceName(resource)}`))];
    const more = places.length > mostPlaces ? [`… and ${plural(places.length - mostPlaces, 'more resource')}`] : [];
    return (
      wrapped(page, printable(reason), INDENT, undefined, `${String(all.length).padStart(INDENT - 2)}  `) +
      wrapped(page, rules.join(', '), INDENT) +
      [...places.slice(0, mostPlaces), ...more].map((place) => wrapped(page, place, INDENT, page.chalk.dim)).join('')
    );
  });
  return heading(page, page.chalk.yellow(`Not fixed: ${plural(unfixed.length, 'finding')}`)) + rows.join('');
}

/** The first of each group and the group, the largest group first. */
function byCount<T extends FixedFinding>(groups: Map<string, T[]>): [T, T[]][] {
  return [...groups.values()]
    .flatMap((all): [T, T[]][] => (all[0] ? [[all[0], all]] : []))
    .sort(([a, x], [b, y]) => y.length - x.length || (a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : 0));
}
