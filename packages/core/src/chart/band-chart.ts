import { area, line } from 'd3-shape';
import type { BandChart } from './chart.js';
import { formatNumber } from './format-number.js';
import { type LegendEntry, legend, SAMPLE } from './legend.js';
import { drawnMarks, type PlacedMark } from './marks.js';
import { box, drawing, label, px, straight, TEXT, WIDTH, widthOf } from './svg.js';
import { thinnedBand, thinnedLine } from './thinning.js';
import { type TimeScale, timeScale } from './time-scale.js';
import { type ValueScale, valueScale } from './value-scale.js';

const PLOT_HEIGHT = 260;
const STRIP = 20;
const RIGHT = 16;

/** Room at both ends of the axis of time, so that the first and last points are not on the edge. */
const INSET = 8;

interface Plot {
  left: number;
  top: number;
  right: number;
  bottom: number;
  time: TimeScale;
  value: ValueScale;
}

/** Values over time as an SVG text, for a page that has the styles of charts. NaN is a gap. */
export function bandChart(spec: BandChart): string {
  const key = legend(legendOf(spec));
  const top = key.height + STRIP + (spec.divider ? STRIP : 0);
  const plot = plotOf(spec, top);
  const body = [
    key.body,
    label({ x: 0, y: key.height + TEXT, text: spec.unit, style: 'dim' }, WIDTH / 2),
    axes(plot),
    ...spec.bands.map((band) => drawnBand(band, spec, plot)),
    ...spec.levels.map(({ value }, i) => levelLine(value, i, plot)),
    divider(spec, plot),
    // The first lies on top.
    ...spec.lines.map((one, i) => drawnLine(one.values, styleOf(spec.lines, i), spec, plot)).toReversed(),
    drawnMarks(
      spec.marks
        .filter(({ index, value }) => Number.isFinite(value) && spec.times[index] !== undefined)
        .map((mark) => placeMark(mark, spec, plot)),
      plot,
    ),
  ];
  return drawing(spec, plot.bottom + STRIP + 8, body.join(''));
}

function plotOf({ times, lines, bands, marks, levels, range }: BandChart, top: number): Plot {
  const firm = [
    ...lines.flatMap(({ values: known }) => known),
    ...[...marks, ...levels].map(({ value }) => value),
    ...(range ? [range.low, range.high] : []),
  ].filter(isNumber);
  const values = [...firm, ...bands.flatMap((band) => withinReach(band, firm))];
  const bottom = top + PLOT_HEIGHT;
  const value = valueScale(values, { from: bottom, to: top + 8 }, { zero: 'near', ticks: 5 });
  const left = Math.ceil(Math.max(24, ...value.ticks.map(({ text }) => widthOf(text)))) + 10;
  const right = WIDTH - RIGHT;
  return { left, top, right, bottom, value, time: timeScale(times, { from: left + INSET, to: right - INSET }) };
}

/** What the axis has to hold of a band. An open one widens it by half at each end. */
function withinReach({ lower, upper, open = false }: BandChart['bands'][number], firm: readonly number[]): number[] {
  const edges = [...lower, ...upper].filter(isNumber);
  if (!open || firm.length === 0) return edges;
  const low = firm.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = firm.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const reach = (high - low) / 2;
  // Where no line is below zero, the axis is not either.
  const least = low >= 0 ? Math.max(0, low - reach) : low - reach;
  return edges.map((edge) => Math.max(least, Math.min(high + reach, edge)));
}

function axes({ left, right, bottom, value, time }: Plot): string {
  const rows = value.ticks.map(
    ({ at, value: tick, text }) =>
      straight(left, at, right, at, tick === 0 ? 'c-zero' : 'c-grid') +
      label({ x: left - 8, y: at + TEXT / 3, text, anchor: 'end', style: 'dim' }),
  );
  const columns = time.ticks.map(({ at, text }) => {
    const half = widthOf(text) / 2;
    const x = Math.max(half, Math.min(WIDTH - half, at));
    return straight(at, bottom, at, bottom + 5, 'c-tick') + label({ x, y: bottom + STRIP, text, anchor: 'middle', style: 'dim' });
  });
  return rows.join('') + straight(left, bottom, right, bottom, 'c-tick') + columns.join('');
}

function drawnBand({ lower, upper }: BandChart['bands'][number], { times }: BandChart, { time, value, left, right }: Plot): string {
  const points = times.map((_, i) => {
    const [low, high] = [lower[i], upper[i]];
    const known = isNumber(low) && isNumber(high);
    return { x: time.at(i), edges: known ? { lower: value.at(low), upper: value.at(high) } : null };
  });
  const shape = area<(typeof points)[number]>()
    .digits(2)
    .defined(({ edges }) => edges !== null)
    .x(({ x }) => x)
    .y0(({ edges }) => edges?.lower ?? 0)
    .y1(({ edges }) => edges?.upper ?? 0);
  const path = shape(thinnedBand(points, right - left));
  return path ? `<path d="${path}" class="c-band"/>` : '';
}

function drawnLine(values: readonly (number | null)[], style: string, { times }: BandChart, { time, value, left, right }: Plot): string {
  const known = times.map((_, i) => {
    const y = values[i];
    return { x: time.at(i), y: isNumber(y) ? value.at(y) : null };
  });
  const points = thinnedLine(known, right - left);
  const shape = line<(typeof points)[number]>()
    .digits(2)
    .defined(({ y }) => y !== null)
    .x(({ x }) => x)
    .y(({ y }) => y ?? 0);
  const path = shape(points);
  // A line of one point has no length: it is drawn as a dot.
  const alone = points.flatMap(({ x, y }, i) =>
    y === null || isKnown(points[i - 1]) || isKnown(points[i + 1])
      ? []
      : [`<circle cx="${px(x)}" cy="${px(y)}" r="2.5" class="c-dot ${style}"/>`],
  );
  return `${path ? `<path d="${path}" class="c-line ${style}"/>` : ''}${alone.join('')}`;
}

function isKnown(point: { y: number | null } | undefined): boolean {
  return point !== undefined && point.y !== null;
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const PALETTE = 6;

/** Lines of one kind differ by colour, kinds by colour and dashes. */
function styleOf(lines: BandChart['lines'], index: number): string {
  const kind = lines[index]?.kind ?? 'actual';
  const before = lines.slice(0, index).filter((other) => other.kind === kind).length;
  return kind === 'actual' && before > 0 ? `c-actual c-s${((before - 1) % PALETTE) + 1}` : `c-${kind}`;
}

function levelLine(value: number, index: number, plot: Plot): string {
  if (!Number.isFinite(value)) return '';
  const y = plot.value.at(value);
  return straight(plot.left, y, plot.right, y, levelStyle(index));
}

function levelStyle(index: number): string {
  return `c-level c-l${(index % 3) + 1}`;
}

function divider({ divider: at, times }: BandChart, { time, left, right, top, bottom }: Plot): string {
  if (!at || times[at.index] === undefined) return '';
  const x = time.at(at.index);
  const anchor = x > (left + right) / 2 ? 'end' : 'start';
  const room = anchor === 'end' ? x - left : right - x;
  return (
    straight(x, top - STRIP / 2 - 4, x, bottom, 'c-divider') +
    label({ x: anchor === 'end' ? x - 6 : x + 6, y: top - STRIP / 2 + 5, text: at.name, anchor, style: 'dim' }, room)
  );
}

function placeMark({ index, value, label: text, tone }: BandChart['marks'][number], { times, lines }: BandChart, plot: Plot): PlacedMark {
  const [values = []] = lines.map(({ values: known }) => known);
  const beside = [values[index - 1], values[index + 1]].filter(isNumber);
  const isValley = beside.length > 0 && beside.every((other) => other >= value);
  return { x: plot.time.at(index), y: plot.value.at(value), time: times[index] ?? '', label: text, tone, isValley };
}

function legendOf({ lines, bands, levels }: BandChart): LegendEntry[] {
  return [
    ...lines.map(({ name }, i) => ({
      name,
      sample: (x: number, y: number) => straight(x, y, x + SAMPLE, y, `c-line ${styleOf(lines, i)}`),
    })),
    // A narrower band lies on the wider ones, so its sample does, too.
    ...bands.map(({ name }, i) => ({
      name,
      sample: (x: number, y: number) => box(x, y - 6, SAMPLE, 12, 'c-band').repeat(i + 1),
    })),
    ...levels
      .filter(({ value }) => Number.isFinite(value))
      .map(({ name, value }, i) => ({
        name: `${name}: ${formatNumber(value)}`,
        sample: (x: number, y: number) => straight(x, y, x + SAMPLE, y, levelStyle(i)),
      })),
  ];
}
