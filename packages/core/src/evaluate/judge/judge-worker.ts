import { type CatalogueOrigin, loadCatalogue } from '../../rule/index.js';
import { serveThread } from '../../thread/index.js';
import { jsonItems } from '../findings/finding-json.js';
import type { Counts } from './counts.js';
import { judgeItems } from './judge-items.js';
import { type JudgePlan, judgeOf } from './judge-plan.js';
import type { ToWorker, WorkerBatch } from './threaded.js';

// The program of a thread that evaluates: loads the catalogue once, then evaluates the batches it is sent, by the plan that came before them.
serveThread<CatalogueOrigin, ToWorker>(async (origin) => {
  const catalogue = await loadCatalogue(origin);
  let planned: (ReturnType<typeof judgeOf> & { plan: JudgePlan }) | undefined;
  return (message): WorkerBatch | Counts | undefined => {
    if (message !== 'finish' && 'plan' in message) {
      planned = { ...judgeOf(message.plan, catalogue), plan: message.plan };
      return undefined;
    }
    if (!planned) throw new Error('a worker thread has no plan');
    const { judge, counts, plan } = planned;
    if (message === 'finish') return counts;
    const { findings, ...judged } = judgeItems(message.items, judge, counts, plan);
    return { json: jsonItems(findings), count: findings.length, ...judged };
  };
});
