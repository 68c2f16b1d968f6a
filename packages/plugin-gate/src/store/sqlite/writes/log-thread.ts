import { parentPort, workerData } from 'node:worker_threads';
import { openWriting } from '../file/connection.js';
import { type Failure, failureOf } from '../file/failure.js';

// The entry of the thread that moves pages from the write-ahead log into the file, each time it is asked, while the writer goes on.
const db = openWriting(String(workerData));
const move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const MOST_TIMES = 3;

parentPort?.on('message', () => {
  parentPort?.postMessage(moved());
});

function moved(): Failure | undefined {
  try {
    // The writer goes on meanwhile. Only when nothing is left can it use the log again from its beginning.
    for (let time = 0; time < MOST_TIMES; time++) {
      const { log, checkpointed } = move.get() ?? {};
      if (log === checkpointed) break;
    }
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}
