import type { Tornado } from './chart.js';
import { formatNumber } from './format-number.js';
import { box, drawing, fittedName, label, straight, TEXT, WIDTH, widthOf } from './svg.js';
import { valueScale } from './value-scale.js';

const ROW = 30;
const BAR = 14;
const STRIP = 20;
const LONGEST_NAME = 300;

/** What matters less than these hardly matters. */
const MOST_CAUSES = 20;

/** What makes a result uncertain, as an SVG text: how far each cause alone moves it, the strongest first. */
export function tornado(spec: Tornado): string {
  const causes = spec.causes
    .filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high))
    .toSorted((a, b) => Math.abs(b.high - b.low) - Math.abs(a.high - a.low) || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_CAUSES);
  const texts = causes.map(({ low, high }) => `${formatNumber(Math.min(low, high))} to ${formatNumber(Math.max(low, high))}`);
  const left = Math.max(40, ...causes.map(({ name }) => widthOf(fittedName(name, LONGEST_NAME)))) + 14;
  const right = WIDTH - Math.max(40, ...texts.map(widthOf)) - 14;
  const scale = valueScale(
    [spec.value, ...causes.flatMap(({ low, high }) => [low, high])],
    { from: left, to: right },
    { zero: 'near', ticks: 5 },
  );
  const top = 2 * STRIP;
  const bottom = top + causes.length * ROW + 4;
  const middle = scale.at(Number.isFinite(spec.value) ? spec.value : 0);
  const name = `estimate: ${formatNumber(spec.value)}`;
  const half = widthOf(name) / 2;
  const body = [
    label({ x: 0, y: TEXT, text: spec.unit, style: 'dim' }, WIDTH / 2),
    ...scale.ticks.map(
      ({ at, text }) =>
        straight(at, top, at, bottom, 'c-grid') + label({ x: at, y: bottom + STRIP - 4, text, anchor: 'middle', style: 'dim' }),
    ),
    ...causes.map(({ name: cause, low, high }, i) => {
      const y = top + i * ROW + ROW / 2;
      const [from, to] = [scale.at(Math.min(low, high)), scale.at(Math.max(low, high))];
      return [
        label({ x: 0, y: y + TEXT / 3, text: cause }, LONGEST_NAME, fittedName),
        side(from, Math.min(middle, to), y, 'c-f1'),
        side(Math.max(middle, from), to, y, 'c-f2'),
        label({ x: WIDTH, y: y + TEXT / 3, text: texts[i] ?? '', anchor: 'end' }),
      ].join('');
    }),
    straight(middle, top - 4, middle, bottom, 'c-range'),
    label({ x: Math.max(half, Math.min(WIDTH - half, middle)), y: top - 8, text: name, anchor: 'middle' }),
  ];
  return drawing(spec, bottom + STRIP + 8, body.join(''));
}

function side(from: number, to: number, middle: number, style: string): string {
  return to > from ? box(from, middle - BAR / 2, to - from, BAR, style) : '';
}
