import { ExactSum } from '../number/index.js';
import { type Calendar, calendar } from './buckets.js';
import { costError } from './cost-error.js';
import { MOST_AMOUNT, MOST_QUANTITY } from './cost-input.js';
import type { CostRow, Metric, RowFault } from './cost-row.js';
import type { CostLeaf, CostTable, CostWarning, Granularity } from './cost-table.js';
import { ownText } from './own-text.js';
import { bucketsBetween, filledGaps, provisionalIndex, type Recency } from './time-line.js';

export interface TableOptions {
  metric: Metric;
  granularity: Granularity;
  timezone: string;
  /** Names of the dimensions, in the order of the rows'. */
  dimensions: readonly string[];
  /** Categories of charges that count. */
  include: ReadonlySet<string>;
  /** Currency of the answer, where the rows are converted. */
  currency?: string;
  /** Currency → its worth in the currency of the answer. */
  fx?: { readonly [currency: string]: number };
  /** End of what is known, in milliseconds; absent: the end of the last bucket with a row. */
  asOf?: number;
  recency?: readonly Recency[];
}

/** ISO 4217 for "no currency". */
const NO_CURRENCY = 'XXX';

/** A row that covers more buckets than this is a mistake of its export. */
const MOST_BUCKETS = 100_000;

/** ISO 4217 has fewer, and virtual ones are few. */
const MOST_CURRENCIES = 300;

/** Cells with rows, about 200 bytes each. */
const MOST_CELLS = 4_000_000;

/** Series times buckets of the table that is made in the end, 8 bytes for each kind of value. */
const MOST_VALUES = 30_000_000;

/** Costs of single resources are kept up to here, and of none beyond: whose are kept must not depend on the order of rows. */
const MOST_RESOURCE_CELLS = 1_500_000;

const QUARTER = 900_000;

/** Costs of single resources are kept in millionths, as whole numbers, which add up alike in any order. */
const MICRO = 1_000_000;

/** Adds up rows, in any order, to one table for each currency. Memory grows with leaves and buckets, not with rows. */
export class TableBuilder {
  readonly #calendar: Calendar;
  readonly #books = new Map<string, Book>();
  #cells = 0;
  #resourceCells = 0;

  constructor(
    private readonly options: TableOptions,
    private readonly mostResourceCells = MOST_RESOURCE_CELLS,
  ) {
    this.#calendar = calendar(options.granularity, options.timezone);
  }

  /**
   * Returns why the row cannot be placed, where it cannot.
   * @throws {BylawError} `cost-too-large`
   */
  add(row: CostRow): RowFault | undefined {
    const { currency, rate } = this.#currencyOf(row);
    if (!(Math.abs(row.cost * rate) <= MOST_AMOUNT)) return { column: 'the cost', problem: 'is larger than any bill' };
    if (Math.abs(row.quantity) > MOST_QUANTITY) return { column: 'the quantity', problem: 'is larger than any bill' };
    const book = found(this.#books, currency, newBook);
    if (this.#books.size > MOST_CURRENCIES) return { column: 'the currency', problem: `is one of more than ${MOST_CURRENCIES}` };
    book.rows += 1;
    if (row.currency === '') book.unnamed += 1;
    if (!this.options.include.has(row.category)) {
      book.excluded[EXCLUDED[row.category] ?? 'other'].add(row.cost * rate);
      return undefined;
    }
    if (row.correction) {
      book.corrections += 1;
      book.corrected.add(row.cost * rate);
    }
    if (row.category === 'Purchase') book.purchases += 1;
    return this.#place(book, row, rate);
  }

  #place(book: Book, row: CostRow, rate: number): RowFault | undefined {
    const leaf = leafFor(book, row.dimensions);
    const first = this.#calendar.startOf(row.start);
    if (row.oneTime || row.end <= this.#calendar.next(first)) {
      this.#addTo(leaf, first, row, row.cost * rate, row.quantity);
      return undefined;
    }
    const length = row.end - row.start;
    let count = 0;
    for (let bucket = first; bucket < row.end; bucket = this.#calendar.next(bucket)) {
      if (++count > MOST_BUCKETS) return { column: 'the period', problem: `covers more than ${MOST_BUCKETS.toLocaleString('en')} buckets` };
      const share = (Math.min(row.end, this.#calendar.next(bucket)) - Math.max(row.start, bucket)) / length;
      this.#addTo(leaf, bucket, row, row.cost * rate * share, row.quantity * share);
    }
    return undefined;
  }

  #addTo(leaf: LeafBook, bucket: number, row: CostRow, cost: number, quantity: number): void {
    const key = bucket / QUARTER;
    const known = leaf.cells.get(key);
    const cell = known ?? newCell();
    if (!known) {
      leaf.cells.set(key, cell);
      if (++this.#cells > MOST_CELLS) throw tooLarge();
    }
    cell.cost.add(cost);
    if (!Number.isNaN(quantity)) {
      // More than two units say no more than two.
      if (leaf.units.size < 2 && !leaf.units.has(row.unit)) leaf.units.add(ownText(row.unit));
      addTo(cell, 'quantity', quantity);
    }
    if (row.commitment === 'used') addTo(cell, 'committed', cost);
    if (row.commitment === 'unused') addTo(cell, 'unused', cost);
    if (row.oneTime) addTo(cell, 'oneTime', cost);
    if (row.resource !== '' && this.#resourceCells <= this.mostResourceCells) this.#addResource(leaf, row.resource, key, cost);
  }

  #addResource(leaf: LeafBook, resource: string, key: number, cost: number): void {
    let amounts = leaf.resources.get(resource);
    if (!amounts) {
      amounts = new Map();
      leaf.resources.set(ownText(resource), amounts);
    }
    const known = amounts.get(key);
    amounts.set(key, (known ?? 0) + Math.round(cost * MICRO));
    if (known === undefined && ++this.#resourceCells > this.mostResourceCells) this.#dropResources();
  }

  #dropResources(): void {
    for (const { leaves } of this.#books.values()) for (const { resources } of leaves) resources.clear();
  }

  #currencyOf({ currency }: CostRow): { currency: string; rate: number } {
    const { currency: wanted, fx } = this.options;
    const named = currency || wanted || NO_CURRENCY;
    if (wanted === undefined || named === wanted || !fx) return { currency: named, rate: 1 };
    const rate = Object.hasOwn(fx, named) ? fx[named] : undefined;
    return rate === undefined ? { currency: named, rate: 1 } : { currency: wanted, rate };
  }

  /**
   * The tables, by currency.
   * @throws {BylawError} `no-usable-rows`
   */
  tables(): CostTable[] {
    const books = [...this.#books].filter(([, { leaves }]) => leaves.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    if (books.length === 0) {
      const rows = [...this.#books.values()].reduce((sum, book) => sum + book.rows, 0);
      throw costError(
        'no-usable-rows',
        rows === 0 ? 'The input has no rows.' : `None of the ${rows} rows belongs to the categories that count.`,
        {
          hint: `Categories that count: ${[...this.options.include].join(', ')}.`,
        },
      );
    }
    return books.map(([currency, book]) => this.#table(currency, book));
  }

  #table(currency: string, book: Book): CostTable {
    const { granularity, timezone, metric } = this.options;
    const starts = bucketsBetween(
      book.leaves.values().flatMap(({ cells }) => cells.keys().map((key) => key * QUARTER)),
      this.#calendar,
    );
    if (starts.length * book.leaves.length > MOST_VALUES) throw tooLarge();
    const index = new Map(starts.map((start, at) => [start / QUARTER, at]));
    const order = this.options.dimensions
      .map((_, at) => at)
      .sort((a, b) => ((this.options.dimensions[a] ?? '') < (this.options.dimensions[b] ?? '') ? -1 : 1));
    const names = order.map((at) => this.options.dimensions[at] ?? '');
    const withResources = this.#resourceCells <= this.mostResourceCells;
    const leaves = book.leaves
      .map((leaf) =>
        leafOf(
          leaf,
          order.map((at) => [this.options.dimensions[at] ?? '', leaf.dimensions[at] ?? '']),
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
      buckets: starts.map((start) => this.#calendar.label(start)),
      provisionalFrom: provisionalIndex(starts, this.#calendar, granularity, this.options.asOf, this.options.recency),
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
}

type Excluded = 'tax' | 'credit' | 'adjustment' | 'other';
const EXCLUDED: { readonly [category: string]: Excluded } = { Tax: 'tax', Credit: 'credit', Adjustment: 'adjustment' };

/** What is known of one currency. */
interface Book {
  rows: number;
  /** Rows that name no currency. */
  unnamed: number;
  purchases: number;
  corrections: number;
  corrected: ExactSum;
  excluded: { [kind in Excluded]: ExactSum };
  leaves: LeafBook[];
  /** The leaves by their dimensions. */
  tree: Branch;
}

/** One step into the dimensions of leaves. */
interface Branch {
  next: Map<string, Branch>;
  leaf?: LeafBook;
}

interface LeafBook {
  dimensions: readonly string[];
  /** By the start of the bucket in quarters of an hour: maps are fast with small whole numbers, and no zone has finer offsets. */
  cells: Map<number, Cell>;
  units: Set<string>;
  /** In millionths. */
  resources: Map<string, Map<number, number>>;
}

interface Cell {
  cost: ExactSum;
  quantity?: ExactSum;
  committed?: ExactSum;
  unused?: ExactSum;
  oneTime?: ExactSum;
}

function addTo(cell: Cell, member: 'quantity' | 'committed' | 'unused' | 'oneTime', amount: number): void {
  cell[member] ??= new ExactSum();
  cell[member].add(amount);
}

/** What a map has for a key, made where there is nothing yet. */
function found<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(ownText(key), made);
  return made;
}

function newBook(): Book {
  const excluded = { tax: new ExactSum(), credit: new ExactSum(), adjustment: new ExactSum(), other: new ExactSum() };
  return { rows: 0, unnamed: 0, purchases: 0, corrections: 0, corrected: new ExactSum(), excluded, leaves: [], tree: newBranch() };
}

function newBranch(): Branch {
  return { next: new Map() };
}

function newCell(): Cell {
  return { cost: new ExactSum() };
}

function leafFor(book: Book, dimensions: readonly string[]): LeafBook {
  let branch = book.tree;
  for (const value of dimensions) branch = found(branch.next, value, newBranch);
  if (!branch.leaf) {
    branch.leaf = newLeaf(dimensions.map(ownText));
    book.leaves.push(branch.leaf);
  }
  return branch.leaf;
}

function tooLarge() {
  return costError('cost-too-large', 'The input makes too many series or buckets.', {
    hint: 'Group by fewer dimensions, take a coarser granularity, or check the dates.',
  });
}

function newLeaf(dimensions: readonly string[]): LeafBook {
  return { dimensions, cells: new Map(), units: new Set(), resources: new Map() };
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
  const has = (member: 'quantity' | 'committed' | 'unused' | 'oneTime') => leaf.cells.values().some((cell) => cell[member] !== undefined);
  const cost = column((cell) => cell.cost.value());
  const unit = leaf.units.size === 1 ? [...leaf.units][0] : undefined;
  const resources = withResources && leaf.resources.size > 0 ? resourcesOf(leaf.resources, index) : undefined;
  return {
    dimensions: Object.fromEntries(dimensions),
    cost: filledGaps(cost, starts),
    ...(unit !== undefined && has('quantity') && { quantity: column((cell) => cell.quantity?.value() ?? Number.NaN), unit }),
    ...(has('committed') && { committed: column((cell) => share(cell.committed?.value() ?? 0, cell.cost.value())) }),
    ...(has('unused') && { unused: column((cell) => cell.unused?.value() ?? 0) }),
    ...(has('oneTime') && { oneTime: column((cell) => cell.oneTime?.value() ?? 0) }),
    ...(resources && { resources }),
  };
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
      message: 'The rows name no currency: amounts are in an unknown one (XXX). Name it as `currency`.',
    });
  if (metric === 'BilledCost' && book.purchases > 0)
    warnings.push({
      code: 'lumpy-metric',
      message:
        'Billed cost has commitments on the day of their purchase, which looks like a spike. EffectiveCost spreads them over their use.',
    });
  if (!withResources)
    warnings.push({ code: 'resources-dropped', message: 'There are too many resources and days to keep the cost of each.' });
  return warnings;
}
