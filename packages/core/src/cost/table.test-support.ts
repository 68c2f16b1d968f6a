import { type CostInput, type CostLeaf, type CostTable, costTables } from './index.js';

/** A row of FOCUS: what is not named is the plainest. */
export interface Row {
  start: string;
  end?: string;
  cost: number | string | null;
  more?: { readonly [column: string]: unknown };
}

export function focusRow({ start, end, cost, more = {} }: Row): { [column: string]: unknown } {
  const day = new Date(Date.parse(start.length === 10 ? `${start}T00:00:00Z` : start) + 86_400_000).toISOString();
  return {
    ...{ ChargePeriodStart: start, ChargePeriodEnd: end ?? day, EffectiveCost: cost, BillingCurrency: 'USD', ChargeCategory: 'Usage' },
    ...{ ChargeFrequency: 'Usage-Based', ServiceName: 'EC2', RegionId: 'eu-west-1', SubAccountId: '111' },
    ...more,
  };
}

/** The tables of rows. */
export function tablesOf(rows: readonly Row[], input: Omit<CostInput, 'focus_rows'> = {}, dimensions: readonly string[] = []): CostTable[] {
  return costTables({ ...input, focus_rows: rows.map(focusRow) }, dimensions);
}

/** The one table of rows. */
export function tableOf(rows: readonly Row[], input: Omit<CostInput, 'focus_rows'> = {}, dimensions: readonly string[] = []): CostTable {
  const [table, other] = tablesOf(rows, input, dimensions);
  if (!table || other) throw new Error('there is not one table');
  return table;
}

/** Bucket → cost of one leaf; a gap is null. */
export function costsOf({ buckets }: CostTable, leaf: CostLeaf | undefined): { [bucket: string]: number | null } {
  return Object.fromEntries(buckets.map((bucket, at) => [bucket, Number.isNaN(leaf?.cost[at]) ? null : (leaf?.cost[at] ?? null)]));
}

/** A table as values that can be compared: typed arrays as lists, NaN as null, maps as lists. */
export function plain(value: unknown): unknown {
  if (value instanceof Float64Array) return [...value].map((number) => (Number.isNaN(number) ? null : number));
  if (value instanceof Map) return [...value].map(([key, inner]) => [key, plain(inner)]);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  return value;
}

export function daysFrom(first: string, count: number): string[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, day) => new Date(start + day * 86_400_000).toISOString().slice(0, 10));
}
