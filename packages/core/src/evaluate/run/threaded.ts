import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { InputError } from '../../errors.js';
import type { Catalogue, CatalogueOrigin } from '../../rule/index.js';
import { startThread } from '../../thread/index.js';
import type { FindingBatch } from '../findings/evaluation.js';
import { findingBatch, jsonBatch } from '../findings/finding-json.js';
import type { UndecidedCheck } from '../findings/undecided-check.js';
import type { Item } from '../items/batches.js';
import type { SkippedDocument } from '../items/skipped-notes.js';
import type { Counts } from './counts.js';
import { evaluateItems } from './evaluate-items.js';
import { plannedRunner, type RunPlan } from './run-plan.js';

/** One batch, evaluated. */
export interface EvaluatedBatch {
  documents: number;
  errors: InputError[];
  undecided: UndecidedCheck[];
  keys: string[];
  skipped: SkippedDocument[];
  batch: FindingBatch;
}

/** What a worker is told: first how to evaluate, then one batch after another, and finally that there are no more. */
export type ToWorker = { plan: RunPlan } | { items: Item[] } | 'finish';

/** A batch that a worker has evaluated, its findings as text. */
export type WorkerBatch = Omit<EvaluatedBatch, 'documents' | 'batch'> & { json: string; count: number };

/** Batches that a worker holds: one being evaluated, one waiting. */
const DEPTH = 2;

/** Evaluated batches that may wait, per thread, for an earlier one. A worker is seconds behind while its code is cold. */
const AHEAD = 16;

/**
 * Evaluates batches here and on the workers: what no worker has room for is evaluated here. The results come in the order of the batches, and
 * a bounded number of them is held at a time.
 */
export async function* evaluateBatches(
  batches: AsyncIterable<Item[]>,
  plan: RunPlan,
  catalogue: Catalogue,
  workers: readonly EvaluationWorker[],
  onCounts: (counts: readonly Counts[]) => void,
): AsyncGenerator<EvaluatedBatch, void, void> {
  for (const worker of workers) worker.prepare(plan);
  const { runner, counts } = plannedRunner(plan, catalogue);
  const most = workers.length * AHEAD;
  const inFlight: Pending[] = [];
  for await (const items of batches) {
    const worker = workers.find(({ load }) => load() < DEPTH);
    if (worker) inFlight.push(worker.evaluate(items));
    else {
      const { findings, ...evaluated } = evaluateItems(items, runner, counts, plan);
      inFlight.push({ done: true, evaluated: { ...evaluated, documents: items.length, batch: findingBatch(findings) } });
      // The workers' answers arrive between two turns of the event loop only.
      if (workers.length > 0) await nextTurn();
    }
    while (inFlight[0]?.done || inFlight.length > most) yield await next(inFlight);
  }
  while (inFlight.length > 0) yield await next(inFlight);
  onCounts([counts, ...(await Promise.all(workers.map((worker) => worker.finish())))]);
}

/** A batch that is evaluated, or will be. */
interface Pending {
  done: boolean;
  evaluated: EvaluatedBatch | Promise<EvaluatedBatch>;
}

async function next(inFlight: Pending[]): Promise<EvaluatedBatch> {
  const first = inFlight.shift();
  if (!first) throw new Error('no batch is in flight');
  return first.evaluated;
}

export interface EvaluationWorker {
  /** Must come before the first batch. */
  prepare(plan: RunPlan): void;
  /** Batches that it was given and has not evaluated yet. */
  load(): number;
  evaluate(items: Item[]): Pending;
  finish(): Promise<Counts>;
  end(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const PROGRAM = new URL('../../../dist/evaluate/run/evaluation-worker.js', import.meta.url);

/**
 * By how much of what lives the heap may grow before garbage is collected, in percent. Runs that are worth a thread make much garbage of middle age:
 * with V8's own choice (up to 300), 100,000 resources of all kinds took 1.2 GB, and with this one 0.9 GB in the same time.
 */
const HEAP_GROWTH = 50;

/** Starts a thread that loads the catalogue while it waits for its plan. */
export function startEvaluationWorker(origin: CatalogueOrigin): EvaluationWorker {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const thread = startThread({ program: PROGRAM, setup: origin });
  let load = 0;
  const ask = async (message: ToWorker): Promise<unknown> => {
    const reply = await thread.ask(message);
    if ('value' in reply) return reply.value;
    throw new Error('a worker thread returned the wrong answer');
  };
  const evaluate = async (items: Item[]): Promise<EvaluatedBatch> => {
    const { json, count, ...evaluated } = (await ask({ items })) as WorkerBatch; // sent by the worker thread
    return { ...evaluated, documents: items.length, batch: jsonBatch(count, json) };
  };
  return {
    prepare: (plan) => void ask({ plan }).catch(() => undefined), // each batch then fails as well
    load: () => load,
    evaluate(items) {
      load += 1;
      const pending: Pending = { done: false, evaluated: evaluate(items) };
      const settle = () => {
        load -= 1;
        pending.done = true;
      };
      Promise.resolve(pending.evaluated).then(settle, settle); // awaited in order later; a failure must not count as unhandled until then
      return pending;
    },
    finish: async () => (await ask('finish')) as Counts, // sent by the worker thread
    end: () => thread.end(),
  };
}
