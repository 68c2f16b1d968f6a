import { amountText, barChart, tornado } from '@bylaw/core/chart';
import { plural } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import type { Ranged } from '../estimate/index.js';
import type { MadeReport } from './report.js';
import type { CarbonReport, Change, Grouping, Reduction, TargetResult } from './types.js';

const UNIT = 'kg CO2e';

const text = (name: string) => ({ name, kind: 'text' }) as const;
const key = (name: string) => ({ name, kind: 'key' }) as const;
const number = (name: string) => ({ name, kind: 'number' }) as const;

/** The report as one page: charts with their tables, and all that is needed to judge the figures. */
export function reportPage({ report }: MadeReport): string {
  const { total, title, engine, input_digest: digest, change, target, reductions, uncertainty } = report;
  return chartPage({
    title,
    notes: [periodNote(report), `bylaw ${engine.version}, input ${digest}`],
    tiles: [
      { value: `${amountText(total.kg_co2e.central)} kg`, name: `CO2e, 90 % between ${span(total.kg_co2e)}` },
      { value: `${amountText(total.energy_kwh.central)} kWh`, name: 'of electricity' },
      ...(change ? [{ value: signed(change.delta_kg_co2e.central, 'kg'), name: 'since the baseline' }] : []),
      ...(target ? [{ value: target.met ? 'met' : 'not met', name: `target of ${amountText(target.kg_co2e)} kg` }] : []),
    ],
    sections: [
      totals(report),
      ...(report.periods.length > 1 ? [periodsSection(report)] : []),
      ...report.groups.map(groupSection),
      topItems(report),
      ...(change ? [changeSection(change, total.kg_co2e.central)] : []),
      ...(target ? [targetSection(target)] : []),
      ...(reductions !== null ? [reductionSection(reductions)] : []),
      ...(uncertainty.causes.length > 0 ? [uncertaintySection(report)] : []),
      ...background(report),
    ],
  });
}

function periodNote({ periods }: CarbonReport): string {
  const [first, last] = [periods[0], periods.at(-1)];
  const hours = periods.reduce((sum, period) => sum + period.hours, 0);
  const items = periods.reduce((sum, period) => sum + period.items, 0);
  const dates = first?.start && last?.end ? `From ${first.start} to ${last.end}: ` : '';
  return `${dates}${amountText(hours)} hours, ${plural(items, 'item')}.`;
}

function totals({ total, scopes }: CarbonReport): ChartSection {
  const row = (name: string, { p5, central, p95 }: Ranged) => [name, ...[central, p5, p95].map(amountText)];
  return {
    title: 'Totals',
    paragraphs: scopes.map(({ scope, category, name, kg_co2e: kg, market_based_kg_co2e: market }) => {
      const range = kg.p5 === null || kg.p95 === null ? '' : ` (${amountText(kg.p5)} to ${amountText(kg.p95)})`;
      const bought = market === null ? '' : `, market-based ${amountText(market)} kg`;
      return `Scope ${scope}${category === null ? '' : `, category ${category}`}: ${name}: ${amountText(kg.central)} kg CO2e${range}${bought}.`;
    }),
    table: {
      caption: 'Energy in kWh, emissions in kg CO2e; the range holds nine cases in ten',
      columns: [text('What'), number('Estimate'), number('From'), number('To')],
      rows: [
        row('All emissions', total.kg_co2e),
        row('Operational: electricity', total.operational),
        row('Embodied: making of servers', total.embodied),
        row('Operational, location-based', total.location_based),
        total.market_based === null
          ? ['Operational, market-based', 'not known', '', '']
          : row('Operational, market-based', total.market_based),
        row('Electricity, in kWh', total.energy_kwh),
      ],
    },
  };
}

function periodsSection({ periods }: CarbonReport): ChartSection {
  const name = ({ start, end }: CarbonReport['periods'][number]) => `${start ?? ''} to ${end ?? ''}`;
  return {
    title: 'Periods',
    chart: barChart({
      title: 'Emissions by period',
      description: periods.map((period) => `${name(period)}: ${amountText(period.kg_co2e.central)} ${UNIT}.`).join(' '),
      unit: UNIT,
      bars: periods.map((period) => ({
        name: name(period),
        value: period.kg_co2e.central,
        low: period.kg_co2e.p5,
        high: period.kg_co2e.p95,
      })),
    }),
    table: {
      caption: 'Emissions in kg CO2e and electricity in kWh',
      columns: [text('Period'), number('Hours'), number('Items'), number('kWh'), number('kg CO2e'), number('90 % range')],
      rows: periods.map((period) => [
        name(period),
        ...[period.hours, period.items, period.energy_kwh.central, period.kg_co2e.central].map(amountText),
        span(period.kg_co2e),
      ]),
    },
  };
}

function groupSection({ by, rows }: Grouping): ChartSection {
  const name = (row: { name: string }) => (row.name === '' ? `no ${dimensionName(by)}` : row.name);
  const title = `By ${dimensionName(by)}`;
  return {
    title,
    chart: barChart({
      title: `Emissions ${title.toLowerCase()}`,
      description: rows
        .slice(0, 10)
        .map((row) => `${name(row)}: ${amountText(row.kg_co2e.central)} ${UNIT}.`)
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
        ...[row.items, row.energy_kwh, row.operational, row.embodied, row.kg_co2e.central].map(amountText),
        span(row.kg_co2e),
        percent(row.share_percent),
      ]),
    },
  };
}

function topItems({ top_items: items }: CarbonReport): ChartSection {
  return {
    title: 'Largest items',
    table: {
      caption: 'The ten that emit most, in kg CO2e',
      columns: [text('Item'), key('Region'), key('Type'), number('kWh'), number('kg CO2e'), number('90 % range'), number('%')],
      rows: items.map((item) => [
        ...[item.id, item.region, item.instance_type ?? '', amountText(item.energy_kwh), amountText(item.kg_co2e.central)],
        span(item.kg_co2e),
        percent(item.share_percent),
      ]),
    },
  };
}

function changeSection(
  { baseline_kg_co2e: baseline, delta_kg_co2e: delta, percent: share, effects, items, ...change }: Change,
  now: number,
): ChartSection {
  const steps: [string, number][] = [
    ['activity: more or less of it', effects.activity],
    ['efficiency: kWh per unit', effects.efficiency],
    ['grid: kg per kWh', effects.grid],
    ['embodied: making of servers', effects.embodied],
  ];
  const chance =
    change.probability_lower === null ? '' : ` Less than before with a probability of ${percent(100 * change.probability_lower)} %.`;
  return {
    title: 'Since the baseline',
    paragraphs: [
      `${signed(delta.central, 'kg CO2e')} (${signed(delta.p5, '')} to ${signed(delta.p95, '')})${share === null ? '' : `, ${signed(share, '%')}`}.${chance} ${plural(items.new, 'item')} new, ${items.gone} gone, ${items.both} in both.`,
    ],
    chart: barChart({
      title: 'From the baseline to now',
      description: `Baseline ${amountText(baseline.central)} ${UNIT}. ${steps.map(([name, value]) => `${name} ${signed(value, UNIT)}.`).join(' ')} Now ${amountText(now)} ${UNIT}.`,
      unit: UNIT,
      bars: [
        { name: 'baseline', value: baseline.central },
        ...steps.map(([name, value]) => ({ name, value })),
        { name: 'now', value: now },
      ],
    }),
    table: {
      caption: 'What changed most, in kg CO2e; the four effects add up to the change',
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

function targetSection(target: TargetResult): ChartSection {
  const chance = target.probability_met === null ? '' : ` Met with a probability of ${percent(100 * target.probability_met)} %.`;
  return {
    title: 'Target',
    paragraphs: [
      target.met
        ? `Met: ${amountText(-target.distance_kg_co2e)} kg CO2e below the ${amountText(target.kg_co2e)} kg that were aimed for.${chance}`
        : `Not met: ${amountText(target.distance_kg_co2e)} kg CO2e above the ${amountText(target.kg_co2e)} kg that were aimed for; ${percent(target.required_reduction_percent)} % less would do.${chance}`,
    ],
  };
}

function reductionSection(reductions: readonly Reduction[]): ChartSection {
  if (reductions.length === 0)
    return { title: 'Reductions', paragraphs: ['None was found that would very likely save half a percent or more.'] };
  return {
    title: 'Reductions',
    paragraphs: ['Each alone, estimated on the same points as what runs now. They overlap: do not add them up.'],
    chart: barChart({
      title: 'What reductions would change',
      description: reductions.map(({ title, delta_kg_co2e: delta }) => `${title}: ${signed(delta.central, UNIT)}.`).join(' '),
      unit: `${UNIT}, compared with now`,
      bars: reductions.map(({ title, delta_kg_co2e: delta }) => ({ name: title, value: delta.central, low: delta.p5, high: delta.p95 })),
    }),
    table: {
      caption: 'Changes in kg CO2e, and what they take',
      columns: [text('What'), number('Items'), number('Change'), number('90 % range'), number('%'), number('Likely'), text('Note')],
      rows: reductions.map(({ title, items, delta_kg_co2e: delta, percent_of_total: share, probability_lower: likely, note }) => [
        title,
        amountText(items.length),
        signed(delta.central, ''),
        `${signed(delta.p5, '')} to ${signed(delta.p95, '')}`,
        signed(share, ''),
        `${percent(100 * likely)} %`,
        note,
      ]),
    },
  };
}

function uncertaintySection({ uncertainty: { causes }, total }: CarbonReport): ChartSection {
  const name = (factor: string) => factor.replaceAll('_', ' ');
  return {
    title: 'What is uncertain',
    paragraphs: ['The total where one factor is among its lowest tenth, and among its highest, and the others are as they may be.'],
    chart: tornado({
      title: 'What makes the total uncertain',
      description: causes
        .map(({ factor, low_kg_co2e: low, high_kg_co2e: high }) => `${name(factor)}: ${amountText(low)} to ${amountText(high)} ${UNIT}.`)
        .join(' '),
      unit: UNIT,
      value: total.kg_co2e.central,
      causes: causes.map(({ factor, low_kg_co2e: low, high_kg_co2e: high }) => ({ name: name(factor), low, high })),
    }),
    table: {
      caption: 'Total in kg CO2e',
      columns: [text('Factor'), number('Lowest tenth'), number('Highest tenth')],
      rows: causes.map(({ factor, low_kg_co2e: low, high_kg_co2e: high }) => [name(factor), amountText(low), amountText(high)]),
    },
  };
}

function background({ method, factors, unestimated, not_counted: notCounted, attribution, warnings }: CarbonReport): ChartSection[] {
  return [
    { title: 'Method', paragraphs: method },
    {
      title: 'Factors',
      table: {
        caption: 'What the figures were computed with, and where it comes from',
        columns: [text('Factor'), number('Value'), key('Quality'), text('Source'), key('Year'), key('Licence')],
        rows: factors.map(({ name, least, most, class: kind, source, year, licence }) => [
          name,
          least === most ? amountText(least) : `${amountText(least)} to ${amountText(most)}`,
          ...[kind, source, year === null ? '' : String(year), licence ?? ''],
        ]),
      },
    },
    {
      title: 'Not covered',
      paragraphs: notCounted,
      table: {
        caption: 'What is in the input and could not be estimated',
        columns: [text('Item'), text('Why')],
        rows: unestimated.map(({ id, reason }) => [id, reason]),
      },
    },
    ...(warnings.length > 0 ? [{ title: 'Warnings', paragraphs: warnings.map(({ message }) => message) }] : []),
    { title: 'Data', paragraphs: attribution },
  ];
}

function dimensionName(by: string): string {
  return by.startsWith('tag:') ? `tag ${by.slice(4)}` : by.replaceAll('_', ' ');
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function span({ p5, p95 }: Ranged): string {
  return `${amountText(p5)} to ${amountText(p95)}`;
}

function signed(value: number, unit: string): string {
  return `${value > 0 ? '+' : ''}${amountText(value)}${unit === '' ? '' : ` ${unit}`}`;
}

function percent(value: number): string {
  return value.toFixed(Math.abs(value) < 10 && value !== 0 ? 1 : 0);
}
