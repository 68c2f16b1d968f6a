import { Worker } from 'node:worker_threads';
import type { SealedRows, Sealing } from './seal-rows.js';

export interface SealingThreadData {
  /** PKCS#8 PEM. */
  pem: string;
}

export type FromSealingThread = { ready: true } | { sealed: SealedRows } | { failed: string };

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../../dist/store/postgres/seal/sealing-thread.js', import.meta.url);

/** Seals on a thread of its own, one request at a time. One that has died is started anew: it holds nothing. */
export function sealOnThread(data: SealingThreadData): Sealing {
  let thread: Promise<Worker> | undefined;
  const start = async () => {
    const started = new Worker(THREAD_FILE, { workerData: data });
    const end = () => {
      thread = undefined;
    };
    started.once('exit', end);
    await answerOf(started);
    return started;
  };
  const running = () => {
    thread ??= start();
    return thread;
  };
  return {
    async ready() {
      await running();
    },
    async seal(request) {
      const worker = await running();
      const answer = answerOf(worker);
      worker.postMessage(request);
      const message = await answer;
      if ('sealed' in message) return message.sealed;
      throw new Error('failed' in message ? message.failed : 'The signing thread did not answer.');
    },
    async close() {
      const worker = await thread?.catch(() => undefined);
      await worker?.terminate();
    },
  };
}

/** The next message of the thread. */
function answerOf(thread: Worker): Promise<FromSealingThread> {
  return new Promise((resolve, reject) => {
    const settled = () => {
      thread.off('message', onMessage);
      thread.off('error', onError);
      thread.off('exit', onExit);
    };
    const onMessage = (message: FromSealingThread) => {
      settled();
      resolve(message);
    };
    const onError = (error: Error) => {
      settled();
      reject(error);
    };
    const onExit = () => onError(new Error('The signing thread has ended.'));
    thread.on('message', onMessage);
    thread.on('error', onError);
    thread.on('exit', onExit);
  });
}
