import { type Finding, POD_SPEC, type Projections, projectionPlan } from '@bylaw/core/evaluate';
import type { KubernetesObject } from '../../cluster/cluster.js';
import { systemTiming } from '../../cluster/timing.js';
import { POD_CARRIERS } from '../kind-name.js';
import { listKinds } from '../listing.js';
import { ownershipDepth } from '../ownership.js';
import { interestOf, kindsRead } from '../rule-interest.js';
import { type OpenScan, type ScanRequest, scanEvaluation } from '../scan.js';
import { type Change, changeInbox } from './change-inbox.js';
import { type FindingsByObject, findingCollector, keyOfObject } from './keyed-findings.js';
import { type SetStore, setStore } from './set-store.js';
import { type WatchTools, watchKinds } from './watch-kinds.js';

/** A finding that the cluster did not have before, or has no longer. */
export interface FindingChange {
  type: 'introduced' | 'resolved';
  finding: Finding;
}

/** Milliseconds in which changes gather before they are evaluated: a rollout changes a dozen objects in a second, its controller first. */
const SETTLE_MS = 1000;

/**
 * Watches what a scan has evaluated, and tells how the findings change, until the signal. What changes is evaluated again; where something changes that
 * `+set` rules read, all objects are that these rules evaluate. Memory holds the findings, and what rules read of the set.
 * @param standing the findings of the scan; kept up to date
 * @throws as `inform`
 */
export async function* watchFindings(
  open: OpenScan,
  standing: FindingsByObject,
  request: ScanRequest,
  tools: WatchTools,
): AsyncGenerator<FindingChange, void, void> {
  const { signal, timing = systemTiming } = tools;
  const inbox = changeInbox();
  const store = setStore(projectionPlan(open.rules));
  const watching = watchKinds(open, standing, request, tools, inbox, store);
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const round: Round = { ...open, standing, request, tools };
  while (!signal.aborted) {
    await Promise.race([inbox.waiting(), watching.failed, stopped]);
    const settled = timing.wait(SETTLE_MS, signal).catch(() => undefined);
    await Promise.race([settled, inbox.full(), watching.failed, stopped]);
    const changed = watching.isSetKnown() ? takeSet(round, store) : [];
    yield* changesOf(inbox.take(), round, inbox.giveBack);
    if (changed.length > 0) yield* changesByPartners(changed, round);
  }
}

/** What one round of evaluating works with. */
interface Round extends OpenScan {
  standing: FindingsByObject;
  request: ScanRequest;
  tools: WatchTools;
}

/** Takes over what is known of the set now. @returns the kinds that differ */
function takeSet(round: Round, store: SetStore): string[] {
  const kinds = store.changedKinds();
  if (kinds.length === 0) return [];
  const before = round.set;
  round.set = store.projections();
  return kinds.filter((kind) => projectedText(before, kind) !== projectedText(round.set, kind));
}

function projectedText(set: Projections, kind: string): string {
  return JSON.stringify([set[kind], POD_CARRIERS.includes(kind) && set[POD_SPEC]]);
}

/** Evaluates what has changed, controllers first. What names a controller that was not seen yet waits for it, once. */
async function* changesOf(changes: readonly Change[], round: Round, giveBack: (change: Change) => void): AsyncGenerator<FindingChange> {
  const objects: KubernetesObject[] = [];
  const gone: string[] = [];
  for (const change of changes.toSorted((a, b) => ownershipDepth(a.kind) - ownershipDepth(b.kind))) {
    const { key, kind, object } = change;
    if (!object || round.ownership.isOwned(kind, object)) gone.push(key);
    else if (!change.waited && round.ownership.lacksOwner(kind, object)) giveBack({ ...change, waited: true });
    else objects.push(object);
  }
  yield* differences(gone, new Map(), round.standing);
  yield* evaluated(objects, round);
}

/** Evaluates again all objects of the kinds that rules evaluate by what has changed. */
async function* changesByPartners(changed: readonly string[], round: Round): AsyncGenerator<FindingChange> {
  const { rules, plan, ownership, request, gaps, tools } = round;
  const interest = interestOf(rules.filter((rule) => kindsRead(rule).some((kind) => changed.includes(kind))));
  const kinds = plan.evaluated.filter(({ name }) => interest.names(name) || interest.any);
  for await (const { kind, objects } of listKinds(kinds, request, tools.cluster, gaps, tools.signal))
    yield* evaluated(
      objects.filter((object) => !ownership.isOwned(kind.name, object)),
      round,
    );
}

async function* evaluated(objects: readonly KubernetesObject[], round: Round): AsyncGenerator<FindingChange> {
  if (objects.length === 0) return;
  const { rules, request, set, standing, tools } = round;
  const found: FindingsByObject = new Map();
  const { onBaselineKeys, take } = findingCollector(found);
  const inputs = [{ live: true, objects: () => each(objects) }];
  for await (const event of tools.engine.evaluate({ ...scanEvaluation(request, rules), inputs, set, onBaselineKeys, threads: 0 }))
    take(event);
  yield* differences(objects.map(keyOfObject), found, standing);
}

/** Takes over what was found on objects, and tells the difference. */
function* differences(keys: readonly string[], found: FindingsByObject, standing: FindingsByObject): Generator<FindingChange> {
  for (const key of keys) {
    const before = standing.get(key);
    const now = found.get(key);
    if (now) standing.set(key, now);
    else standing.delete(key);
    for (const [name, finding] of before ?? []) if (!now?.has(name)) yield { type: 'resolved', finding };
    for (const [name, finding] of now ?? []) if (!before?.has(name)) yield { type: 'introduced', finding };
  }
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}
