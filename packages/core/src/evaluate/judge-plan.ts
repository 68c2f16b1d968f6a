import { createEvaluator } from '../cel/index.js';
import type { JsonObject } from '../resource/resource.js';
import type { Catalogue, CatalogueOrigin } from '../rule/index.js';
import { type Counts, newCounts } from './counts.js';
import type { ExceptionPolicy } from './exceptions.js';
import { createJudge, type Judge } from './judge.js';
import { type Projections, ResourceIndex } from './resource-index.js';

/** All that a thread needs to judge its share of a run. It can be sent to another thread. */
export interface JudgePlan {
  origin: CatalogueOrigin;
  /** Identifiers of the selected rules. */
  rules: string[];
  settings: { [pack: string]: JsonObject };
  exceptions: ExceptionPolicy;
  includePassed: boolean;
  namespace: string;
  collectKeys: boolean;
  projections: Projections;
}

/** The judge of a plan, with the counts that it keeps. */
export function judgeOf(plan: JudgePlan, catalogue: Catalogue): { judge: Judge; counts: Counts } {
  const wanted = new Set(plan.rules);
  const judge = createJudge({
    catalogue,
    rules: catalogue.rules.filter((rule) => wanted.has(rule.id)),
    evaluator: sharedEvaluator(),
    settings: plan.settings,
    exceptions: plan.exceptions,
    includePassed: plan.includePassed,
    namespace: plan.namespace,
    resources: new ResourceIndex(plan.projections, plan.namespace),
  });
  return { judge, counts: newCounts(judge.tally) };
}

let evaluator: ReturnType<typeof createEvaluator> | undefined;

function sharedEvaluator(): ReturnType<typeof createEvaluator> {
  evaluator ??= createEvaluator();
  return evaluator;
}
