/** Bounds how much is done at a time. */
export interface Slots {
  /** Waits for a free slot, holds it while the work goes on, and passes it to whoever has waited longest. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function slots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const acquire = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const granted = () => {
        signal.removeEventListener('abort', gone);
        resolve();
      };
      const gone = () => {
        waiting.delete(granted);
        reject(signal.reason);
      };
      waiting.add(granted);
      signal.addEventListener('abort', gone, { once: true });
    });
  const release = () => {
    const [first] = waiting;
    if (!first) free += 1;
    else {
      waiting.delete(first);
      first();
    }
  };
  return {
    run: async (signal, work) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await acquire(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
