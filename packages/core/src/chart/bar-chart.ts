import { plural } from '../plural.js';
import type { BarChart } from './chart.js';
import { formatNumber } from './format-number.js';
import { legend, SAMPLE } from './legend.js';
import { box, drawing, escapedText, fittedName, label, straight, TEXT, WIDTH, widthOf } from './svg.js';
import { type ValueScale, valueScale } from './value-scale.js';

const ROW = 30;
const BAR = 12;

/** The range lies under its bar, so that neither hides the other. */
const RANGE = 6;
const STRIP = 20;
const LONGEST_NAME = 300;

/** More bars do not make a picture; the table beside it has them all. */
const MOST_BARS = 40;

/** So many colours can be told apart; what is beyond them is one part. */
const MOST_PARTS = 6;

type Bar = BarChart['bars'][number];

/** Amounts by group as an SVG text, for a page that has the styles of charts. */
export function barChart(spec: BarChart): string {
  const bars = spec.bars.slice(0, MOST_BARS);
  const parts = partNames(bars);
  const key = legend(parts.names.map((name, i) => ({ name, sample: (x: number, y: number) => box(x, y - 6, SAMPLE, 12, `c-f${i + 1}`) })));
  const top = key.height + STRIP;
  const bottom = top + bars.length * ROW + 4;
  const names = Math.max(40, ...bars.map(({ name }) => widthOf(fittedName(name, LONGEST_NAME)))) + 14;
  const texts = bars.map(valueText);
  const values = Math.max(40, ...texts.map(widthOf)) + 14;
  const scale = valueScale(bars.flatMap(numbersOf), { from: names, to: WIDTH - values }, { zero: 'always', ticks: 5 });
  const rows = bars.map((bar, i) => row(bar, texts[i] ?? '', top + i * ROW, parts, scale));
  const rest = spec.bars.length - bars.length;
  const more = rest > 0 ? label({ x: 0, y: bottom + 2 * STRIP, text: `and ${formatNumber(rest)} more`, style: 'dim' }) : '';
  const unit = label({ x: 0, y: key.height + TEXT, text: spec.unit, style: 'dim' }, WIDTH / 2);
  return drawing(spec, bottom + STRIP + 8 + (rest > 0 ? STRIP : 0), key.body + unit + axis(scale, top, bottom) + rows.join('') + more);
}

/** Parts in the order of their size over all bars. */
function partNames(bars: readonly Bar[]): { names: string[]; styleOf(name: string): string } {
  const sizes = new Map<string, number>();
  for (const { name, value } of bars.flatMap(({ parts = [] }) => parts)) sizes.set(name, (sizes.get(name) ?? 0) + Math.abs(value));
  const all = [...sizes].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([name]) => name);
  const rest = all.length > MOST_PARTS;
  const names = rest ? [...all.slice(0, MOST_PARTS - 1), plural(all.length - MOST_PARTS + 1, 'other')] : all;
  const numbers = new Map(all.map((name, i) => [name, Math.min(i + 1, MOST_PARTS)]));
  return { names, styleOf: (name) => `c-f${numbers.get(name) ?? 1}` };
}

function numbersOf({ value, low, high, parts = [] }: Bar): number[] {
  const sum = (sign: number) => parts.reduce((total, part) => total + Math.max(0, sign * part.value || 0), 0) * sign;
  return [value, low ?? value, high ?? value, sum(1), sum(-1)];
}

/** `120 (90 to 160)`. */
function valueText({ value, low, high }: Bar): string {
  if (!Number.isFinite(value)) return '–';
  return low === undefined || high === undefined || !Number.isFinite(low) || !Number.isFinite(high)
    ? formatNumber(value)
    : `${formatNumber(value)} (${formatNumber(low)} to ${formatNumber(high)})`;
}

function axis({ ticks }: ValueScale, top: number, bottom: number): string {
  return ticks
    .map(
      ({ at, value, text }) =>
        straight(at, top, at, bottom, value === 0 ? 'c-zero' : 'c-grid') +
        label({ x: at, y: bottom + STRIP - 4, text, anchor: 'middle', style: 'dim' }),
    )
    .join('');
}

function row(bar: Bar, text: string, top: number, { styleOf }: ReturnType<typeof partNames>, scale: ValueScale): string {
  const middle = top + ROW / 2 + 2;
  const parts = bar.parts && bar.parts.length > 0 ? bar.parts : undefined;
  const height = middle - (bar.low === undefined ? 0 : RANGE / 2);
  const body = parts
    ? stacked(parts, height, styleOf, scale)
    : span(scale.at(0), scale.at(bar.value), height, 'c-f1', Number.isFinite(bar.value));
  return [
    label({ x: 0, y: middle + TEXT / 3, text: bar.name }, LONGEST_NAME, fittedName),
    body,
    whisker(bar, middle + RANGE, scale),
    label({ x: WIDTH, y: middle + TEXT / 3, text, anchor: 'end' }),
  ].join('');
}

/** What adds goes one way from zero, what takes away the other. */
function stacked(parts: NonNullable<Bar['parts']>, middle: number, styleOf: (name: string) => string, scale: ValueScale): string {
  let [above, below] = [0, 0];
  return parts
    .filter(({ value }) => Number.isFinite(value) && value !== 0)
    .toSorted((a, b) => (styleOf(a.name) < styleOf(b.name) ? -1 : 1))
    .map(({ name, value }) => {
      const start = value > 0 ? above : below;
      const end = start + value;
      if (value > 0) above = end;
      else below = end;
      const title = `<title>${escapedText(name, 200)}: ${formatNumber(value)}</title>`;
      return span(scale.at(start), scale.at(end), middle, `c-part ${styleOf(name)}`, true, title);
    })
    .join('');
}

function span(from: number, to: number, middle: number, style: string, known: boolean, inside = ''): string {
  if (!known || from === to) return '';
  return box(Math.min(from, to), middle - BAR / 2, Math.abs(to - from), BAR, style, inside);
}

/** From the low to the high end of the range. */
function whisker({ low, high }: Bar, y: number, scale: ValueScale): string {
  if (low === undefined || high === undefined || !Number.isFinite(low) || !Number.isFinite(high)) return '';
  const [from, to] = [scale.at(low), scale.at(high)];
  const end = (x: number) => straight(x, y - 3, x, y + 3, 'c-range');
  return straight(from, y, to, y, 'c-range') + end(from) + end(to);
}
