import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@bylaw/core/clock';
import type { FromCheckThread } from '../check-on-thread.js';
import { rollOn } from '../rolling-check.js';
import { passOver } from '../store-pass.js';
import { type CheckThreadData, openPostgresStore } from './postgres-store.js';

// The entry of the thread that compares the store with its chain, with connections of its own that only read.

const { dsn, approvers, pauseMs } = workerData as CheckThreadData; // given by the store
const store = await openPostgresStore({
  dsn,
  approvers,
  role: 'read',
  key: { problem: 'a check signs nothing', hint: '' },
  clock: systemClock,
  random: randomBytes,
  dev: false,
  reportedBy: 'system',
  replica: 'check',
  sequenceWaitMs: 0,
  pollMs: 1000,
});
const verified = new Map<number, string>();

await rollOn({
  begin: () => passOver(store, verified),
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
