import type { Metric } from '../rows/cost-row.js';
import type { Calendar } from './buckets.js';
import { type Book, type Cell, type CellSum, type LeafBook, MICRO, NO_CURRENCY, QUARTER, tooLarge } from './cost-book.js';
import type { CostLeaf, CostTable, CostWarning } from './cost-table.js';
import type { TableOptions } from './table-options.js';
import { bucketsBetween, filledGaps, provisionalIndex } from './time-line.js';

/** Series times buckets of the table, 8 bytes for each kind of value. */
const MOST_VALUES = 30_000_000;

/**
 * A book as a table: every leaf over the same buckets.
 * @param withResources whether the costs of single resources are known whole
 * @throws {BylawError} `cost-too-large`
 */
export function tableOf(book: Book, currency: string, calendar: Calendar, options: TableOptions, withResources: boolean): CostTable {
  const { granularity, timezone, metric, dimensions } = options;
  const starts = bucketsBetween(
    book.leaves.values().flatMap(({ cells }) => cells.keys().map((key) => key * QUARTER)),
    calendar,
  );
  if (starts.length * book.leaves.length > MOST_VALUES) throw tooLarge();
  const index = new Map(starts.map((start, at) => [start / QUARTER, at]));
  const order = dimensions.map((_, at) => at).sort((a, b) => ((dimensions[a] ?? '') < (dimensions[b] ?? '') ? -1 : 1));
  const names = order.map((at) => dimensions[at] ?? '');
  const leaves = book.leaves
    .map((leaf) =>
      leafOf(
        leaf,
        order.map((at) => [dimensions[at] ?? '', leaf.dimensions[at] ?? '']),
        starts,
        index,
        withResources,
      ),
    )
    .sort((a, b) => compareLeaves(a, b, names));
  return {
    currency,
    granularity,
    timezone,
    buckets: starts.map((start) => calendar.label(start)),
    provisionalFrom: provisionalIndex(starts, calendar, options),
    dimensions: names,
    leaves,
    excluded: {
      tax: book.excluded.tax.value(),
      credit: book.excluded.credit.value(),
      adjustment: book.excluded.adjustment.value(),
      other: book.excluded.other.value(),
    },
    corrections: { rows: book.corrections, amount: book.corrected.value() },
    rows: book.rows,
    warnings: warningsOf(book, metric, currency, withResources),
  };
}

function leafOf(
  leaf: LeafBook,
  dimensions: readonly (readonly [string, string])[],
  starts: readonly number[],
  index: ReadonlyMap<number, number>,
  withResources: boolean,
): CostLeaf {
  const column = (of: (cell: Cell) => number) => {
    const values = new Float64Array(starts.length).fill(Number.NaN);
    for (const [start, cell] of leaf.cells) values[index.get(start) ?? -1] = of(cell);
    return values;
  };
  const has = (member: CellSum) => leaf.cells.values().some((cell) => cell[member] !== undefined);
  const cost = column((cell) => cell.cost.value());
  const unit = leaf.units.size === 1 ? [...leaf.units][0] : undefined;
  const isCounted = unit !== undefined && has('quantity');
  const resources = withResources && leaf.resources.size > 0 ? resourcesOf(leaf.resources, index) : undefined;
  return {
    dimensions: Object.fromEntries(dimensions),
    cost: filledGaps(cost, starts),
    ...(isCounted && { quantity: column((cell) => cell.quantity?.value() ?? Number.NaN), unit }),
    ...(has('committed') && { committed: column(isCounted ? coveredQuantity : coveredCost) }),
    ...(has('unused') && { unused: column((cell) => cell.unused?.value() ?? 0) }),
    ...(has('oneTime') && { oneTime: column((cell) => cell.oneTime?.value() ?? 0) }),
    ...(resources && { resources }),
  };
}

/** NaN in a bucket without a quantity. */
function coveredQuantity({ quantity, committedQuantity }: Cell): number {
  return quantity ? share(committedQuantity?.value() ?? 0, quantity.value()) : Number.NaN;
}

/** Cost of a commitment that nothing used is not use that could be covered. */
function coveredCost({ cost, committed, unused }: Cell): number {
  return share(committed?.value() ?? 0, cost.value() - (unused?.value() ?? 0));
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}

function resourcesOf(resources: LeafBook['resources'], index: ReadonlyMap<number, number>): Map<string, Map<number, number>> {
  const sorted = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.map(([name, amounts]) => [
      name,
      new Map([...amounts].sort(([a], [b]) => a - b).map(([start, micros]) => [index.get(start) ?? -1, micros / MICRO])),
    ]),
  );
}

function compareLeaves(a: CostLeaf, b: CostLeaf, names: readonly string[]): number {
  for (const name of names) {
    const [one = '', other = ''] = [a.dimensions[name], b.dimensions[name]];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function warningsOf(book: Book, metric: Metric, currency: string, withResources: boolean): CostWarning[] {
  const warnings: CostWarning[] = [];
  if (book.unnamed > 0 && currency === NO_CURRENCY)
    warnings.push({
      code: 'currency-missing',
      message: 'The rows do not specify a currency, so the currency of the amounts is unknown (XXX). Set it with `currency`.',
    });
  if (metric === 'BilledCost' && book.purchases > 0)
    warnings.push({
      code: 'lumpy-metric',
      message:
        'BilledCost charges commitments on the day of purchase, which looks like a spike. EffectiveCost spreads them over the time they are used.',
    });
  if (!withResources)
    warnings.push({ code: 'resources-dropped', message: 'The input has too many resources and days to keep the cost of each resource.' });
  return warnings;
}
