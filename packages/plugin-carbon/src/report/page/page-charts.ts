import { barChart, formatNumber, tornado } from '@bylaw/core/chart';
import { plural } from '@bylaw/core/report';
import type { ChartSection } from '@bylaw/core/report/chart-page';
import type { CarbonReport, Change, Grouping, Reduction, TargetResult } from '../types.js';
import { capital, dimensionName, factorName, number, percent, signed, span, text, UNIT } from './page-text.js';

export function groupSection({ by, rows }: Grouping): ChartSection {
  const name = (row: { name: string }) => (row.name === '' ? `no ${dimensionName(by)}` : row.name);
  const title = `By ${dimensionName(by)}`;
  return {
    title,
    chart: barChart({
      title: `Emissions ${title.toLowerCase()}`,
      description: rows
        .slice(0, 10)
        .map((row) => `${name(row)}: ${formatNumber(row.kg_co2e.central)} ${UNIT}.`)
        .join(' '),
      unit: UNIT,
      bars: rows.map((row) => ({
        ...{ name: name(row), value: row.kg_co2e.central, low: row.kg_co2e.p5, high: row.kg_co2e.p95 },
        parts: [
          { name: 'operational', value: row.operational },
          { name: 'embodied', value: row.embodied },
        ],
      })),
    }),
    table: {
      caption: `Emissions in kg CO2e ${title.toLowerCase()}`,
      columns: [
        text(capital(dimensionName(by))),
        number('Items'),
        number('kWh'),
        number('Operational'),
        number('Embodied'),
        number('Total'),
        number('90 % range'),
        number('%'),
      ],
      rows: rows.map((row) => [
        name(row),
        ...[row.items, row.energy_kwh, row.operational, row.embodied, row.kg_co2e.central].map(formatNumber),
        span(row.kg_co2e),
        percent(row.share_percent),
      ]),
    },
  };
}

export function changeSection(
  { baseline_kg_co2e: baseline, delta_kg_co2e: delta, percent: share, effects, items, ...change }: Change,
  now: number,
): ChartSection {
  const steps: [string, number][] = [
    ['activity: amount used', effects.activity],
    ['efficiency: kWh per unit', effects.efficiency],
    ['grid: kg per kWh', effects.grid],
    ['embodied: server manufacturing', effects.embodied],
  ];
  const chance = change.probability_lower === null ? '' : ` Probability of a decrease: ${percent(100 * change.probability_lower)} %.`;
  return {
    title: 'Since the baseline',
    paragraphs: [
      `${signed(delta.central, 'kg CO2e')} (${signed(delta.p5, '')} to ${signed(delta.p95, '')})${share === null ? '' : `, ${signed(share, '%')}`}.${chance} ${plural(items.new, 'item')} new, ${items.gone} removed, ${items.both} in both.`,
    ],
    chart: barChart({
      title: 'From the baseline to now',
      description: `Baseline ${formatNumber(baseline.central)} ${UNIT}. ${steps.map(([name, value]) => `${name} ${signed(value, UNIT)}.`).join(' ')} Now ${formatNumber(now)} ${UNIT}.`,
      unit: UNIT,
      bars: [
        { name: 'baseline', value: baseline.central },
        ...steps.map(([name, value]) => ({ name, value })),
        { name: 'now', value: now },
      ],
    }),
    table: {
      caption: 'Largest changes, in kg CO2e; the four effects add up to the change',
      columns: [text('Item'), number('Activity'), number('Efficiency'), number('Grid'), number('Embodied'), number('Change')],
      rows: [
        ['All items', ...steps.map(([, value]) => signed(value, '')), signed(delta.central, '')],
        ...change.largest.map((item) => [
          item.id,
          ...[item.activity, item.efficiency, item.grid, item.embodied, item.delta_kg_co2e].map((value) => signed(value, '')),
        ]),
      ],
    },
  };
}

export function targetSection(target: TargetResult): ChartSection {
  const chance = target.probability_met === null ? '' : ` Probability of meeting it: ${percent(100 * target.probability_met)} %.`;
  return {
    title: 'Target',
    paragraphs: [
      target.met
        ? `Met: ${formatNumber(-target.distance_kg_co2e)} kg CO2e below the target of ${formatNumber(target.kg_co2e)} kg.${chance}`
        : `Not met: ${formatNumber(target.distance_kg_co2e)} kg CO2e above the target of ${formatNumber(target.kg_co2e)} kg. Meeting it takes a reduction of ${percent(target.required_reduction_percent)} %.${chance}`,
    ],
  };
}

export function reductionSection(reductions: readonly Reduction[]): ChartSection {
  if (reductions.length === 0) return { title: 'Reductions', paragraphs: ['No reduction is very likely to save half a percent or more.'] };
  return {
    title: 'Reductions',
    paragraphs: [
      'Each reduction is estimated separately, on the same sample points as the current state. Reductions overlap, so do not add them up.',
      ...new Set(reductions.map(({ kind, note }) => `${NAMES[kind]}: ${note}`)),
    ],
    chart: barChart({
      title: 'Effect of each reduction',
      description: reductions.map(({ title, delta_kg_co2e: delta }) => `${title}: ${signed(delta.central, UNIT)}.`).join(' '),
      unit: `${UNIT}, compared with now`,
      bars: reductions.map(({ title, delta_kg_co2e: delta }) => ({ name: title, value: delta.central, low: delta.p5, high: delta.p95 })),
    }),
    table: {
      caption: 'Changes in kg CO2e',
      columns: [text('Reduction'), number('Items'), number('Change'), number('90 % range'), number('%'), number('Chance of a decrease')],
      rows: reductions.map(({ title, items, delta_kg_co2e: delta, percent_of_total: share, probability_lower: likely }) => [
        title,
        formatNumber(items.length),
        signed(delta.central, ''),
        `${signed(delta.p5, '')} to ${signed(delta.p95, '')}`,
        signed(share, ''),
        `${percent(100 * likely)} %`,
      ]),
    },
  };
}

const NAMES: { readonly [kind in Reduction['kind']]: string } = {
  region: 'Region',
  arm: 'Arm',
  'right-size': 'Size',
  schedule: 'Working hours',
};

export function uncertaintySection({ uncertainty: { causes }, total }: CarbonReport): ChartSection {
  return {
    title: 'Uncertainty',
    paragraphs: ['The total if one factor is in the lowest or highest tenth of its values, while the other factors vary.'],
    chart: tornado({
      title: 'Largest sources of uncertainty',
      description: causes
        .map(
          ({ factor, low_kg_co2e: low, high_kg_co2e: high }) =>
            `${factorName(factor)}: ${formatNumber(low)} to ${formatNumber(high)} ${UNIT}.`,
        )
        .join(' '),
      unit: UNIT,
      value: total.kg_co2e.central,
      causes: causes.map(({ factor, low_kg_co2e: low, high_kg_co2e: high }) => ({ name: factorName(factor), low, high })),
    }),
    table: {
      caption: 'Total in kg CO2e',
      columns: [text('Factor'), number('Lowest tenth'), number('Highest tenth')],
      rows: causes.map(({ factor, low_kg_co2e: low, high_kg_co2e: high }) => [factorName(factor), formatNumber(low), formatNumber(high)]),
    },
  };
}
