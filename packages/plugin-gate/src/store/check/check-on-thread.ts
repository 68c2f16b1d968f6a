import { Worker } from 'node:worker_threads';
import type { CheckState } from '../rolling-check.js';

export type FromCheckThread = { state: CheckState } | { failed: string };

export interface ThreadCheck {
  /** Undefined before the first report. */
  state(): CheckState | undefined;
  stop(): Promise<void>;
}

/**
 * Compares the store with its chain on a thread of its own, which reads with a connection of its own. It keeps no process alive.
 * @param file entry of the thread, compiled; it sends `FromCheckThread`
 * @param onFault told once of each fault, and of what keeps the check from going on
 */
export function checkOnThread(file: URL, data: object, onFault: (message: string) => void): ThreadCheck {
  const worker = new Worker(file, { workerData: data });
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
