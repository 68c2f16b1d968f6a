import { Worker } from 'node:worker_threads';
import type { SealedRows, Sealing } from './seal-rows.js';

export interface SealingThreadData {
  /** PKCS#8 PEM. */
  pem: string;
}

export type FromSealingThread = { sealed: SealedRows } | { failed: string };

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../dist/store/postgres/sealing-thread.js', import.meta.url);

/** Seals on a thread of its own, one request at a time. One that has died is started anew with the next request: it holds nothing. */
export function sealOnThread(data: SealingThreadData): Sealing {
  let worker: Worker | undefined;
  const start = () => {
    const started = new Worker(THREAD_FILE, { workerData: data });
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  };
  return {
    seal(request) {
      worker ??= start();
      const thread = worker;
      return new Promise((resolve, reject) => {
        const end = () => {
          thread.off('message', onMessage);
          thread.off('error', onError);
          thread.off('exit', onExit);
        };
        const onMessage = (message: FromSealingThread) => {
          end();
          if ('sealed' in message) resolve(message.sealed);
          else reject(new Error(message.failed));
        };
        const onError = (error: Error) => {
          end();
          reject(error);
        };
        const onExit = () => onError(new Error('The thread that signs has ended.'));
        thread.on('message', onMessage);
        thread.on('error', onError);
        thread.on('exit', onExit);
        thread.postMessage(request);
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
