/** Answers that wait for their place in the chain. */
export interface Numbers {
  /** @returns the number that the reference names; 0 when it does not have one after that many milliseconds */
  wait(ref: string, ms: number): Promise<number>;
  /** Says what a sequencer here has numbered. */
  tell(numbers: ReadonlyMap<string, number>): void;
  /** Looks whether a sequencer somewhere else has numbered what this one waits for. */
  look(): void;
  /** Lets nobody wait any longer. */
  close(): void;
}

/**
 * @param find numbers of references, as far as they have one; 0 for one that does not have one yet
 * @param pollMs how often to look where nothing tells
 */
export function waitForNumbers(find: (refs: string[]) => Promise<ReadonlyMap<string, number>>, pollMs: number): Numbers {
  const waiting = new Map<string, (seq: number) => void>();
  let looking: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = (numbers: ReadonlyMap<string, number>) => {
    for (const [ref, seq] of numbers) if (seq > 0) waiting.get(ref)?.(seq);
  };
  const look = () => {
    if (looking !== undefined || waiting.size === 0) {
      again = looking !== undefined;
      return;
    }
    looking = find([...waiting.keys()])
      // A database that is down is noticed by whoever writes to it; who waits here goes without a number.
      .then(tell, () => {})
      .finally(() => {
        looking = undefined;
        if (again) look();
        again = false;
      });
  };
  const setTimer = () => {
    if (timer === undefined && waiting.size > 0) timer = setInterval(() => (waiting.size > 0 ? look() : stopTimer()), pollMs);
  };
  const stopTimer = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    wait(ref, ms) {
      if (ms === 0) return Promise.resolve(0);
      return new Promise((resolve) => {
        const end = (seq: number) => {
          clearTimeout(limit);
          waiting.delete(ref);
          resolve(seq);
        };
        const limit = setTimeout(end, ms, 0);
        waiting.set(ref, end);
        setTimer();
      });
    },
    tell,
    look,
    close() {
      stopTimer();
      for (const end of [...waiting.values()]) end(0);
    },
  };
}
