import { Worker } from 'node:worker_threads';
import type { ApproverGroups } from '../approver-groups.js';
import type { CheckState } from '../rolling-check.js';

export interface CheckThreadData {
  path: string;
  approvers: readonly ApproverGroups[] | undefined;
  pauseMs: number;
}

export type FromCheckThread = { state: CheckState } | { failed: string };

export interface ThreadCheck {
  /** Undefined before the first report. */
  state(): CheckState | undefined;
  stop(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../dist/store/sqlite/check-thread.js', import.meta.url);

/**
 * Compares the store with its chain on a thread of its own. It keeps no process alive.
 * @param onFault told once of each fault, and of what keeps the check from going on
 */
export function checkOnThread(data: CheckThreadData, onFault: (message: string) => void): ThreadCheck {
  const worker = new Worker(THREAD_FILE, { workerData: data });
  let state: CheckState | undefined;
  let known: ReadonlySet<string> = new Set();
  worker.on('message', (message: FromCheckThread) => {
    if ('failed' in message) return onFault(`The store could not be checked: ${message.failed}`);
    state = message.state;
    for (const fault of state.faults) if (!known.has(fault)) onFault(`The store does not match its chain: ${fault}`);
    known = new Set(state.faults);
  });
  worker.on('error', (error) => onFault(`The check of the store has ended: ${error.message}`));
  worker.unref();
  return {
    state: () => state,
    stop: async () => {
      await worker.terminate();
    },
  };
}
