import { barChart } from '@bylaw/core/chart';
import type { Comparison, Finding } from '@bylaw/core/evaluate';
import { placeOf, plural, resourceName, scoreText } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import { exceptionLines } from './comparison-text.js';
import {
  carbonText,
  carbonWords,
  costWords,
  differenceWords,
  type ItemDifference,
  isKnown,
  itemDifferences,
  moneyText,
  signed,
  unknownWords,
  warningsOf,
} from './difference-words.js';

/** A comparison as a page: the verdict, what it does to findings, score, cost and carbon, and what changes. */
export function comparisonPage(comparison: Comparison, { current, proposed }: { current: string; proposed: string }): string {
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
      ...differenceTiles(comparison),
    ],
    sections: [
      ...findingSection('Introduced', introduced),
      ...findingSection('Resolved', resolved),
      ...differenceSections(comparison),
      changeSection(comparison),
      ...uncheckedSection(comparison),
      ...undecidedSection(comparison),
      ...errorSection(comparison),
    ],
  });
}

function differenceTiles({ carbon, cost }: Comparison) {
  return [
    ...(isKnown(cost) && cost.per_item_total > 0 ? [{ value: signed(cost.delta.amount), name: `${cost.delta.currency} per month` }] : []),
    ...(isKnown(carbon) && carbon.per_item_total > 0 ? [{ value: signed(carbon.delta_kg_co2e.central), name: 'kg CO2e per month' }] : []),
  ];
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

/** Cost and carbon each have their chart; the words and what is not known stand once, above them. */
function differenceSections(comparison: Comparison): ChartSection[] {
  const paragraphs = [...differenceWords(comparison), ...unknownWords(comparison), ...warningsOf(comparison)];
  if (paragraphs.length === 0) return [];
  const { carbon, cost } = comparison;
  const sources = [...(isKnown(cost) ? cost.sources : []), ...(isKnown(carbon) ? carbon.sources : [])];
  const items = itemDifferences(comparison);
  return [
    { title: 'Cost and carbon', paragraphs, ...(items.length > 0 && { table: itemTable(items) }) },
    ...(isKnown(cost) && cost.per_item.length > 0
      ? [
          {
            title: 'Cost by resource',
            chart: barChart({
              title: 'Change in monthly cost',
              description: costWords(cost).join(' '),
              unit: `${cost.delta.currency} per month at list prices, proposed minus current`,
              bars: cost.per_item.map(({ id, delta }) => ({ name: id, value: delta.amount, low: delta.low, high: delta.high })),
            }),
          },
        ]
      : []),
    ...(isKnown(carbon) && carbon.per_item.length > 0
      ? [
          {
            title: 'Carbon by resource',
            chart: barChart({
              title: 'Change in monthly emissions',
              description: carbonWords(carbon).join(' '),
              unit: 'kg CO2e per month, proposed minus current, with the 90 % range',
              bars: carbon.per_item.map(({ id, delta_kg_co2e: { p5, central, p95 } }) => ({
                name: id,
                value: central,
                low: p5,
                high: p95,
              })),
            }),
          },
        ]
      : []),
    ...(sources.length > 0 ? [{ title: 'Sources', paragraphs: sources }] : []),
  ];
}

function itemTable(items: readonly ItemDifference[]): NonNullable<ChartSection['table']> {
  return {
    caption: 'Largest monthly differences, proposed minus current',
    columns: [
      { name: 'Resource', kind: 'key' },
      { name: 'Cost at list prices', kind: 'number' },
      { name: 'kg CO2e', kind: 'number' },
    ],
    rows: items.map(({ id, cost, carbon }) => [
      id,
      cost ? `${moneyText(cost)} ${cost.currency}` : 'unknown',
      carbon ? carbonText(carbon) : 'unknown',
    ]),
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
