import { Worker } from 'node:worker_threads';

/** Signatures over hashes of records, all of one key. */
export interface SignaturesToCheck {
  /** Raw key, base64url. */
  publicKey: string;
  hashes: string[];
  signatures: string[];
}

export interface FromSignatureThread {
  /** Positions of the signatures that do not verify, ascending. */
  invalid: number[];
}

export interface SignatureThreads {
  /** @returns the positions of the signatures that do not verify, ascending. @throws {Error} the thread has ended */
  invalid(request: SignaturesToCheck): Promise<number[]>;
  stop(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../dist/evidence/signatures/signature-thread.js', import.meta.url);

/** Verifies signatures on threads of its own. They start with the first requests, and keep a process alive only while a request waits. */
export function signatureThreads(count: number): SignatureThreads {
  const threads: Thread[] = [];
  let next = 0;
  return {
    invalid: (request) => {
      const place = next++ % count;
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
  ask(request: SignaturesToCheck): Promise<number[]>;
  ended(): boolean;
}

function startThread(): Thread {
  const worker = new Worker(THREAD_FILE);
  const waiting: { resolve(invalid: number[]): void; reject(error: Error): void }[] = [];
  let ended = false;
  const end = (cause?: unknown) => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('The thread that verifies signatures has ended.', { cause }));
  };
  worker.on('message', ({ invalid }: FromSignatureThread) => {
    waiting.shift()?.resolve(invalid);
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', end);
  worker.on('exit', () => end());
  worker.unref();
  return {
    worker,
    ended: () => ended,
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.ref();
        worker.postMessage(request);
      }),
  };
}
