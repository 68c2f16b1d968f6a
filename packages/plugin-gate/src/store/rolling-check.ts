/**
 * Part of one processor that the check of a store takes, in addition to what reading costs the disk: after each piece of work it pauses
 * nine times as long. Records are written at the same speed but for that.
 */
export const CHECK_SHARE = 0.1;

/** How long after a pass the next one begins, in milliseconds. */
export const CHECK_PAUSE_MS = 10_000;

/** How often progress is reported at least, in milliseconds. */
const REPORT_MS = 1000;

/** One reading of the whole store. */
export interface CheckPass {
  /** Does a piece of the work that takes some milliseconds. @throws when the store cannot be read: the pass is given up */
  step(): Promise<PassProgress> | PassProgress;
}

export interface PassProgress {
  /** Records that have been compared. */
  checked: number;
  /** Records of the chain, as known by now. */
  records: number;
  /** What does not match so far; the first of them only. */
  faults: readonly string[];
  done: boolean;
}

/** How the check of a store stands. */
export interface CheckState {
  /** Passes that have ended since the start. */
  passes: number;
  /** Of the pass under way, or of the last one. */
  checked: number;
  records: number;
  /** RFC 3339 of the end of the last pass; null before. */
  lastPassAt: string | null;
  /** Of the pass under way, once it has found any, else of the last one: a fault counts until a whole pass has not found it. */
  faults: readonly string[];
}

export interface RollingCheck {
  begin: () => CheckPass;
  report: (state: CheckState) => void;
  /** Told of an error that gave up a pass. */
  failed: (error: unknown) => void;
  now: () => Date;
  pauseMs: number;
  sleep: (ms: number) => Promise<void>;
  stopped: () => boolean;
}

/** Compares a store with its chain, pass after pass, until it is stopped. */
export async function rollOn({ begin, report, failed, now, pauseMs, sleep, stopped }: RollingCheck): Promise<void> {
  let state: CheckState = { passes: 0, checked: 0, records: 0, lastPassAt: null, faults: [] };
  let reported = 0;
  const tell = (next: CheckState) => {
    const due = next.passes !== state.passes || next.faults.join() !== state.faults.join() || performance.now() - reported >= REPORT_MS;
    state = next;
    if (!due) return;
    reported = performance.now();
    report(state);
  };
  while (!stopped()) {
    const pass = begin();
    const before = state.faults;
    for (let done = false; !done && !stopped(); ) {
      const start = performance.now();
      try {
        const { checked, records, faults, done: ended } = await pass.step();
        const found = ended || faults.length > 0 ? faults : before;
        const { passes, lastPassAt } = state;
        tell({
          passes: ended ? passes + 1 : passes,
          checked,
          records,
          lastPassAt: ended ? now().toISOString() : lastPassAt,
          faults: found,
        });
        done = ended;
      } catch (error) {
        failed(error);
        done = true;
      }
      await sleep((performance.now() - start) * (1 / CHECK_SHARE - 1));
    }
    await sleep(pauseMs);
  }
}
