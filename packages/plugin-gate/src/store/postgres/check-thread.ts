import { randomBytes } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { systemClock } from '@bylaw/core/clock';
import { runCheckThread } from '../check/run-check-thread.js';
import { passOver } from '../check/store-pass.js';
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

await runCheckThread(() => passOver(store, verified), pauseMs);
