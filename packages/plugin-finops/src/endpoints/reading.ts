import { type CostInput, type CostTable, SETTLE_DAYS } from '@bylaw/core/cost';

/** How cost is read, whatever it is read from. */
export type ReadingInput = Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>;

/** How the input was read, defaults filled in. */
export function readingOf(input: ReadingInput, [table]: readonly CostTable[]) {
  return {
    currency: input.currency ?? null,
    fx: input.fx ?? null,
    metric: input.metric ?? 'EffectiveCost',
    group_by: input.group_by ?? [],
    granularity: table?.granularity ?? input.granularity ?? 'day',
    timezone: input.timezone ?? 'UTC',
    as_of: input.as_of ?? null,
    settle_days: settleDaysOf(input, table),
    include_categories: input.include_categories ?? ['Usage', 'Purchase'],
    recency: input.recency ?? null,
  };
}

/** Null where `recency` says what is final. */
function settleDaysOf({ settle_days, as_of, recency }: ReadingInput, table: CostTable | undefined): number | null {
  if (recency?.length) return null;
  const isFinal = as_of === undefined && table?.leaves.some(({ id }) => id !== undefined) === true;
  return settle_days ?? (isFinal ? 0 : SETTLE_DAYS[table?.granularity ?? 'day']);
}

/** A table as plain values, for its digest. */
export function digested({ currency, granularity, timezone, buckets, provisionalFrom, leaves }: CostTable): object {
  const column = (values: Float64Array | undefined) => values && Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  return {
    currency,
    granularity,
    timezone,
    buckets,
    provisionalFrom,
    leaves: leaves.map(({ id, dimensions, cost, quantity, unit, committed, unused, oneTime, resources }) => ({
      id,
      dimensions,
      cost: column(cost),
      quantity: column(quantity),
      unit,
      committed: column(committed),
      unused: column(unused),
      oneTime: column(oneTime),
      resources: resources && [...resources].map(([resource, amounts]) => [resource, ...amounts]),
    })),
  };
}
