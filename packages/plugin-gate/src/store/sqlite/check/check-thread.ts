import { workerData } from 'node:worker_threads';
import { runCheckThread } from '../../check/run-check-thread.js';
import type { ApproverGroups } from '../../store-options.js';
import { openReading } from '../file/connection.js';
import { beginPass } from './check-pass.js';

// The entry of the thread that compares the store with its chain, with a connection of its own that only reads.

export interface CheckThreadData {
  path: string;
  approvers: readonly ApproverGroups[] | undefined;
  pauseMs: number;
}

const { path, approvers, pauseMs } = workerData as CheckThreadData; // given by the store
const db = openReading(path);
const verified = new Map<number, string>();

await runCheckThread(() => beginPass(db, approvers, verified), pauseMs);
