import type { Terminal } from '@bylaw/core/command/output';
import { columnsOf, heading, inColumns, newPage, type Page, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { Ranged } from '../estimate/index.js';
import type { CarbonReport, Grouping, Reduction } from '../report/index.js';
import { hoursText } from '../report/page/page-text.js';
import { numberText as number, signedText as signed } from './number-text.js';

/** Groups that a table shows; the rest are in the other formats. */
const MOST_ROWS = 15;

const MOST_NAMED = 5;

/** Columns of the numbers of a group, and of the bar behind them. */
const NUMBERS = 41;
const BAR = 12;
const LONGEST_NAME = 50;

/** The report for a terminal: totals, groups, change, target, reductions, and what is not covered. */
export function reportText(report: CarbonReport, { width, colour }: Terminal): string {
  const page = newPage({ colour, width: Math.min(width, 120) });
  const { total, title, periods, reductions } = report;
  const hours = periods.reduce((sum, period) => sum + period.hours, 0);
  return [
    page.chalk.bold(`${printable(title)}\n`),
    `${number(total.kg_co2e.central)} kg CO2e in ${hoursText(number(hours))} (90 % range: ${number(total.kg_co2e.p5)} to ${number(total.kg_co2e.p95)}).\n`,
    wrapped(page, `${partsText(report)} ${marketText(report)}`, 0),
    ...(report.sci
      ? [
          wrapped(
            page,
            `SCI (functional unit: ${printable(report.sci.functional_unit)}): ${number(report.sci.value_g)} g CO2e (${number(report.sci.p5)} to ${number(report.sci.p95)}).`,
            0,
          ),
        ]
      : []),
    ...report.scopes.map(({ scope, category, name, kg_co2e: kg }) =>
      wrapped(page, `Scope ${scope}${category === null ? '' : `, category ${category}`}: ${number(kg.central)} kg. ${name}.`, 0),
    ),
    ...report.groups.flatMap((group) => (group.rows.length === 0 ? [] : groupTable(group, page))),
    ...changeText(report, page),
    ...targetText(report, page),
    ...(reductions === null ? [] : reductionTable(reductions, page)),
    ...notCovered(report, page),
    ...report.warnings.map(({ message }) => page.chalk.yellow(wrapped(page, `warning: ${printable(message)}`, 0))),
    page.chalk.dim(wrapped(page, report.attribution.map(printable).join(' '), 0)),
  ].join('');
}

function partsText({ total }: CarbonReport): string {
  return `${number(total.operational.central)} kg from electricity (${number(total.energy_kwh.central)} kWh), ${number(total.embodied.central)} kg embodied in servers.`;
}

function marketText({ total: { market_based: market } }: CarbonReport): string {
  return market === null ? 'Market-based: unknown.' : `Market-based: ${number(market.central)} kg.`;
}

function groupTable({ by, rows }: Grouping, page: Page): string[] {
  const shown = rows.slice(0, MOST_ROWS);
  const dimension = printable(by).replace('tag:', 'tag ').replace('_', ' ');
  const names = shown.map(({ name }) => (name === '' ? `no ${dimension}` : printable(name)));
  const width = Math.min(LONGEST_NAME, page.width - NUMBERS, Math.max(8, ...names.map((name) => columnsOf(name))));
  const room = width + NUMBERS + BAR + 2 <= page.width;
  const most = shown[0]?.kg_co2e.central ?? 0;
  const lines = shown.map(({ kg_co2e: kg, share_percent: share }, index) =>
    [
      inColumns(names[index] ?? '', width),
      number(kg.central).padStart(9),
      ends(kg).padStart(18),
      `${Math.round(share)} %`.padStart(6),
      room && most > 0 ? page.chalk.green('█'.repeat(Math.round((BAR * kg.central) / most))) : '',
    ]
      .join('  ')
      .trimEnd(),
  );
  const head = [' '.repeat(width), 'kg CO2e'.padStart(9), '90 % range'.padStart(18), 'share'.padStart(6)].join('  ');
  const more = rows.length > shown.length ? [page.chalk.dim(`and ${rows.length - shown.length} more, see --json\n`)] : [];
  return [heading(page, `By ${dimension}`), page.chalk.dim(`${head}\n`), ...lines.map((line) => `${line}\n`), ...more];
}

function changeText({ change }: CarbonReport, page: Page): string[] {
  if (change === undefined) return [];
  const { delta_kg_co2e: delta, percent, probability_lower: lower, effects, items } = change;
  const style = delta.central > 0 ? page.chalk.red : page.chalk.green;
  const chance = lower === null ? '' : ` Probability of a decrease: ${Math.round(lower * 100)} %.`;
  const text = `${signed(delta.central)} kg CO2e (${signed(delta.p5)} to ${signed(delta.p95)})${percent === null ? '' : `, ${signed(percent)} %`}.`;
  return [
    heading(page, 'Since the baseline'),
    wrapped(page, `${style(text)}${chance} Items: ${items.new} new, ${items.gone} removed, ${items.both} in both.`, 0),
    wrapped(
      page,
      `Activity ${signed(effects.activity)}, efficiency ${signed(effects.efficiency)}, grid ${signed(effects.grid)}, embodied ${signed(effects.embodied)} kg.`,
      0,
    ),
    ...change.largest
      .slice(0, MOST_NAMED)
      .map(({ id, delta_kg_co2e: kg }) => `${signed(kg).padStart(9)}  ${inColumns(printable(id), page.width - 11).trimEnd()}\n`),
  ];
}

function targetText({ target }: CarbonReport, page: Page): string[] {
  if (target === undefined) return [];
  const chance = target.probability_met === null ? '' : ` Probability of meeting it: ${Math.round(target.probability_met * 100)} %.`;
  const text = target.met
    ? page.chalk.green(`Met: ${number(-target.distance_kg_co2e)} kg below the target of ${number(target.kg_co2e)} kg.`)
    : page.chalk.red(
        `Not met: ${number(target.distance_kg_co2e)} kg above the target of ${number(target.kg_co2e)} kg. Meeting it takes a reduction of ${number(target.required_reduction_percent)} %.`,
      );
  return [heading(page, 'Target'), wrapped(page, `${text}${chance}`, 0)];
}

function reductionTable(reductions: readonly Reduction[], page: Page): string[] {
  if (reductions.length === 0) return [];
  return [
    heading(page, 'Reductions, each estimated separately'),
    ...reductions.map(({ title, delta_kg_co2e: delta, percent_of_total: share, probability_lower: lower }) =>
      wrapped(
        page,
        `${printable(title)}: ${signed(delta.central)} kg (${signed(delta.p5)} to ${signed(delta.p95)}), ${signed(share)} %; ${Math.round(100 * lower)} % probability of a decrease`,
        2,
        undefined,
        '',
      ),
    ),
    '\n',
  ];
}

function notCovered({ unestimated }: CarbonReport, page: Page): string[] {
  if (unestimated.length === 0) return [];
  const shown = unestimated.slice(0, 10).map(({ id, reason }) => wrapped(page, `${printable(id)}: ${printable(reason)}`, 2));
  const more = unestimated.length > 10 ? [`  and ${unestimated.length - 10} more, see --json\n`] : [];
  return ['Not estimated:\n', ...shown, ...more];
}

function ends({ p5, p95 }: Ranged): string {
  return `${number(p5)} – ${number(p95)}`;
}
