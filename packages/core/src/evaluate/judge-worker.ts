import { parentPort, workerData } from 'node:worker_threads';
import { type CatalogueOrigin, loadCatalogue } from '../rule/index.js';
import { jsonItems } from './finding-batch.js';
import { judgeItems } from './judge-items.js';
import { type JudgePlan, judgeOf } from './judge-plan.js';
import type { FromWorker, ToWorker } from './threaded.js';

// The entry of a worker thread: loads the catalogue once, then judges the batches it is sent, one after another, by the plan before them.
const catalogue = loadCatalogue(workerData as CatalogueOrigin); // given by startJudgeWorker
const ready = Promise.withResolvers<ReturnType<typeof judgeOf> & { plan: JudgePlan }>();
let queue: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'plan') ready.resolve(catalogue.then((loaded) => ({ ...judgeOf(message.plan, loaded), plan: message.plan })));
  else queue = queue.then(async () => parentPort?.postMessage(await answer(message)));
});

async function answer(message: Exclude<ToWorker, { type: 'plan' }>): Promise<FromWorker> {
  try {
    const { judge, counts, plan } = await ready.promise;
    if (message.type === 'finish') return { type: 'finished', counts };
    const { findings, ...judged } = judgeItems(message.items, judge, counts, plan);
    return { type: 'judged', json: jsonItems(findings), count: findings.length, ...judged };
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
