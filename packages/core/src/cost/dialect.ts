import type { CostRow, Metric, RowFault } from './cost-row.js';

/** A form of cost export: which columns it has, and what a row of it says. */
export interface Dialect {
  name: string;
  /** Whether a table with these columns is of this form. Names are normalised, see `columnName`. */
  recognises(columns: ReadonlySet<string>): boolean;
  /** Normalised columns that it reads for a metric, each with whether a row is worth nothing without it. */
  columns(metric: Metric): readonly { name: string; required: boolean }[];
  /** Normalised columns that hold a dimension, the first that exists is used; undefined for a dimension that the form does not have. */
  dimension(name: string): readonly string[] | undefined;
  /** Reads a row. `field` gives the text of a normalised column, empty where the table has none. */
  row(field: (column: string) => string, metric: Metric): Omit<CostRow, 'dimensions'> | RowFault;
}

/** `lineItem/UsageStartDate`, `line_item_usage_start_date` and `LineItemUsageStartDate` are one column: `lineitemusagestartdate`. */
export function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
