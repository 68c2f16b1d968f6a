import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { StoredRecord } from '../../../evidence/index.js';
import { StoreError } from '../../store.js';
import { errorOf, type Failure } from '../file/failure.js';
import { type RangePart, type RangeRequest, readPart } from './range.js';

/** Reads parts of ranges, one after another. */
export interface PartReader {
  read(request: RangeRequest): Promise<RangePart>;
  close(): Promise<void>;
}

/** All parts of a range. The next is read while one is used, and no more than that: who stops early has cost no more. */
export async function* readRange(reader: PartReader, request: RangeRequest): AsyncGenerator<readonly StoredRecord[], void, void> {
  let coming: Promise<RangePart> | undefined = request.from > request.to ? undefined : reader.read(request);
  while (coming !== undefined) {
    const { records, next }: RangePart = await coming;
    coming = next === undefined ? undefined : reader.read({ ...request, from: next });
    coming?.catch(() => undefined); // awaited in the next turn; a failure must not count as unhandled until then
    if (records.length > 0) yield records;
  }
}

/** Reads on this thread: for commands. */
export function directPartReader(db: DatabaseSync): PartReader {
  return { read: async (request) => readPart(db, request), close: async () => undefined };
}

export type FromRangeThread = { part: RangePart } | { failure: Failure };

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../../dist/store/sqlite/reads/range-thread.js', import.meta.url);

/** Reads on a thread of its own, which starts with the first range: a server goes on answering while an export waits for the disk. */
export function threadPartReader(path: string): PartReader {
  let thread: { worker: Worker; read: PartReader['read'] } | undefined;
  return {
    read(request) {
      thread ??= startThread(path, () => {
        thread = undefined;
      });
      return thread.read(request);
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}

function startThread(path: string, onEnd: () => void): { worker: Worker; read: PartReader['read'] } {
  const worker = new Worker(THREAD_FILE, { workerData: path });
  const waiting: { resolve(part: RangePart): void; reject(error: Error): void }[] = [];
  const end = (cause?: unknown) => {
    onEnd();
    for (const { reject } of waiting.splice(0))
      reject(new StoreError('AG-EVD-002', 'The thread that reads the store has ended.', { cause }));
  };
  worker.on('message', (message: FromRangeThread) => {
    const waiter = waiting.shift();
    if ('part' in message) waiter?.resolve(message.part);
    else waiter?.reject(errorOf(message.failure));
  });
  worker.on('error', end);
  worker.on('exit', () => end());
  // An idle reader keeps no process alive.
  worker.unref();
  return {
    worker,
    read: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(request);
      }),
  };
}
