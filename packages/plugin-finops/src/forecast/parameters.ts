import type { Period } from './future.js';
import type { KnownChange, Match } from './known-changes.js';

/** What may be spent in each period, in units of the currency. */
export interface Budget {
  id: string;
  amount: number;
  period: Period;
  /** Dimensions of what it is about; absent: everything. */
  match?: Match;
}

/** How a forecast is made, defaults filled in; members as in requests and answers. */
export interface ForecastParameters {
  /** Buckets ahead; null: by the granularity. */
  horizon: number | null;
  /** Last bucket, inclusive; null: by the horizon. */
  until: string | null;
  /** Levels of the intervals, in percent, ascending. */
  levels: readonly number[];
  budgets: readonly Budget[];
  known_changes: readonly KnownChange[];
  /** Whether parts are made to sum to the total. */
  reconcile: boolean;
  backtest: { origins: number };
  /** Whether the buckets of the history are answered, too. */
  include_history: boolean;
}

export const MOST_BUCKETS_AHEAD = 400;
