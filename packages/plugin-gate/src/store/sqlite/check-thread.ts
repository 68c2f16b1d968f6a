import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ApproverGroups } from '../approver-groups.js';
import type { FromCheckThread } from '../check-on-thread.js';
import { rollOn } from '../rolling-check.js';
import { beginPass } from './check-pass.js';
import { openReading } from './connection.js';

// The entry of the thread that compares the store with its chain, with a connection of its own that only reads.

export interface CheckThreadData {
  path: string;
  approvers: readonly ApproverGroups[] | undefined;
  pauseMs: number;
}

const { path, approvers, pauseMs } = workerData as CheckThreadData; // given by the store
const db = openReading(path);
const verified = new Map<number, string>();

await rollOn({
  begin: () => beginPass(db, approvers, verified),
  report: (state) => send({ state }),
  failed: (error) => send({ failed: error instanceof Error ? error.message : String(error) }),
  now: () => new Date(),
  pauseMs,
  sleep: (ms) => sleep(ms),
  // The thread is terminated.
  stopped: () => false,
});

function send(message: FromCheckThread): void {
  parentPort?.postMessage(message);
}
