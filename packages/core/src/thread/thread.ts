import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { isOutOfMemory, resourceLimits, ThreadMemoryError, watchHeap } from './thread-memory.js';
import { type FromThread, ownBuffers, type ProgramFailure, type Reply, type ToThread } from './thread-messages.js';

export interface ThreadOptions {
  /** The compiled file that the thread runs. It calls `serveThread`. */
  program: URL;
  /** Data that the program is prepared with. */
  setup?: unknown;
  /** MiB that the objects of the thread may take; absent: as much as the engine allows. */
  heapMb?: number | undefined;
}

/** A worker thread that answers messages in the order in which they come. It keeps the process alive only while an answer is pending. */
export interface Thread {
  /** Resolves when the program is prepared; rejects if the thread ends before. */
  readonly ready: Promise<unknown>;
  /** Resolves when the thread can no longer answer, with the reason. */
  readonly ended: Promise<Error>;
  /**
   * The answer, or the first chunk of it.
   * @param handOver whether the bytes in `body` move to the thread, so that they cannot be used here any more; otherwise they are copied
   * @throws {ProgramError} what the program throws; {ThreadMemoryError}; the reason why the thread ended
   */
  ask(message: unknown, handOver?: boolean): Promise<Reply>;
  /** The next chunk of an answer, or, as a value, its end. @throws as `ask` */
  more(): Promise<Reply>;
  /** Ends the thread, busy or not. @param reason the error of pending answers */
  end(reason?: Error): Promise<void>;
}

/** An error that the program of a thread throws, with its own name and stack. The thread goes on. */
export class ProgramError extends Error {
  constructor({ name, message, stack }: ProgramFailure) {
    super(message);
    this.name = name;
    if (stack !== undefined) this.stack = stack;
  }
}

export function startThread({ program, setup, heapMb }: ThreadOptions): Thread {
  const worker = new Worker(program, { workerData: setup, ...compileCache(), resourceLimits: resourceLimits(heapMb) });
  const waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  const ended = Promise.withResolvers<Error>();
  let failure: Error | undefined;
  let stopWatching: (() => void) | undefined;
  const rest = () => {
    worker.unref();
    stopWatching?.();
  };
  const fail = (error: Error) => {
    if (failure) return;
    failure = error;
    ended.resolve(error);
    for (const { reject } of waiting.splice(0)) reject(error);
    rest();
  };
  const work = () => {
    worker.ref();
    if (heapMb !== undefined) stopWatching = watchHeap(worker, heapMb, () => fail(new ThreadMemoryError()));
  };
  const reply = () =>
    new Promise<Reply>((resolve, reject) => {
      if (failure) return reject(failure);
      if (waiting.push({ resolve, reject }) === 1) work();
    });
  worker.on('message', (message: FromThread) => {
    const asker = waiting.shift();
    if (waiting.length === 0) rest();
    if (!('failure' in message)) asker?.resolve(message);
    else if (isOutOfMemory(message.failure)) fail(new ThreadMemoryError());
    else asker?.reject(new ProgramError(message.failure));
  });
  worker.on('error', (error) => fail(isOutOfMemory(error) ? new ThreadMemoryError() : error));
  worker.on('exit', () => fail(new Error('a thread ended early')));
  const ready = reply();
  ready.catch(() => undefined); // whoever asks is told as well
  return {
    ready,
    ended: ended.promise,
    ask: (message, handOver = false) => {
      const answer = reply();
      if (!failure) worker.postMessage({ message } satisfies ToThread, handOver ? ownBuffers(message) : []);
      return answer;
    },
    more: () => {
      const answer = reply();
      if (!failure) worker.postMessage({ more: true } satisfies ToThread);
      return answer;
    },
    end: async (reason) => {
      if (reason) fail(reason);
      await endWorker(worker);
    },
  };
}

/** A thread that has nothing to do ends in milliseconds. */
const PATIENCE_MS = 5_000;

/** On a machine under load a thread was seen not to report its end: nobody waits for that longer than five seconds. */
async function endWorker(worker: Worker): Promise<void> {
  worker.unref();
  // It is what keeps the process alive meanwhile: a program that waits for this must not end before.
  const patience = new AbortController();
  const ended = worker.terminate().finally(() => patience.abort());
  await Promise.race([ended, sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
}

/** A thread does not inherit the compile cache of the one that starts it, but takes it from its environment. */
function compileCache(): { env?: NodeJS.ProcessEnv } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { env: { ...process.env, NODE_COMPILE_CACHE: dirname(folder) } };
}
