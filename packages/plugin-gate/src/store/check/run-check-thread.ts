import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type CheckPass, rollOn } from '../rolling-check.js';
import type { FromCheckThread } from './check-on-thread.js';

/**
 * Runs on the thread of a check: compares the store with its chain, pass after pass, until the thread is terminated, and sends each
 * state and each error to the thread that started it.
 * @param pauseMs after each pass
 */
export function runCheckThread(begin: () => CheckPass, pauseMs: number): Promise<void> {
  return rollOn({
    begin,
    report: (state) => send({ state }),
    failed: (error) => send({ failed: error instanceof Error ? error.message : String(error) }),
    now: () => new Date(),
    pauseMs,
    sleep: (ms) => sleep(ms),
    stopped: () => false,
  });
}

function send(message: FromCheckThread): void {
  parentPort?.postMessage(message);
}
