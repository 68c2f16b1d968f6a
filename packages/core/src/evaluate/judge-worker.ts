import { parentPort, workerData } from 'node:worker_threads';
import { loadCatalogue } from '../rule/index.js';
import { jsonItems } from './finding-batch.js';
import { judgeItems } from './judge-items.js';
import { type JudgePlan, judgeOf } from './judge-plan.js';
import type { FromWorker, ToWorker } from './threaded.js';

// The entry of a worker thread: loads the catalogue once, then judges the batches it is sent, one after another.
const plan = workerData as JudgePlan; // given by judgeOnThreads
const ready = loadCatalogue(plan.origin).then((catalogue) => judgeOf(plan, catalogue));
let queue: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: ToWorker) => {
  queue = queue.then(async () => parentPort?.postMessage(await answer(message)));
});

async function answer(message: ToWorker): Promise<FromWorker> {
  try {
    const { judge, counts } = await ready;
    if (message.type === 'finish') return { type: 'finished', counts };
    const { findings, errors, keys } = judgeItems(message.items, judge, counts, plan.collectKeys);
    return { type: 'judged', json: jsonItems(findings), count: findings.length, errors, keys };
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
