import { type CatalogueOrigin, loadCatalogue } from '../../rule/index.js';
import { serveThread } from '../../thread/index.js';
import { jsonItems } from '../findings/finding-json.js';
import type { Counts } from './counts.js';
import { evaluateItems } from './evaluate-items.js';
import { plannedRunner, type RunPlan } from './run-plan.js';
import type { ToWorker, WorkerBatch } from './threaded.js';

// The program of a thread that evaluates: loads the catalogue once, then evaluates the batches it is sent, by the plan that came before them.
serveThread<CatalogueOrigin, ToWorker>(async (origin) => {
  const catalogue = await loadCatalogue(origin);
  let planned: (ReturnType<typeof plannedRunner> & { plan: RunPlan }) | undefined;
  return (message): WorkerBatch | Counts | undefined => {
    if (message !== 'finish' && 'plan' in message) {
      planned = { ...plannedRunner(message.plan, catalogue), plan: message.plan };
      return undefined;
    }
    if (!planned) throw new Error('a worker thread has no plan');
    const { runner, counts, plan } = planned;
    if (message === 'finish') return counts;
    const { findings, ...evaluated } = evaluateItems(message.items, runner, counts, plan);
    return { json: jsonItems(findings), count: findings.length, ...evaluated };
  };
});
