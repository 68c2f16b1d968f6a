import { ExactSum } from '../../number/index.js';
import { costError } from '../cost-error.js';
import { ownText } from '../values/own-text.js';

/** ISO 4217 for "no currency". */
export const NO_CURRENCY = 'XXX';

/** Buckets are called by their start in quarters of an hour: maps are fast with small whole numbers, and no zone has finer offsets. */
export const QUARTER = 900_000;

/** Costs of single resources are kept in millionths, as whole numbers, which add up alike in any order. */
export const MICRO = 1_000_000;

export type Excluded = 'tax' | 'credit' | 'adjustment' | 'other';
export const EXCLUDED: { readonly [category: string]: Excluded } = { Tax: 'tax', Credit: 'credit', Adjustment: 'adjustment' };

/** What is known of one currency. */
export interface Book {
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

export interface LeafBook {
  dimensions: readonly string[];
  /** By the start of the bucket in quarters of an hour. */
  cells: Map<number, Cell>;
  units: Set<string>;
  /** In millionths of the currency, as whole numbers, which add up alike in any order. */
  resources: Map<string, Map<number, number>>;
}

export interface Cell {
  cost: ExactSum;
  quantity?: ExactSum;
  /** Cost that a commitment covered, and its quantity. */
  committed?: ExactSum;
  committedQuantity?: ExactSum;
  unused?: ExactSum;
  oneTime?: ExactSum;
}

export function newBook(): Book {
  const excluded = { tax: new ExactSum(), credit: new ExactSum(), adjustment: new ExactSum(), other: new ExactSum() };
  return { rows: 0, unnamed: 0, purchases: 0, corrections: 0, corrected: new ExactSum(), excluded, leaves: [], tree: newBranch() };
}

function newBranch(): Branch {
  return { next: new Map() };
}

export function newCell(): Cell {
  return { cost: new ExactSum() };
}

/** The leaf of a row, made where it is the first of it. */
export function leafFor(book: Book, dimensions: readonly string[]): LeafBook {
  let branch = book.tree;
  for (const value of dimensions) branch = found(branch.next, value, newBranch);
  if (!branch.leaf) {
    branch.leaf = newLeaf(dimensions.map(ownText));
    book.leaves.push(branch.leaf);
  }
  return branch.leaf;
}

function newLeaf(dimensions: readonly string[]): LeafBook {
  return { dimensions, cells: new Map(), units: new Set(), resources: new Map() };
}

export type CellSum = Exclude<keyof Cell, 'cost'>;

export function addTo(cell: Cell, member: CellSum, amount: number): void {
  cell[member] ??= new ExactSum();
  cell[member].add(amount);
}

/** What a map has for a key, made where there is nothing yet. */
export function found<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(ownText(key), made);
  return made;
}

export function tooLarge() {
  return costError('cost-too-large', 'The input has too many series or buckets.', {
    hint: 'Group by fewer dimensions, use a coarser granularity, or check the dates.',
  });
}
