import type { BylawError, InputError } from '@bylaw/core/errors';
import { type Engine, type EvaluationEvent, type EvaluationRequest, type Projections, project, projectionPlan } from '@bylaw/core/evaluate';
import { readObject } from '@bylaw/core/resource';
import type { Rule } from '@bylaw/core/rule';
import type { Cluster, KubernetesObject } from '../cluster/cluster.js';
import { checkNamespaces } from './check-namespaces.js';
import { type Gaps, type KindPage, listKinds } from './listing.js';
import { type Ownership, ownership } from './ownership.js';
import { planScan, type ScanPlan, type ScanScope } from './plan-scan.js';
import { readGraph, type ScanGraph } from './read-graph.js';
import { kindsRead } from './rule-interest.js';
import { aboutCluster, gapErrors, type ScannedCluster } from './scanned-cluster.js';

/** What to scan, and how to evaluate it. */
export interface ScanRequest extends ScanScope, Omit<EvaluationRequest, 'inputs' | 'inputErrors' | 'namespace' | 'set' | 'onProgress'> {}

export interface ScanTools {
  cluster: Cluster;
  engine: Engine;
  signal?: AbortSignal;
  /** What is drawn of the cluster is read before anything is evaluated. */
  graph?: ScanGraph;
  /** Told of every page of what is evaluated. */
  onListed?: (page: KindPage) => void;
}

/**
 * Scans a cluster: lists what the selected rules look at, page by page, and evaluates it. Memory holds a few pages, the parts of the set that `+set` rules
 * read, and the identifiers of controllers. The end event says what cannot be listed, and everything else is evaluated.
 * @throws {BylawError} before the first event: unknown names in the filter, `kind-unknown`, `namespace-unknown`, and what `Cluster` throws
 */
export async function* scan(request: ScanRequest, tools: ScanTools): AsyncGenerator<EvaluationEvent, void, void> {
  const { events } = await openScan(request, tools);
  yield* events();
}

/** A scan that is ready to evaluate. */
export interface OpenScan {
  plan: ScanPlan;
  /** What `+set` rules read. */
  set: Projections;
  /** The rules that are applied. */
  rules: readonly Rule[];
  ownership: Ownership;
  gaps: Gaps;
  events: () => AsyncGenerator<EvaluationEvent, void, void>;
}

/** The first half of a scan: discovers, plans, and reads what `+set` rules need before anything can be evaluated. */
export async function openScan(request: ScanRequest, tools: ScanTools): Promise<OpenScan> {
  const { cluster, engine } = tools;
  const selected = engine.select(request.filter);
  const [version, discovery] = await Promise.all([cluster.version(), cluster.discover()]);
  const plan = planScan(discovery, selected, engine.catalogue, request);
  await checkNamespaces(request.namespaces, discovery, cluster);
  const gaps: Gaps = { denied: new Map(), lost: undefined };
  if (tools.graph) await readGraph(tools.graph, discovery, request, tools);
  const set = await readSet(plan, request, selected, gaps, tools);
  const leftOut = selected.filter((rule) => plan.leftOut.includes(rule) || kindsRead(rule).some((kind) => gaps.denied.has(kind)));
  const open = {
    plan,
    set,
    rules: selected.filter((rule) => !leftOut.includes(rule)),
    ownership: ownership(),
    gaps,
  };
  const about = {
    version,
    context: cluster.context,
    namespaces: request.namespaces ? [...new Set(request.namespaces)].sort() : null,
    kinds_not_covered: plan.uncovered,
    rules_not_applied: leftOut.map(({ id }) => id),
  };
  return { ...open, events: () => evaluateObjects(open, about, request, tools) };
}

/** @throws {BylawError} where the cluster stops answering: nothing was evaluated yet */
async function readSet(plan: ScanPlan, scope: ScanScope, rules: readonly Rule[], gaps: Gaps, tools: ScanTools): Promise<Projections> {
  const wanted = projectionPlan(rules);
  const set: Projections = {};
  for await (const { objects } of listKinds(plan.read, scope, tools.cluster, gaps, tools.signal))
    for (const object of objects)
      for (const resource of readObject(object, { file: '', document: 0 }).resources) project(wanted, resource, set);
  if (gaps.lost) throw gaps.lost.error;
  return set;
}

type Open = Omit<OpenScan, 'events'>;
type About = Omit<ScannedCluster, 'resources_by_kind' | 'denied'>;

async function* evaluateObjects(
  open: Open,
  about: About,
  request: ScanRequest,
  tools: ScanTools,
): AsyncGenerator<EvaluationEvent, void, void> {
  const { plan, gaps, set, rules } = open;
  const kinds = plan.evaluated.filter(({ name }) => !gaps.denied.has(name));
  const counts = new Map(kinds.map(({ name }) => [name, 0]));
  const run = tools.engine.evaluate({
    ...scanEvaluation(request, rules),
    inputs: [{ live: true, objects: () => objectsOf(open, kinds, counts, request, tools) }],
    lateErrors: () => errorsOf(open),
    set,
  });
  for await (const event of run) yield event.type === 'end' ? endOf(event, open, about, counts) : event;
}

/** Each kind that could not be listed counts as a resource that was found and not read. */
function errorsOf({ plan, gaps }: Open): InputError[] {
  return [...gapErrors(refusedKinds(plan, gaps)), ...(gaps.lost ? [lostError(gaps.lost.error)] : [])];
}

function refusedKinds(plan: ScanPlan, gaps: Gaps): ScannedCluster['denied'] {
  return [...plan.failed, ...[...gaps.denied].map(([kind, reason]) => ({ kind, reason }))].sort(byKind);
}

/** How a request wants objects evaluated, by the rules that are applied. */
export function scanEvaluation(request: ScanRequest, rules: readonly Rule[]): Omit<EvaluationRequest, 'inputs'> {
  const { namespaces: _, kinds: __, ...evaluation } = request;
  // A rule that reads what could not be listed is not applied, so what the others read is all there is.
  const complete = request.complete ?? request.namespaces === undefined;
  return { ...evaluation, complete, filter: { rules: rules.map(({ id }) => id) } };
}

/** The objects that stand for themselves. */
async function* objectsOf(
  { gaps, ownership }: Open,
  kinds: ScanPlan['evaluated'],
  counts: Map<string, number>,
  scope: ScanScope,
  { cluster, signal, onListed }: ScanTools,
): AsyncGenerator<KubernetesObject, void, void> {
  for await (const page of listKinds(kinds, scope, cluster, gaps, signal)) {
    const { name } = page.kind;
    for (const object of page.objects) {
      if (ownership.isOwned(name, object)) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      yield object;
    }
    onListed?.(page);
  }
}

type RunEnd = Extract<EvaluationEvent, { type: 'end' }>;

function endOf(end: RunEnd, { plan, gaps }: Open, about: About, counts: ReadonlyMap<string, number>): RunEnd {
  const missed = [...(gaps.lost?.kinds ?? [])].map((kind) => ({ kind, reason: 'the cluster stopped answering' }));
  const denied = [...refusedKinds(plan, gaps), ...missed].sort(byKind);
  const { version, context, namespaces, kinds_not_covered, rules_not_applied } = about;
  const cluster: ScannedCluster = {
    version,
    context,
    namespaces,
    resources_by_kind: Object.fromEntries([...counts].filter(([kind, count]) => count > 0 || !denied.some((gap) => gap.kind === kind))),
    denied,
    kinds_not_covered,
    rules_not_applied,
  };
  return { ...end, more: { cluster }, about: aboutCluster(cluster) };
}

function byKind(a: { kind: string }, b: { kind: string }): number {
  return a.kind < b.kind ? -1 : 1;
}

function lostError({ message }: BylawError): InputError {
  return { code: 'scan-interrupted', message: `${message} What was listed before is still evaluated.`, location: null };
}
