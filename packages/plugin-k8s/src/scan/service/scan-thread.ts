import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ScanJob } from './scan-job.js';

/** What a thread answers: the report as UTF-8, or an error that is no defect. */
export type ThreadAnswer = { bytes: Uint8Array<ArrayBuffer> } | { error: { code: string; message: string; hint?: string } };

/** Threads run the compiled file, also where the sources are run by a test runner. */
const WORKER_FILE = new URL('../../../dist/scan/service/scan-worker.js', import.meta.url);

/**
 * Does a scan on a thread of its own, so that the one that serves sockets parses no pages. The thread ends with the scan, or with the signal.
 * @throws what the scan throws as a defect; the reason of the signal
 */
export async function scanOnThread(job: ScanJob, signal: AbortSignal): Promise<ThreadAnswer> {
  signal.throwIfAborted();
  const worker = new Worker(WORKER_FILE, { workerData: job });
  const ended = once(worker, 'exit').then(() => {
    throw signal.aborted ? signal.reason : new Error('a scan thread ended early');
  });
  ended.catch(() => undefined); // whoever loses the race below
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [answer] = await Promise.race([once(worker, 'message'), ended]); // `once` throws the error of the thread
    return answer as ThreadAnswer; // sent by scan-worker.ts
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
