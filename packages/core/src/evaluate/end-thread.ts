import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** A thread that has nothing to do ends in milliseconds. */
const PATIENCE_MS = 5_000;

/** Ends a thread, busy or not. On a machine under load a thread was seen not to tell of its end: nobody waits for that longer than five seconds. */
export async function endThread(worker: Worker): Promise<void> {
  worker.unref();
  await Promise.race([worker.terminate(), sleep(PATIENCE_MS, undefined, { ref: false })]);
}
