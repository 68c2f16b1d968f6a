/** How anomalies are searched for, defaults filled in; members as in requests and answers. */
export interface AnomalyParameters {
  /** Distance from the expected value, in usual residuals, from which on a value is an alarm. */
  threshold_z: number;
  /** Both must be passed. */
  min_impact: { amount: number; percent: number };
  direction: 'both' | 'up';
  /** Dimensions whose groups are watched; `*` is the total. */
  monitors: readonly (readonly string[])[];
  max_drivers: number;
  planned: readonly PlannedEvent[];
  /** Days before the last bucket that are looked at. */
  history_days: number;
  include_buckets: boolean;
}

/** Something that was known before, such as a launch: what it does to the cost is not a surprise. */
export interface PlannedEvent {
  start: string;
  end: string;
  /** Dimensions of what it touches; empty: everything. */
  match?: { readonly [dimension: string]: string };
  note?: string;
}

export const SENSITIVITIES = { low: 6, normal: 4.5, high: 3 } as const;
