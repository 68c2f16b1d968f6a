import { number, plural } from '../../plural.js';
import { type Graph, type GraphNode, noTally } from '../model.js';
import { addTally } from '../run-graph.js';
import { knowsUndecided, mergedEdges, type View, type ViewEdge, type ViewLimits, type ViewNode } from './view.js';

/** Columns that a folded picture has. */
const COLUMNS = 5;

/** One node for each namespace with what it holds, and one edge for all references from a namespace to another. */
export function foldedView(graph: Graph, limits: Pick<ViewLimits, 'edges' | 'namespaces'>): View {
  const groups = Map.groupBy(graph.nodes, ({ namespace }) => namespace);
  const all = [...groups].map(([namespace, nodes]) => namespaceNode(namespace, nodes, knowsUndecided(graph))).sort(bySeverity);
  const shown = all.length <= limits.namespaces ? all : all.slice(0, limits.namespaces - 1);
  const rest = all.slice(shown.length);
  const restNode = rest.length === 0 ? [] : [restOf(rest)];
  const known = new Set(shown.map(({ id }) => id));
  const namespaceOf = new Map(graph.nodes.map(({ id, namespace }) => [id, idOf(namespace)]));
  const foldedId = (id: string) => {
    const folded = namespaceOf.get(id) ?? '';
    return known.has(folded) ? folded : REST;
  };
  const between = mergedEdges(
    graph.edges.filter(({ from, to }) => foldedId(from) !== foldedId(to)),
    foldedId,
  ).map(countedEdge);
  const edges = between.sort((a, b) => b.texts.length - a.texts.length || (a.from + a.to < b.from + b.to ? -1 : 1)).slice(0, limits.edges);
  const nodes = [...shown.sort(byName), ...restNode];
  layered(nodes, edges);
  const hidden = between.length - edges.length;
  return {
    folded: true,
    bands: [{ title: plural(all.length, 'namespace'), nodes }],
    edges,
    omitted: [
      'Folded by namespace: each box stands for all resources of a namespace, each line for all references from one to another, with their number. The JSON graph has all of them.',
      ...(hidden > 0 ? [`${plural(hidden, 'more pair')} of namespaces with references are not drawn.`] : []),
    ],
  };
}

const REST = '\nothers';

function idOf(namespace: string | null): string {
  return namespace === null ? '\ncluster' : `namespace ${namespace}`;
}

function namespaceNode(namespace: string | null, nodes: readonly GraphNode[], known: boolean): ViewNode {
  const sum = noTally();
  for (const node of nodes) addTally(sum, node);
  const inInput = nodes.filter(({ presence }) => presence === 'input');
  const workloads = inInput.filter(({ category }) => category === 'workload').length;
  const absent = nodes.filter(({ presence }) => presence === 'outside' || presence === 'missing').length;
  const unchecked = inInput.filter(({ checked }) => checked === false).length;
  const unevaluated = inInput.filter(({ evaluated }) => evaluated === false).length;
  return {
    id: idOf(namespace),
    column: 0,
    kind: `${plural(workloads, 'workload')}, ${plural(inInput.length - workloads, 'other')}`,
    name: namespace ?? 'in no namespace',
    presence: inInput.length > 0 ? 'input' : nodes.some(({ presence }) => presence === 'missing') ? 'missing' : 'outside',
    // A namespace is as green as the least checked of its resources.
    checked: inInput.length === 0 ? null : unchecked === 0,
    evaluated: inInput.length === 0 ? null : unevaluated === 0,
    decided: known && sum.undecided === 0,
    ...sum,
    rules: [
      ...(absent > 0 ? [`${number(absent)} not in the input`] : []),
      ...(unchecked > 0 ? [`${number(unchecked)} not checked`] : []),
      ...(unevaluated > 0 ? [`${number(unevaluated)} not evaluated`] : []),
    ],
    place: '',
  };
}

function restOf(rest: readonly ViewNode[]): ViewNode {
  const sum = noTally();
  for (const node of rest) addTally(sum, node);
  return {
    id: REST,
    column: 0,
    kind: 'not shown one by one',
    name: plural(rest.length, 'more namespace'),
    presence: 'input',
    checked: rest.every(({ checked }) => checked !== false),
    evaluated: rest.every(({ evaluated }) => evaluated !== false),
    decided: rest.every(({ decided }) => decided),
    ...sum,
    rules: [],
    place: '',
  };
}

function countedEdge(edge: ViewEdge): ViewEdge {
  return { ...edge, port: `×${number(edge.texts.length)}` };
}

/** What refers is left of what it refers to, as far as there are columns and no circles; all others fill the columns evenly. */
function layered(nodes: readonly ViewNode[], edges: readonly ViewEdge[]): void {
  const ranks = rankOf(nodes, edges);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const forward = edges.filter(({ from, to }) => (ranks.get(from) ?? 0) < (ranks.get(to) ?? 0));
  for (let round = 1; round < COLUMNS; round++)
    for (const { from, to } of forward) {
      const [source, target] = [byId.get(from), byId.get(to)];
      if (source && target) target.column = Math.max(target.column, Math.min(source.column + 1, COLUMNS - 1));
    }
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const sizes = Array.from(
    { length: COLUMNS },
    (_, column) => nodes.filter((node) => linked.has(node.id) && node.column === column).length,
  );
  for (const node of nodes.filter(({ id }) => !linked.has(id))) {
    node.column = sizes.indexOf(Math.min(...sizes));
    sizes[node.column] = (sizes[node.column] ?? 0) + 1;
  }
}

/** An order in which most edges lead forward: what refers to more than refers to it comes first. */
function rankOf(nodes: readonly ViewNode[], edges: readonly ViewEdge[]): ReadonlyMap<string, number> {
  const surplus = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { from, to } of edges) {
    surplus.set(from, (surplus.get(from) ?? 0) + 1);
    surplus.set(to, (surplus.get(to) ?? 0) - 1);
  }
  const ordered = nodes.toSorted((a, b) => (surplus.get(b.id) ?? 0) - (surplus.get(a.id) ?? 0) || byName(a, b));
  return new Map(ordered.map(({ id }, rank) => [id, rank]));
}

const SEVERITY_ORDER = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', null];

function bySeverity(a: ViewNode, b: ViewNode): number {
  const severity = SEVERITY_ORDER.indexOf(a.worst) - SEVERITY_ORDER.indexOf(b.worst);
  return severity || (a.worst === null || b.worst === null ? 0 : (b.findings[b.worst] ?? 0) - (a.findings[a.worst] ?? 0)) || byName(a, b);
}

function byName(a: ViewNode, b: ViewNode): number {
  return a.id < b.id ? -1 : 1;
}
