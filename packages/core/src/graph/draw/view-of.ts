import { shortKind } from '../kinds.js';
import { MAKER_KINDS } from '../makers.js';
import { EVERY_POD, type Graph, type GraphNode, type NodeCategory, noTally } from '../model.js';
import { addTally } from '../run-graph.js';
import { foldedView } from './fold.js';
import { knowsUndecided, mergedEdges, type View, type ViewLimits, type ViewNode } from './view.js';

/** Workloads that a picture shows one by one. */
export const MOST_WORKLOADS = 100;

const COLUMNS: { readonly [category in NodeCategory]: number } = {
  gateway: 0,
  route: 1,
  service: 2,
  policy: 2,
  namespace: 2,
  workload: 3,
  account: 4,
  configuration: 4,
  other: 4,
  storage: 5,
};

/** The picture of a graph: every node and edge, or one node for each namespace if there are more than the limits allow. */
export function viewOf(graph: Graph, limits: ViewLimits): View {
  const view = wholeView(graph);
  const workloads = graph.nodes.filter(({ category, presence }) => category === 'workload' && presence === 'input').length;
  const isSmall = workloads <= limits.workloads && graph.nodes.length <= limits.nodes && view.edges.length <= limits.edges;
  return isSmall ? view : foldedView(graph, limits);
}

function wholeView(graph: Graph): View {
  const everyPod = new Map<string, string>();
  const shown = graph.edges.filter(({ kind, detail, from }) => {
    // A line to each Pod of the namespace would hide all others.
    const isForEvery = detail === EVERY_POD && (kind === 'restricts' || kind === 'protects');
    if (isForEvery) everyPod.set(from, EVERY_POD);
    return !isForEvery;
  });
  const namespaces = Map.groupBy(graph.nodes, ({ namespace }) => namespace);
  const bands = [...namespaces]
    .sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
    .map(([namespace, nodes]) => ({
      title: namespace === null ? 'In no namespace' : `Namespace ${namespace}`,
      nodes: nodes.map((node) => viewNode(node, knowsUndecided(graph), everyPod.get(node.id))),
    }));
  return { folded: false, bands, edges: mergedEdges(shown), omitted: [] };
}

function columnOf({ kind, category }: GraphNode): number {
  if (kind === 'PersistentVolumeClaim') return COLUMNS.configuration;
  // What is made is left of what makes it.
  return MAKER_KINDS.includes(kind) ? COLUMNS.storage : COLUMNS[category];
}

function viewNode(node: GraphNode, known: boolean, note?: string): ViewNode {
  const { id, kind, name, presence, checked, evaluated, rules, location } = node;
  const own = noTally();
  addTally(own, node);
  return {
    id,
    column: columnOf(node),
    kind: note === undefined ? shortKind(kind) : `${shortKind(kind)}, ${note}`,
    name,
    presence,
    checked,
    evaluated,
    decided: known && node.undecided === 0,
    ...own,
    rules: rules.map(({ rule_id, count }) => (count === 1 ? rule_id : `${rule_id} ×${count}`)),
    place: location === null ? '' : `${location.file}:${location.line}`,
  };
}
