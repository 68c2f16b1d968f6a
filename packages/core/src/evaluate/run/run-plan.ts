import type { Clock } from '../../clock.js';
import type { JsonObject } from '../../resource/text/json.js';
import { type Catalogue, type CatalogueOrigin, type Rule, resolveSettings } from '../../rule/index.js';
import type { AcceptedExceptions } from '../exceptions/accepted-exceptions.js';
import type { ConfiguredException, ExceptionPolicy } from '../exceptions/exceptions.js';
import type { ExceptionsFrom } from '../exceptions/exceptions-from.js';
import type { Projections } from '../items/projections.js';
import { ResourceGroups } from '../items/resource-index.js';
import type { UnchangedObjects } from '../items/unchanged.js';
import { type Counts, newCounts } from './counts.js';
import type { EditLog } from './proposed-edit.js';
import { createRuleRunner, type RuleRunner } from './rule-runner.js';

/** All that a thread needs to evaluate its share of a run. It can be sent to another thread. */
export interface RunPlan {
  origin: CatalogueOrigin;
  /** Identifiers of the selected rules. */
  rules: string[];
  settings: { [pack: string]: JsonObject };
  exceptions: ExceptionPolicy;
  includePassed: boolean;
  namespace: string;
  /** Whether the input holds everything that is in the cluster. */
  complete: boolean;
  collectKeys: boolean;
  collectIdentities?: boolean;
  projections: Projections;
  unchanged?: UnchangedObjects;
}

/** How a request wants its resources evaluated. */
export interface PlanRequest {
  /** Which exceptions count; absent: `all`. One that does not count is named on the finding that it covers. */
  exceptionsFrom?: ExceptionsFrom;
  exceptions?: readonly ConfiguredException[];
  /** Keys of the findings of a baseline, see `baseline.ts`. */
  baseline?: ReadonlySet<string>;
  /** What a change adds to the exceptions and the baseline: it does not count, and is named on the findings that it covers. */
  unmerged?: ExceptionPolicy['unmerged'];
  /** The exceptions in manifests that count; absent: all. Others are named on the findings that they cover. */
  accepted?: AcceptedExceptions;
  includePassed?: boolean;
  /** The namespace of objects that name none; `default` when absent. */
  namespace?: string;
  /** Settings per pack, as in bylaw.yaml; they must have passed `checkSettings`. */
  packSettings?: { [pack: string]: JsonObject };
}

/** The plan of a run: the request, with the defaults of what it leaves out. */
export function planOf(
  catalogue: Catalogue,
  rules: readonly Rule[],
  request: PlanRequest,
  clock: Clock,
  more: Pick<RunPlan, 'projections' | 'complete' | 'collectKeys' | 'collectIdentities' | 'unchanged'>,
): RunPlan {
  return {
    origin: catalogue.origin,
    rules: rules.map((rule) => rule.id),
    settings: resolveSettings(catalogue, request.packSettings),
    exceptions: {
      ...(request.exceptionsFrom && { from: request.exceptionsFrom }),
      configured: request.exceptions ?? [],
      baseline: request.baseline ?? new Set(),
      today: clock.now().toISOString().slice(0, 10),
      ...(request.unmerged && { unmerged: request.unmerged }),
      ...(request.accepted && { accepted: request.accepted }),
    },
    includePassed: request.includePassed ?? false,
    namespace: request.namespace ?? 'default',
    ...more,
  };
}

/** What evaluates resources by a plan, and the counts that it keeps. @param edits where it notes the edits for its findings, if anywhere */
export function plannedRunner(plan: RunPlan, catalogue: Catalogue, edits?: EditLog): { runner: RuleRunner; counts: Counts } {
  const wanted = new Set(plan.rules);
  const runner = createRuleRunner({
    catalogue,
    rules: catalogue.rules.filter((rule) => wanted.has(rule.id)),
    evaluator: catalogue.evaluator,
    settings: plan.settings,
    exceptions: plan.exceptions,
    includePassed: plan.includePassed,
    namespace: plan.namespace,
    resources: new ResourceGroups(plan.projections, plan),
    ...(edits && { edits }),
  });
  return { runner, counts: newCounts(runner.tally, plan.collectIdentities) };
}
