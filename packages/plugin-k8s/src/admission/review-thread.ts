import { Worker } from 'node:worker_threads';
import type { ObjectJudging } from '@bylaw/core/evaluate';
import type { CatalogueOrigin } from '@bylaw/core/rule';
import type { Mode, WebhookConfig } from '../config/webhook-section.js';
import type { BodyAnswer } from './review-body.js';

/** What a thread loads once. */
export interface ReviewSetup {
  origin: CatalogueOrigin;
  judging: Omit<ObjectJudging, 'annotations'>;
  settings: WebhookConfig;
}

export interface ReviewJob {
  body: Uint8Array;
  /** The mode that the address asks for. */
  mode: Mode | undefined;
  /** `YYYY-MM-DD` (UTC): exceptions end. */
  today: string;
}

/** `failed`: there is a defect. */
export type FromReviewThread = { type: 'ready' } | ThreadAnswer;
export type ThreadAnswer = BodyAnswer | { type: 'failed'; error: string; frames: string[] };

/** A thread that answers one request at a time. */
export interface ReviewThread {
  /** Resolves when its rules are ready; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Whether it has ended, for whatever reason. */
  ended(): boolean;
  /** Once it is ready. @throws when the thread ends before it has answered */
  run(job: ReviewJob): Promise<ThreadAnswer>;
  terminate(): Promise<unknown>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
export const REVIEW_WORKER = new URL('../../dist/admission/review-worker.js', import.meta.url);

export function openReviewThread(setup: ReviewSetup, file: URL): ReviewThread {
  const worker = new Worker(file, { workerData: setup });
  let waiting: { resolve(message: FromReviewThread): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  const next = () =>
    new Promise<FromReviewThread>((resolve, reject) => {
      if (failure) reject(failure);
      else waiting = { resolve, reject };
    });
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
  worker.on('message', (message: FromReviewThread) => waiting?.resolve(message));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('a webhook thread ended early')));
  return {
    ready: next().then((first) => {
      if (first.type !== 'ready') throw new Error('a webhook thread started with an unexpected message');
    }),
    ended: () => failure !== undefined,
    run: async (job) => {
      const answer = next();
      // The body is copied, not handed over: it is needed here should the thread not answer.
      worker.postMessage(job);
      const message = await answer;
      if (message.type === 'ready') throw new Error('a webhook thread sent an unexpected answer');
      return message;
    },
    terminate: () => worker.terminate(),
  };
}
