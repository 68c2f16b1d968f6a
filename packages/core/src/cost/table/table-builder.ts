import { plural } from '../../plural.js';
import { costError } from '../cost-error.js';
import type { CostRow, RowFault } from '../rows/cost-row.js';
import { ownText } from '../values/own-text.js';
import { tableOf } from './book-table.js';
import { type Calendar, calendar } from './buckets.js';
import {
  addTo,
  type Book,
  EXCLUDED,
  found,
  type LeafBook,
  leafFor,
  MICRO,
  NO_CURRENCY,
  newBook,
  newCell,
  QUARTER,
  tooLarge,
} from './cost-book.js';
import { MOST_AMOUNT, MOST_QUANTITY } from './cost-input.js';
import type { CostTable } from './cost-table.js';
import type { TableOptions } from './table-options.js';

/** A row that covers more buckets than this is a mistake of its export. */
const MOST_BUCKETS = 100_000;

/** ISO 4217 has fewer, and virtual ones are few. */
const MOST_CURRENCIES = 300;

/** Cells with rows, about 200 bytes each. */
const MOST_CELLS = 4_000_000;

/** Costs of single resources are kept up to here, and of none beyond: whose are kept must not depend on the order of rows. */
const MOST_RESOURCE_CELLS = 1_500_000;

/** Adds up rows, in any order, to one table for each currency. Memory grows with leaves and buckets, not with rows. */
export class TableBuilder {
  readonly #calendar: Calendar;
  readonly #books = new Map<string, Book>();
  #cells = 0;
  /** Start of the latest bucket with a row, of any currency. */
  #last = Number.NEGATIVE_INFINITY;
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
    if (!(Math.abs(row.cost * rate) <= MOST_AMOUNT)) return { column: 'The cost', problem: 'is too large' };
    if (Math.abs(row.quantity) > MOST_QUANTITY) return { column: 'The quantity', problem: 'is too large' };
    const book = found(this.#books, currency, newBook);
    if (this.#books.size > MOST_CURRENCIES)
      return { column: 'The currency', problem: `exceeds the limit of ${MOST_CURRENCIES} currencies` };
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
      if (++count > MOST_BUCKETS) return { column: 'The period', problem: `covers more than ${MOST_BUCKETS.toLocaleString('en')} buckets` };
      const share = (Math.min(row.end, this.#calendar.next(bucket)) - Math.max(row.start, bucket)) / length;
      this.#addTo(leaf, bucket, row, row.cost * rate * share, row.quantity * share);
    }
    return undefined;
  }

  #addTo(leaf: LeafBook, bucket: number, row: CostRow, cost: number, quantity: number): void {
    if (bucket > this.#last) this.#last = bucket;
    const key = bucket / QUARTER;
    const known = leaf.cells.get(key);
    const cell = known ?? newCell();
    if (!known) {
      leaf.cells.set(key, cell);
      if (++this.#cells > MOST_CELLS) throw tooLarge();
    }
    cell.cost.add(cost);
    // What nothing used, and what was bought to be used later, is not a quantity used.
    const isUse = row.commitment !== 'unused' && (row.category !== 'Purchase' || row.cost !== 0);
    if (isUse && !Number.isNaN(quantity)) {
      // More than two units say no more than two.
      if (leaf.units.size < 2 && !leaf.units.has(row.unit)) leaf.units.add(ownText(row.unit));
      addTo(cell, 'quantity', quantity);
      if (row.commitment === 'used') addTo(cell, 'committedQuantity', quantity);
    }
    if (row.commitment === 'used') addTo(cell, 'committed', cost);
    if (row.commitment === 'unused') addTo(cell, 'unused', cost);
    if (row.oneTime) addTo(cell, 'oneTime', cost);
    if (row.resource !== '' && row.commitment !== 'unused' && this.#resourceCells <= this.mostResourceCells)
      this.#addResource(leaf, row.resource, key, cost);
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
        rows === 0 ? 'The input has no rows.' : `The input has ${plural(rows, 'row')}, but none in an included category.`,
        {
          hint: `Included categories: ${[...this.options.include].join(', ')}.`,
        },
      );
    }
    const withResources = this.#resourceCells <= this.mostResourceCells;
    // All currencies are known as far: one that nothing costs any more is final.
    const options = { ...this.options, asOf: this.options.asOf ?? this.#calendar.next(this.#last) };
    return books.map(([currency, book]) => tableOf(book, currency, this.#calendar, options, withResources));
  }
}
