import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { InputError } from '../errors.js';
import type { Catalogue, CatalogueOrigin } from '../rule/index.js';
import type { Item } from './batches.js';
import type { Counts } from './counts.js';
import { endThread } from './end-thread.js';
import type { FindingBatch } from './evaluation.js';
import { findingBatch, jsonBatch } from './finding-batch.js';
import { judgeItems } from './judge-items.js';
import { type JudgePlan, judgeOf } from './judge-plan.js';
import type { SkippedDocument } from './skipped-notes.js';
import type { UndecidedCheck } from './undecided-check.js';

/** One batch, judged. */
export interface JudgedBatch {
  documents: number;
  errors: InputError[];
  undecided: UndecidedCheck[];
  keys: string[];
  skipped: SkippedDocument[];
  batch: FindingBatch;
}

export type ToWorker = { type: 'plan'; plan: JudgePlan } | { type: 'judge'; items: Item[] } | { type: 'finish' };
export type FromWorker =
  | {
      type: 'judged';
      json: string;
      count: number;
      errors: InputError[];
      undecided: UndecidedCheck[];
      keys: string[];
      skipped: SkippedDocument[];
    }
  | { type: 'finished'; counts: Counts }
  | { type: 'failed'; message: string };

/** Batches that a worker holds: one being judged, one waiting. */
const DEPTH = 2;

/** Judged batches that may wait, per thread, for one before them. A worker is seconds behind while its code is cold. */
const AHEAD = 16;

/**
 * Judges batches here and on the workers: what no worker has room for is judged here. The results come in the order of the batches, and
 * a bounded number of them is held at a time.
 */
export async function* judgeBatches(
  batches: AsyncIterable<Item[]>,
  plan: JudgePlan,
  catalogue: Catalogue,
  workers: readonly JudgeWorker[],
  onCounts: (counts: readonly Counts[]) => void,
): AsyncGenerator<JudgedBatch, void, void> {
  for (const worker of workers) worker.prepare(plan);
  const { judge, counts } = judgeOf(plan, catalogue);
  const most = workers.length * AHEAD;
  const inFlight: Pending[] = [];
  for await (const items of batches) {
    const worker = workers.find(({ load }) => load() < DEPTH);
    if (worker) inFlight.push(worker.judge(items));
    else {
      const { findings, ...judged } = judgeItems(items, judge, counts, plan);
      inFlight.push({ done: true, judged: { ...judged, documents: items.length, batch: findingBatch(findings) } });
      // The workers' answers arrive between two turns of the event loop only.
      if (workers.length > 0) await nextTurn();
    }
    while (inFlight[0]?.done || inFlight.length > most) yield await next(inFlight);
  }
  while (inFlight.length > 0) yield await next(inFlight);
  onCounts([counts, ...(await Promise.all(workers.map((worker) => worker.finish())))]);
}

/** A batch that is judged, or will be. */
interface Pending {
  done: boolean;
  judged: JudgedBatch | Promise<JudgedBatch>;
}

async function next(inFlight: Pending[]): Promise<JudgedBatch> {
  const first = inFlight.shift();
  if (!first) throw new Error('no batch is in flight');
  return first.judged;
}

export interface JudgeWorker {
  /** Must come before the first batch. */
  prepare(plan: JudgePlan): void;
  /** Batches that it was given and has not judged yet. */
  load(): number;
  judge(items: Item[]): Pending;
  finish(): Promise<Counts>;
  terminate(): Promise<unknown>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const WORKER_FILE = new URL('../../dist/evaluate/judge-worker.js', import.meta.url);

/** Starts a thread that loads the catalogue while it waits for its plan. */
export function startJudgeWorker(origin: CatalogueOrigin): JudgeWorker {
  const worker = new Worker(WORKER_FILE, { workerData: origin, ...compileCache() });
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
    if (answer.type !== 'judged') throw new Error(answer.type === 'failed' ? answer.message : 'a worker thread returned the wrong answer');
    const { errors, undecided, keys, skipped } = answer;
    return { documents: items.length, errors, undecided, keys, skipped, batch: jsonBatch(answer.count, answer.json) };
  };
  return {
    prepare: (plan) => worker.postMessage({ type: 'plan', plan } satisfies ToWorker),
    load: () => waiting.length,
    judge(items) {
      const pending: Pending = { done: false, judged: judge(items) };
      const settle = () => {
        pending.done = true;
      };
      Promise.resolve(pending.judged).then(settle, settle); // awaited in order later; a failure must not count as unhandled until then
      return pending;
    },
    async finish() {
      const answer = await ask({ type: 'finish' });
      if (answer.type !== 'finished') throw new Error('a worker thread returned the wrong answer');
      return answer.counts;
    },
    terminate: () => endThread(worker),
  };
}

/** A thread does not inherit the compile cache of the one that starts it, but takes it from its environment. */
function compileCache(): { env?: NodeJS.ProcessEnv } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { env: { ...process.env, NODE_COMPILE_CACHE: dirname(folder) } };
}
