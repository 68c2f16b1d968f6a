import type { Round } from './sequence.js';

export interface Sequencer {
  /** There is something to number. */
  wake(): void;
  /** Ends after the round that is under way. */
  stop(): Promise<void>;
}

/**
 * Runs one round after another: at once when there is more to do, else when it is woken, and every `pollMs` in any case.
 * A round that fails is reported, and tried again after `pollMs`, later and later up to a second.
 */
export function startSequencer(
  round: () => Promise<Round>,
  pollMs: number,
  { onRound, onError }: { onRound: (round: Round) => void; onError: (error: unknown) => void },
): Sequencer {
  let stopped = false;
  let woken = false;
  let wakeUp = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (woken || stopped) wakeUp();
    });
  const run = async () => {
    let failures = 0;
    while (!stopped) {
      woken = false;
      try {
        const done = await round();
        failures = 0;
        onRound(done);
        if (!done.led || !done.full) await pause(pollMs);
      } catch (error) {
        failures += 1;
        onError(error);
        // A crowd that wakes it must not make it hammer a database that is down.
        await new Promise((resolve) => setTimeout(resolve, Math.min(1000, pollMs * failures)));
      }
    }
  };
  const ended = run();
  return {
    wake() {
      woken = true;
      wakeUp();
    },
    async stop() {
      stopped = true;
      wakeUp();
      await ended;
    },
  };
}
