import type { CostRow, Metric, RowFault } from './cost-row.js';
import type { UsageDetails } from './usage-row.js';

/** The values of the columns that a reader has asked for. */
export type Fields = readonly string[];

/** Place of a column among the fields, by its normalised name; that of an empty field where the table has no such column. */
export type PlaceOf = (column: string) => number;

/** A form of cost export: which columns it has, and what a row of it says. */
export interface Dialect {
  name: string;
  /** Whether a table with these columns is of this form. Names are normalised, see `columnName`. */
  recognises(columns: ReadonlySet<string>): boolean;
  /** Columns without which a row is worth nothing, by the names that users know. */
  required(metric: Metric): readonly string[];
  /** Normalised columns that hold a dimension, the first that exists is used; undefined for a dimension that the form does not have. */
  dimension(name: string): readonly string[] | undefined;
  /** A reader of rows, which are without their dimensions yet. */
  rows(place: PlaceOf, metric: Metric): (fields: Fields) => CostRow | RowFault;
  /** A reader of what was used, beside what `rows` tells. */
  usage(place: PlaceOf): (fields: Fields) => UsageDetails;
}

/** `lineItem/UsageStartDate`, `line_item_usage_start_date` and `LineItemUsageStartDate` are one column: `lineitemusagestartdate`. */
export function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** The first of some columns that holds a value; exports write `null` for an absent text, too. */
export function firstText(place: PlaceOf, columns: readonly string[]): (fields: Fields) => string {
  const places = columns.map(place);
  return (fields) => {
    for (const at of places) {
      const text = presentText(fields[at] ?? '');
      if (text !== '') return text;
    }
    return '';
  };
}

export function presentText(text: string): string {
  return text === 'null' || text === 'NULL' ? '' : text;
}

/** A number of a column, NaN where it holds none. */
export function amountOrNaN(amount: number | null | undefined): number {
  return amount ?? Number.NaN;
}

/** ISO 4217 codes are written in capitals. */
export function currencyName(text: string): string {
  return text.trim().toUpperCase();
}
