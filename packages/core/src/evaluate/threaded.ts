import { Worker } from 'node:worker_threads';
import type { InputError } from '../errors.js';
import type { Item } from './batches.js';
import type { Counts } from './counts.js';
import type { FindingBatch } from './evaluation.js';
import { jsonBatch } from './finding-batch.js';
import type { JudgePlan } from './judge-plan.js';

/** One batch, judged. */
export interface JudgedBatch {
  documents: number;
  errors: InputError[];
  keys: string[];
  batch: FindingBatch;
}

export type ToWorker = { type: 'judge'; items: Item[] } | { type: 'finish' };
export type FromWorker =
  | { type: 'judged'; json: string; count: number; errors: InputError[]; keys: string[] }
  | { type: 'finished'; counts: Counts }
  | { type: 'failed'; message: string };

/** Batches in flight per thread: one being judged, one waiting. */
const DEPTH = 2;

/** Judges batches on worker threads. The results come in the order of the batches, and at most a few are held at a time. */
export async function* judgeOnThreads(
  batches: AsyncIterable<Item[]>,
  plan: JudgePlan,
  threads: number,
  onCounts: (counts: readonly Counts[]) => void,
): AsyncGenerator<JudgedBatch, void, void> {
  const workers = Array.from({ length: threads }, () => startWorker(plan));
  try {
    const inFlight: Promise<JudgedBatch>[] = [];
    let turn = 0;
    for await (const items of batches) {
      const worker = workers[turn++ % threads];
      if (!worker) break;
      inFlight.push(worker.judge(items));
      if (inFlight.length >= threads * DEPTH) yield await next(inFlight);
    }
    while (inFlight.length > 0) yield await next(inFlight);
    onCounts(await Promise.all(workers.map((worker) => worker.finish())));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

async function next(inFlight: Promise<JudgedBatch>[]): Promise<JudgedBatch> {
  const first = inFlight.shift();
  if (!first) throw new Error('no batch is in flight');
  return first;
}

interface JudgeWorker {
  judge(items: Item[]): Promise<JudgedBatch>;
  finish(): Promise<Counts>;
  terminate(): Promise<unknown>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const WORKER_FILE = new URL('../../dist/evaluate/judge-worker.js', import.meta.url);

function startWorker(plan: JudgePlan): JudgeWorker {
  const worker = new Worker(WORKER_FILE, { workerData: plan });
  const waiting: { resolve(message: FromWorker): void; reject(error: Error): void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure = error;
    for (const waiter of waiting.splice(0)) waiter.reject(error);
  };
  worker.on('message', (message: FromWorker) => waiting.shift()?.resolve(message));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('a worker thread ended early')));
  const ask = (message: ToWorker) =>
    new Promise<FromWorker>((resolve, reject) => {
      if (failure) return reject(failure);
      waiting.push({ resolve, reject });
      worker.postMessage(message);
    });
  const judge = async (items: Item[]) => {
    const answer = await ask({ type: 'judge', items });
    if (answer.type !== 'judged') throw new Error(answer.type === 'failed' ? answer.message : 'a worker thread gave the wrong answer');
    return { documents: items.length, errors: answer.errors, keys: answer.keys, batch: jsonBatch(answer.count, answer.json) };
  };
  return {
    judge(items) {
      const judged = judge(items);
      judged.catch(() => undefined); // awaited in order later; a failure must not count as unhandled until then
      return judged;
    },
    async finish() {
      const answer = await ask({ type: 'finish' });
      if (answer.type !== 'finished') throw new Error('a worker thread gave the wrong answer');
      return answer.counts;
    },
    terminate: () => worker.terminate(),
  };
}
