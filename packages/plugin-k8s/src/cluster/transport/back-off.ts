import type { Timing } from '../timing.js';

const FIRST_MS = 500;
const MOST_MS = 10_000;

/** A server may ask for a pause, but not for any. */
const MOST_ASKED_MS = 60_000;

/**
 * Milliseconds to wait after so many failures in a row: about twice as long each time, half of it left to chance, so that clients which
 * failed together do not come back together.
 */
export function backOff(failures: number, timing: Timing): number {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** (failures - 1));
  return full * (0.5 + timing.random() / 2);
}

/** Milliseconds that `Retry-After` asks for, in seconds or as a date (RFC 9110, section 10.2.3); undefined where it says nothing useful. */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value)
    ? Number(value) * 1000
    : /^[A-Z][a-z]{2}, /.test(value)
      ? Date.parse(value) - now.getTime()
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MOST_ASKED_MS);
}
