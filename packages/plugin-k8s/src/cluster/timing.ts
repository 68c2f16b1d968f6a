import { setTimeout as wait } from 'node:timers/promises';

/** Time that passes, and chance: all that the pace of requests depends on. */
export interface Timing {
  /** Milliseconds that never go back. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to less than 1. */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  wait: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await wait(ms, undefined, { ...(signal && { signal }) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
  random: () => Math.random(),
};
