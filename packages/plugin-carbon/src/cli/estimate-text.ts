import type { Terminal } from '@bylaw/core/command/output';
import { columnsOf, inColumns, newPage, type Page, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { CarbonEstimate, Comparison, EstimatedItem } from '../estimate/index.js';
import { factorName, hoursText } from '../report/page/page-text.js';
import { numberText as number, signedText as signed } from './number-text.js';

/** How many items the table shows; the rest are summed. */
const MOST_ITEMS = 25;

/** Columns of the numbers of an item, and of the bar behind them. */
const NUMBERS = 41;
const BAR = 12;
const LONGEST_NAME = 60;

/** A table of the items, the largest first, the totals with their ranges, what is uncertain, and what is not covered. */
export function estimateText(answer: CarbonEstimate, { width, colour }: Terminal): string {
  const page = newPage({ colour, width: Math.min(width, 120) });
  const { total, period_hours: hours } = answer;
  const bought = total.market_based === null ? '' : ` Market-based: ${number(total.market_based.central)} kg.`;
  return [
    ...itemTable(answer.items, page),
    `${page.chalk.bold(`${number(total.kg_co2e.central)} kg CO2e`)} in ${hoursText(number(hours))} (90 % range: ${number(total.kg_co2e.p5)} to ${number(total.kg_co2e.p95)}).\n`,
    wrapped(
      page,
      `${number(total.operational.central)} kg from electricity (${number(total.energy_kwh.central)} kWh), ${number(total.embodied.central)} kg embodied in servers.${bought}`,
      0,
    ),
    ...(answer.sci
      ? [
          wrapped(
            page,
            `SCI (functional unit: ${printable(answer.sci.functional_unit)}): ${number(answer.sci.value_g)} g CO2e (${number(answer.sci.p5)} to ${number(answer.sci.p95)}).`,
            0,
          ),
        ]
      : []),
    ...(answer.comparison ? comparisonText(answer.comparison, page) : []),
    ...uncertainty(answer, page),
    ...notCovered(answer, page),
    ...(answer.notes ?? []).map((note) => page.chalk.dim(wrapped(page, printable(note), 0))),
    ...answer.warnings.map(({ message }) => page.chalk.yellow(wrapped(page, `warning: ${printable(message)}`, 0))),
    page.chalk.dim(
      wrapped(
        page,
        Object.values(answer.data)
          .map(({ attribution }) => attribution)
          .join(' '),
        0,
      ),
    ),
  ].join('');
}

function itemTable(items: readonly EstimatedItem[], page: Page): string[] {
  const largest = items.toSorted((a, b) => b.kg_co2e.central - a.kg_co2e.central || (a.id < b.id ? -1 : 1));
  const shown = largest.slice(0, MOST_ITEMS);
  const rest = largest.slice(MOST_ITEMS);
  const longest = Math.max(4, ...shown.map(({ id }) => columnsOf(printable(id))));
  const name = Math.min(LONGEST_NAME, page.width - NUMBERS, longest);
  const room = name + NUMBERS + BAR + 2 <= page.width;
  const most = shown[0]?.kg_co2e.central ?? 0;
  const line = ({ id, kg_co2e: kg, energy_kwh: kwh }: EstimatedItem) =>
    [
      inColumns(printable(id), name),
      right(number(kg.central), 9),
      right(`${number(kg.p5)} – ${number(kg.p95)}`, 17),
      right(number(Object.values(kwh).reduce((sum, part) => sum + part, 0)), 9),
      room && most > 0 ? page.chalk.green('█'.repeat(Math.round((BAR * kg.central) / most))) : '',
    ]
      .join('  ')
      .trimEnd();
  if (shown.length === 0) return [];
  const head = [inColumns('item', name), right('kg CO2e', 9), right('90 % range', 17), right('kWh', 9)].join('  ');
  const others = rest.reduce((sum, { kg_co2e: kg }) => sum + kg.central, 0);
  return [
    `${page.chalk.dim(head)}\n`,
    ...shown.map((item) => `${line(item)}\n`),
    ...(rest.length > 0 ? [`${inColumns(`${rest.length} more`, name)}  ${right(number(others), 9)}\n`] : []),
    '\n',
  ];
}

function comparisonText({ proposed, delta_kg_co2e: delta, percent, probability_lower: lower }: Comparison, page: Page): string[] {
  const share = percent === null ? '' : `, ${signed(percent.central)} % (${signed(percent.p5)} to ${signed(percent.p95)})`;
  const style = delta.central > 0 ? page.chalk.red : page.chalk.green;
  const text = `Proposal: ${number(proposed.kg_co2e.central)} kg CO2e, ${signed(delta.central)} kg (${signed(delta.p5)} to ${signed(delta.p95)})${share}.`;
  return [wrapped(page, `${style(text)} Probability of a decrease: ${Math.round(lower * 100)} %.`, 0)];
}

function uncertainty({ uncertainty: { largest } }: CarbonEstimate, page: Page): string[] {
  if (largest.length === 0) return [];
  const parts = largest.map(({ factor, share_of_variance: share }) => `${factorName(printable(factor))} ${Math.round(share * 100)} %`);
  return [wrapped(page, `Main sources of uncertainty: ${parts.join(', ')}.`, 0, page.chalk.dim)];
}

function notCovered({ unestimated }: CarbonEstimate, page: Page): string[] {
  if (unestimated.length === 0) return [];
  const shown = unestimated.slice(0, 10).map(({ id, reason }) => wrapped(page, `${printable(id)}: ${printable(reason)}`, 2));
  const more = unestimated.length > 10 ? [`  and ${unestimated.length - 10} more, see --json\n`] : [];
  return [`Not estimated:\n`, ...shown, ...more];
}

function right(text: string, width: number): string {
  return text.padStart(width);
}
