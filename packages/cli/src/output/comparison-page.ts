import type { Comparison, Finding } from '@bylaw/core/evaluate';
import { placeOf, plural, resourceName, scoreText } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import { exceptionLines } from './comparison-text.js';
import {
  type Difference,
  type DifferentItem,
  differenceTitle,
  differentItems,
  summaryWords,
  unknownWords,
  warningWords,
} from './differences.js';

/** A comparison as a page: the verdict, what it does to findings, to the score and to what plugins compare, and what changes. */
export async function comparisonPage(
  comparison: Comparison,
  differences: readonly Difference[],
  { current, proposed }: { current: string; proposed: string },
): Promise<string> {
  const { verdict, score, introduced, resolved, errors, notes } = comparison;
  return chartPage({
    title: `Proposed change: ${verdict}`,
    notes: [
      `${proposed} compared with ${current}${errors.length > 0 ? '; a part of the input could not be read or evaluated' : ''}`,
      ...notes.map(({ message }) => message),
      ...exceptionLines(comparison),
    ],
    tiles: [
      { value: `${scoreText(score.current)} → ${scoreText(score.proposed)}`, name: 'score out of 100' },
      { value: `+${introduced.length} -${resolved.length}`, name: 'findings' },
      ...differences.flatMap(({ words }) => words?.tile ?? []),
    ],
    sections: [
      ...findingSection('Introduced', introduced),
      ...findingSection('Resolved', resolved),
      ...(await differenceSections(comparison, differences)),
      changeSection(comparison),
      ...uncheckedSection(comparison),
      ...undecidedSection(comparison),
      ...errorSection(comparison),
    ],
  });
}

function findingSection(title: string, findings: readonly Finding[]): ChartSection[] {
  if (findings.length === 0) return [];
  return [
    {
      title,
      table: {
        caption: plural(findings.length, 'finding'),
        columns: [
          { name: 'Rule', kind: 'key' },
          { name: 'Severity', kind: 'key' },
          { name: 'Resource', kind: 'text' },
          { name: 'Message', kind: 'text' },
          { name: 'Location', kind: 'text' },
        ],
        rows: findings.map(({ rule_id, severity, resource, message, location }) => [
          rule_id,
          severity,
          resourceName(resource),
          message,
          placeOf(location),
        ]),
      },
    },
  ];
}

/** The words and what is not known stand once, above what each plugin has to show. */
async function differenceSections(comparison: Comparison, differences: readonly Difference[]): Promise<ChartSection[]> {
  const paragraphs = [...summaryWords(comparison, differences), ...unknownWords(differences), ...warningWords(differences)];
  if (paragraphs.length === 0) return [];
  const sources = differences.flatMap(({ words }) => words?.sources ?? []);
  const items = differentItems(differences);
  const charts = await Promise.all(differences.map(async ({ words, value, view }) => (words && (await view.charts?.(value))) ?? []));
  return [
    { title: differenceTitle(differences), paragraphs, ...(items.length > 0 && { table: itemTable(items, differences) }) },
    ...charts.flat(),
    ...(sources.length > 0 ? [{ title: 'Sources', paragraphs: sources }] : []),
  ];
}

function itemTable(items: readonly DifferentItem[], differences: readonly Difference[]): NonNullable<ChartSection['table']> {
  return {
    caption: `Largest ${differences.every(({ view }) => view.monthly) ? 'monthly ' : ''}differences, proposed minus current`,
    columns: [{ name: 'Resource', kind: 'key' }, ...differences.map(({ view }) => ({ name: view.column, kind: 'number' as const }))],
    rows: items.map(({ id, words }) => [id, ...words.map((item, at) => item?.cell ?? item?.text ?? differences[at]?.view.missing ?? '–')]),
  };
}

function changeSection({ changes }: Comparison): ChartSection {
  if (changes.length === 0) return { title: 'Changes', paragraphs: ['No resources differ.'] };
  return {
    title: 'Changes',
    table: {
      caption: plural(changes.length, 'resource'),
      columns: [
        { name: 'Change', kind: 'key' },
        { name: 'Resource', kind: 'key' },
        { name: 'Changed fields', kind: 'text' },
      ],
      rows: changes.map(({ change, resource, paths }) => [change, resourceName(resource), paths.join(' ')]),
    },
  };
}

function uncheckedSection({ unchecked }: Comparison): ChartSection[] {
  const rows = (['current', 'proposed'] as const).flatMap((side) => unchecked[side].map(({ kind, count }) => [side, kind, String(count)]));
  if (rows.length === 0) return [];
  return [
    {
      title: 'Not checked',
      table: {
        caption: 'Resources of kinds that no rule covers',
        columns: [
          { name: 'Side', kind: 'key' },
          { name: 'Kind', kind: 'text' },
          { name: 'Resources', kind: 'number' },
        ],
        rows,
      },
    },
  ];
}

function undecidedSection({ undecided_counts: counts }: Comparison): ChartSection[] {
  if (counts === undefined) return [];
  const rows = (['current', 'proposed'] as const).flatMap((side) =>
    (counts[side]?.reasons ?? []).map(({ count, message }) => [side, message, String(count)]),
  );
  return [
    {
      title: 'Undecided',
      table: {
        caption: 'Checks that could not be decided, with the most frequent reasons',
        columns: [
          { name: 'Side', kind: 'key' },
          { name: 'Reason', kind: 'text' },
          { name: 'Checks', kind: 'number' },
        ],
        rows,
      },
    },
  ];
}

function errorSection({ errors }: Comparison): ChartSection[] {
  if (errors.length === 0) return [];
  return [{ title: 'Could not be read', paragraphs: errors.map(({ message, location }) => `${placeOf(location)}: ${message}`) }];
}
