import { type MonotonicNow, type TokenBucket, tokenBucket } from './token-bucket.js';

/** A bucket for every key. */
export interface KeyedLimiter {
  /** See `TokenBucket.take`. */
  take(key: string): number;
  /** Buckets that are kept. */
  readonly size: number;
}

/** One bucket for every adapter. There are as many as are registered. */
export function adapterLimiter(rate: number, now: MonotonicNow): KeyedLimiter {
  return keyedLimiter(rate, now, Number.POSITIVE_INFINITY);
}

const MAX_PRINCIPALS = 100_000;

/**
 * One bucket for every principal, whichever adapter speaks for it. Callers invent principals, so those are forgotten whose
 * bucket is full again, which loses nothing; where there are too many at one time, new ones share one bucket.
 */
export function principalLimiter(rate: number, now: MonotonicNow, maxPrincipals = MAX_PRINCIPALS): KeyedLimiter {
  return keyedLimiter(rate, now, maxPrincipals);
}

/** Two go for each that comes, so the full ones get fewer, and no request pays for many. */
const FORGET_AT_ONCE = 2;

function keyedLimiter(rate: number, now: MonotonicNow, maxKeys: number): KeyedLimiter {
  // In the order of their last use: the first is the likeliest to be full.
  const buckets = new Map<string, TokenBucket>();
  const overflow = tokenBucket(rate, now);
  const take = (key: string) => {
    const known = buckets.get(key);
    buckets.delete(key);
    forgetFull(buckets);
    if (!known && buckets.size >= maxKeys) return overflow.take();
    const bucket = known ?? tokenBucket(rate, now);
    buckets.set(key, bucket);
    return bucket.take();
  };
  return {
    take: rate === 0 ? () => 0 : take,
    get size() {
      return buckets.size;
    },
  };
}

function forgetFull(buckets: Map<string, TokenBucket>): void {
  let looked = 0;
  for (const [key, bucket] of buckets) {
    if (looked++ === FORGET_AT_ONCE || !bucket.isFull()) return;
    buckets.delete(key);
  }
}
