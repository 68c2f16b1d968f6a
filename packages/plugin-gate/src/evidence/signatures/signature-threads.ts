import { Worker } from 'node:worker_threads';

/** Signatures over hashes of records, all of one key. */
export interface SignaturesToCheck {
  /** Raw key, base64url. */
  publicKey: string;
  hashes: string[];
  signatures: string[];
}

export interface FromSignatureThread {
  /** Position of the first signature that does not verify; null: all do. */
  invalid: number | null;
}

export interface SignatureThreads {
  /** @returns the position of the first signature that does not verify; null: all do. @throws {Error} the thread has ended */
  firstInvalid(request: SignaturesToCheck): Promise<number | null>;
  stop(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../dist/evidence/signatures/signature-thread.js', import.meta.url);

/** Two: more would take processors from the decisions. */
const THREADS = 2;

/** Verifies signatures on threads of its own. They start with the first request, and keep no process alive. */
export function signatureThreads(): SignatureThreads {
  const threads: Thread[] = [];
  let next = 0;
  return {
    firstInvalid: (request) => {
      const place = next++ % THREADS;
      let thread = threads[place];
      if (thread === undefined || thread.ended()) {
        thread = startThread();
        threads[place] = thread;
      }
      return thread.ask(request);
    },
    stop: async () => {
      for (const { worker } of threads) await worker.terminate();
    },
  };
}

interface Thread {
  worker: Worker;
  ask(request: SignaturesToCheck): Promise<number | null>;
  ended(): boolean;
}

function startThread(): Thread {
  const worker = new Worker(THREAD_FILE);
  const waiting: { resolve(invalid: number | null): void; reject(error: Error): void }[] = [];
  let ended = false;
  const end = (cause?: unknown) => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('The thread that verifies signatures has ended.', { cause }));
  };
  worker.on('message', ({ invalid }: FromSignatureThread) => waiting.shift()?.resolve(invalid));
  worker.on('error', end);
  worker.on('exit', () => end());
  worker.unref();
  return {
    worker,
    ended: () => ended,
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(request);
      }),
  };
}
