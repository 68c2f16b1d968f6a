import type { Timing } from '../timing.js';

/** Lets requests start at a bounded rate, in the order in which they ask. */
export interface Pace {
  /** Resolves when the next request may start. */
  take(signal: AbortSignal): Promise<void>;
}

/** A bucket of `burst` tokens, of which `rate` come back per second. One may be taken before it is there; who takes it waits for it. */
export function pace(rate: number, burst: number, timing: Timing): Pace {
  let level = burst;
  let filledAt = timing.now();
  return {
    take: async (signal) => {
      const now = timing.now();
      level = Math.min(burst, level + ((now - filledAt) * rate) / 1000) - 1;
      filledAt = now;
      if (level < 0) await timing.wait((-level * 1000) / rate, signal);
    },
  };
}
