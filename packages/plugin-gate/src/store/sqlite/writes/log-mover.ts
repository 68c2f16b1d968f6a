import { Worker } from 'node:worker_threads';
import { errorOf, type Failure } from '../file/failure.js';

/** Moves what the writer has put into its log to where it belongs in the file. */
export interface LogMover {
  /** Asks for it. While it is being done, asking again has it done once more. */
  move(): void;
  close(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../../dist/store/sqlite/writes/log-thread.js', import.meta.url);

/**
 * Starts a thread for it. The writer could do it itself, after a commit now and then; all that wait for that commit would wait for
 * thousands of pages and two more syncs. The log stays as it is until both have no more to do with it, and is then used again.
 * @param onFatal the disk gave an error: what it holds cannot be known any more
 */
export function startLogMover(path: string, onFatal: (error: Error) => void): LogMover {
  const worker = new Worker(THREAD_FILE, { workerData: path });
  let asked = 0;
  worker.on('message', (failure: Failure | undefined) => {
    if (failure?.fatal) onFatal(errorOf(failure));
    // What was asked meanwhile is one more time.
    asked = Math.min(asked - 1, 1);
    if (asked > 0) worker.postMessage('move');
  });
  // The writer notices what is wrong with the file, and moves the pages when this thread does not.
  worker.on('error', () => undefined);
  worker.unref();
  return {
    move() {
      asked += 1;
      if (asked === 1) worker.postMessage('move');
    },
    async close() {
      await worker.terminate();
    },
  };
}
