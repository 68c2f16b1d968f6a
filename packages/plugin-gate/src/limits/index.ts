/** How many requests are let in: token buckets per adapter and per principal, in this process. */
export { adapterLimiter, type KeyedLimiter, principalLimiter } from './keyed-limiter.js';
export { BURST_SECONDS, type MonotonicNow, type TokenBucket, tokenBucket } from './token-bucket.js';
