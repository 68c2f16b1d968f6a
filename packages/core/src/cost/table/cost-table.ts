export const GRANULARITIES = ['hour', 'day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/**
 * Cost over time, in buckets of equal granularity, split as finely as the input allows: what every form of cost input is read into.
 * The cost of a group is the sum of its leaves.
 */
export interface CostTable {
  /** ISO 4217, or the virtual currency that the input names. */
  currency: string;
  granularity: Granularity;
  /** IANA name of the zone whose hours, days and months the buckets are. */
  timezone: string;
  /** Start of each bucket: `2026-05-30` for days, weeks and months, `2026-05-30T13:00:00Z` for hours. Ascending, without holes. */
  buckets: readonly string[];
  /** Index of the first bucket whose data may still change; `buckets.length` where all are final. */
  provisionalFrom: number;
  /** Names of the dimensions of the leaves, sorted. */
  dimensions: readonly string[];
  /** Sorted by their dimensions. */
  leaves: readonly CostLeaf[];
  /** What is not part of the leaves, as totals of its own. */
  excluded: { tax: number; credit: number; adjustment: number; other: number };
  /** Rows of the class Correction: they adjust the period to which they belong. */
  corrections: { rows: number; amount: number };
  rows: number;
  warnings: readonly CostWarning[];
}

export interface CostLeaf {
  /** Name of the series, where the input is series. */
  id?: string;
  /** Name → value, a value for each name of the table; empty where the input names none. */
  dimensions: { readonly [name: string]: string };
  /** In units of the currency, one per bucket; NaN is a gap. */
  cost: Float64Array;
  /** Quantity used and priced, in `unit`; NaN where the input does not say. Absent where it never does, or in several units. */
  quantity?: Float64Array;
  unit?: string;
  /** Share of the quantity that a commitment covered, 0 to 1; of the cost where there is no quantity. NaN where nothing was used. */
  committed?: Float64Array;
  /** Cost of commitments that nothing used. */
  unused?: Float64Array;
  /** Cost of single resources by their identifier, sparse: bucket → amount; of commitments only where something used them. */
  resources?: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Whether the cost of a bucket comes from one-time charges. */
  oneTime?: Float64Array;
}

export interface CostWarning {
  code: string;
  message: string;
  /** JSON Pointer into the request, or file and line. */
  path?: string;
}
