/** Tells milliseconds that never go back, as `performance.now`. */
export type MonotonicNow = () => number;

/** Admits requests at a sustained rate, with a first burst. */
export interface TokenBucket {
  /**
   * Takes a token for one request.
   * @returns 0 when the request is admitted; else the seconds, rounded up to milliseconds, after which there will be one
   */
  take(): number;
  /** Whether it holds all it can hold, so that a new one would do the same. */
  isFull(): boolean;
}

/** The bucket holds this many seconds of requests. */
export const BURST_SECONDS = 3;

/** A rate that is spent over days; from here on its bucket holds a single request. Without it, a low rate would never admit any. */
const LEAST_CAPACITY = 1;

/** Levels are in thousandths of a request, so that a millisecond adds `rate` of them. */
const REQUEST = 1000;

/** Less by what sums of doubles may be wrong by: who waits as long as told shall be admitted. */
const ENOUGH = REQUEST - 1e-6;

/** @param rate requests per second; 0 admits everything */
export function tokenBucket(rate: number, now: MonotonicNow): TokenBucket {
  if (rate === 0) return { take: () => 0, isFull: () => true };
  const capacity = capacityOf(rate);
  let level = capacity;
  let filledAt = now();
  const levelAt = (at: number) => Math.min(capacity, level + Math.max(0, at - filledAt) * rate);
  return {
    take: () => {
      const at = now();
      level = levelAt(at);
      filledAt = at;
      if (level < ENOUGH) return Math.ceil((ENOUGH - level) / rate) / 1000;
      level -= REQUEST;
      return 0;
    },
    isFull: () => levelAt(now()) === capacity,
  };
}

function capacityOf(rate: number): number {
  return Math.max(LEAST_CAPACITY, BURST_SECONDS * rate) * REQUEST;
}
