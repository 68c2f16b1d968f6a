import { number, plural } from '../../plural.js';
import { costError } from '../cost-error.js';
import { calendar, instantIn } from './buckets.js';
import { MOST_QUANTITY, type PlainSeries } from './cost-input.js';
import type { CostLeaf, CostTable } from './cost-table.js';
import type { TableOptions } from './table-options.js';
import { bucketsBetween, provisionalIndex } from './time-line.js';

/**
 * Series as a table: a leaf for each, with the dimensions that it names.
 * @throws {BylawError} `granularity-mixed`, `series-too-short`, `cost-row-invalid`
 */
export function seriesTables(series: readonly PlainSeries[], options: TableOptions): CostTable[] {
  const [first] = series;
  if (!first) throw costError('no-usable-rows', 'The input has no series.');
  const { granularity } = first;
  const other = series.findIndex((one) => one.granularity !== granularity);
  if (other >= 0)
    throw costError('granularity-mixed', `/series/${other}/granularity: all series must have the same granularity as the first one.`, {
      path: `/series/${other}/granularity`,
    });
  const ids = new Set<string>();
  const twice = series.findIndex(({ id }) => ids.size === ids.add(id).size);
  if (twice >= 0)
    throw costError('cost-row-invalid', `/series/${twice}/id: an earlier series has the same id.`, { path: `/series/${twice}/id` });
  const days = calendar(granularity, options.timezone);
  for (const [index, { values, quantity, unit_price }] of series.entries())
    for (const [member, others] of Object.entries({ quantity, unit_price })) {
      if (!others || others.length === values.length) continue;
      const path = `/series/${index}/${member}`;
      throw costError('cost-row-invalid', `${path} has ${plural(others.length, 'value')}, but \`values\` has ${number(values.length)}.`, {
        path,
      });
    }
  const seriesStarts = series.map((one, index) => {
    const at = instantIn(one.start, options.timezone);
    if (at === undefined)
      throw costError('cost-row-invalid', `/series/${index}/start must be a valid date or timestamp.`, { path: `/series/${index}/start` });
    const starts = [days.startOf(at)];
    while (starts.length < one.values.length) starts.push(days.next(starts.at(-1) ?? 0));
    return { one, starts };
  });
  const starts = bucketsBetween(
    seriesStarts.flatMap(({ starts: own }) => [own[0] ?? 0, own.at(-1) ?? 0]),
    days,
  );
  if (starts.length * series.length > MOST_VALUES)
    throw costError('cost-too-large', 'There are too many series over too long a period, because all series share the same buckets.', {
      hint: 'Send fewer series, or check their start dates.',
    });
  const index = new Map(starts.map((start, at) => [start, at]));
  const dimensions = [...new Set(series.flatMap(({ dimensions: own = {} }) => Object.keys(own)))].sort();
  const leaves = seriesStarts
    .map(({ one, starts: own }) => leafOf(one, own, index, starts.length, dimensions))
    .sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
  return [
    {
      currency: options.currency ?? 'XXX',
      granularity,
      timezone: options.timezone,
      buckets: starts.map(days.label),
      provisionalFrom:
        options.asOf === undefined && options.settleDays === undefined && !options.recency
          ? starts.length
          : provisionalIndex(starts, days, { ...options, granularity }),
      dimensions,
      leaves,
      excluded: { tax: 0, credit: 0, adjustment: 0, other: 0 },
      corrections: { rows: 0, amount: 0 },
      rows: series.reduce((sum, { values }) => sum + values.length, 0),
      warnings: [],
    },
  ];
}

/** Series times buckets, 8 bytes for each kind of value. */
const MOST_VALUES = 30_000_000;

function leafOf(
  { id, dimensions = {}, values, quantity, unit_price }: PlainSeries,
  own: readonly number[],
  index: ReadonlyMap<number, number>,
  length: number,
  names: readonly string[],
): CostLeaf {
  const column = (of: (at: number) => number | null | undefined) => {
    const all = new Float64Array(length).fill(Number.NaN);
    for (const [at, start] of own.entries()) all[index.get(start) ?? -1] = of(at) ?? Number.NaN;
    return all;
  };
  const priced = quantity ?? (unit_price && values.map((value, at) => quotient(value, unit_price[at])));
  return {
    id,
    dimensions: Object.fromEntries(names.map((name) => [name, Object.hasOwn(dimensions, name) ? (dimensions[name] ?? '') : ''])),
    cost: column((at) => values[at]),
    ...(priced && { quantity: column((at) => priced[at]), unit: '' }),
  };
}

function quotient(value: number | null | undefined, price: number | null | undefined): number | null {
  const quantity = typeof value === 'number' && typeof price === 'number' ? value / price : Number.NaN;
  return Math.abs(quantity) <= MOST_QUANTITY ? quantity : null;
}
