import { barChart, formatNumber } from '@bylaw/core/chart';
import { plural } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import type { Ranged } from '../../estimate/index.js';
import type { MadeReport } from '../report.js';
import type { CarbonReport } from '../types.js';
import { changeSection, groupSection, reductionSection, targetSection, uncertaintySection } from './page-charts.js';
import { factorName, hoursText, key, number, percent, signed, span, text, UNIT } from './page-text.js';

/** The report as one page: charts with their tables, and all that is needed to evaluate the figures. */
export function reportPage({ report }: MadeReport): string {
  const { total, title, engine, input_digest: digest, change, target, reductions, uncertainty } = report;
  return chartPage({
    title,
    notes: [periodNote(report), `bylaw ${engine.version}, input ${digest}`],
    tiles: [
      {
        value: `${formatNumber(total.kg_co2e.central)} kg`,
        name: `CO2e (90 % range: ${span(total.kg_co2e)})`,
      },
      { value: `${formatNumber(total.energy_kwh.central)} kWh`, name: 'electricity' },
      ...(report.sci
        ? [{ value: `${formatNumber(report.sci.value_g)} g`, name: `CO2e per functional unit (SCI): ${report.sci.functional_unit}` }]
        : []),
      ...(change ? [{ value: signed(change.delta_kg_co2e.central, 'kg'), name: 'since the baseline' }] : []),
      ...(target ? [{ value: target.met ? 'met' : 'not met', name: `target of ${formatNumber(target.kg_co2e)} kg` }] : []),
    ],
    sections: [
      totals(report),
      ...(report.periods.length > 1 ? [periodsSection(report)] : []),
      ...report.groups.filter(({ rows }) => rows.length > 0).map(groupSection),
      ...(report.top_items.length > 0 ? [topItems(report)] : []),
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
  return `${dates}${hoursText(formatNumber(hours))}, ${plural(items, 'item')}.`;
}

function totals({ total, scopes }: CarbonReport): ChartSection {
  const row = (name: string, { p5, central, p95 }: Ranged) => [name, ...[central, p5, p95].map(formatNumber)];
  return {
    title: 'Totals',
    paragraphs: scopes.map(({ scope, category, name, kg_co2e: kg, market_based_kg_co2e: market }) => {
      const range = kg.p5 === null || kg.p95 === null ? '' : ` (${formatNumber(kg.p5)} to ${formatNumber(kg.p95)})`;
      const bought = market === null ? '' : `, market-based ${formatNumber(market)} kg`;
      return `Scope ${scope}${category === null ? '' : `, category ${category}`}: ${name}: ${formatNumber(kg.central)} kg CO2e${range}${bought}.`;
    }),
    table: {
      caption: 'Energy in kWh and emissions in kg CO2e, with 90 % ranges',
      columns: [text('Quantity'), number('Estimate'), number('From'), number('To')],
      rows: [
        row('All emissions', total.kg_co2e),
        row('Operational: electricity', total.operational),
        row('Embodied: server manufacturing', total.embodied),
        row('Operational, location-based', total.location_based),
        total.market_based === null
          ? ['Operational, market-based', 'unknown', '', '']
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
      description: periods.map((period) => `${name(period)}: ${formatNumber(period.kg_co2e.central)} ${UNIT}.`).join(' '),
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
        ...[period.hours, period.items, period.energy_kwh.central, period.kg_co2e.central].map(formatNumber),
        span(period.kg_co2e),
      ]),
    },
  };
}

function topItems({ top_items: items }: CarbonReport): ChartSection {
  return {
    title: 'Largest items',
    table: {
      caption: 'The ten items with the highest emissions, in kg CO2e',
      columns: [text('Item'), key('Region'), key('Type'), number('kWh'), number('kg CO2e'), number('90 % range'), number('%')],
      rows: items.map((item) => [
        ...[item.id, item.region, item.instance_type ?? '', formatNumber(item.energy_kwh), formatNumber(item.kg_co2e.central)],
        span(item.kg_co2e),
        percent(item.share_percent),
      ]),
    },
  };
}

function background({ method, factors, unestimated, not_counted: notCounted, attribution, warnings }: CarbonReport): ChartSection[] {
  return [
    { title: 'Method', paragraphs: method },
    {
      title: 'Factors',
      table: {
        caption: 'Factors used in the calculation, and their sources',
        columns: [text('Factor'), number('Value'), key('Quality'), text('Source'), key('Year'), key('Licence')],
        rows: factors.map(({ name, least, most, class: kind, source, year, licence }) => [
          factorName(name),
          least === most ? formatNumber(least) : `${formatNumber(least)} to ${formatNumber(most)}`,
          ...[kind, source, year === null ? '' : String(year), licence ?? ''],
        ]),
      },
    },
    {
      title: 'Not covered',
      paragraphs: notCounted,
      table: {
        caption: 'Parts of the input that could not be estimated',
        columns: [text('Item'), text('Reason')],
        rows: unestimated.map(({ id, reason }) => [id, reason]),
      },
    },
    ...(warnings.length > 0 ? [{ title: 'Warnings', paragraphs: warnings.map(({ message }) => message) }] : []),
    { title: 'Data', paragraphs: attribution },
  ];
}
