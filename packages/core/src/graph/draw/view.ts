import { plural } from '../../plural.js';
import { type Graph, type GraphEdge, noTally, type Presence, type Tally } from '../model.js';
import { addTally } from '../run-graph.js';

/** What is drawn: nodes in bands, and at most one edge from a node to another. Every picture is made of it. */
export interface View {
  folded: boolean;
  bands: Band[];
  edges: ViewEdge[];
  /** Sentences about what the picture does not show. */
  omitted: string[];
}

/** A namespace, or everything if the graph is folded. */
export interface Band {
  title: string;
  nodes: ViewNode[];
}

export interface ViewNode extends Tally {
  id: string;
  /** From 0, the leftmost. */
  column: number;
  kind: string;
  name: string;
  presence: Presence;
  checked: boolean | null;
  evaluated: boolean | null;
  /** Whether all checks are known to be decided. */
  decided: boolean;
  rules: string[];
  /** Where it is: `shop.yaml:12`. */
  place: string;
}

export interface ViewEdge extends Tally {
  from: string;
  to: string;
  target: Presence;
  /** `routes-to port 80`, one for each reference. */
  texts: string[];
  /** How near its ends should be: what a policy allows says less about that than what it restricts. */
  weight: number;
  /** The ports, where the edge is about ports. */
  port: string;
  rules: string[];
}

/** What a picture can show. */
export interface ViewLimits {
  workloads: number;
  nodes: number;
  edges: number;
  /** Boxes of a folded picture; the last of them stands for all other namespaces. */
  namespaces: number;
}

/** One edge for all references from a node to another. */
export function mergedEdges(edges: readonly GraphEdge[], idOf: (id: string) => string = (id) => id): ViewEdge[] {
  const merged = new Map<string, ViewEdge>();
  for (const edge of edges) {
    const [from, to] = [idOf(edge.from), idOf(edge.to)];
    const key = `${from}\n${to}`;
    const known = merged.get(key) ?? { from, to, target: edge.target, texts: [], weight: 0, port: '', ...noTally(), rules: [] };
    merged.set(key, known);
    if (isWorse(edge.target, known.target)) known.target = edge.target;
    known.texts.push(`${edge.kind}${edge.detail === '' ? '' : ` ${edge.detail}`}${edge.optional ? ' (optional)' : ''}`);
    if (known.port === '' && edge.kind === 'routes-to') known.port = edge.detail.replace(/^port /, '');
    if (known.port === '' && edge.kind === 'selects') known.port = edge.detail;
    known.weight = Math.max(known.weight, edge.kind.startsWith('allows') ? LOOSE : 1);
    addTally(known, edge);
    for (const { rule_id } of edge.rules) if (!known.rules.includes(rule_id)) known.rules.push(rule_id);
  }
  return [...merged.values()];
}

const LOOSE = 0.05;

const ORDER: readonly Presence[] = ['input', 'api', 'outside', 'missing'];

function isWorse(a: Presence, b: Presence): boolean {
  return ORDER.indexOf(a) > ORDER.indexOf(b);
}

/** What a node or an edge says about itself at a glance: `HIGH 2`, `missing`, `not checked`. */
export function stateText({ worst, findings, presence, checked, evaluated }: Omit<ViewNode, 'id'>): string {
  if (worst !== null) return `${worst} ${findings[worst] ?? 0}`;
  if (presence === 'outside') return 'not in the input';
  if (presence === 'missing') return 'missing';
  if (presence === 'api') return 'made by Kubernetes';
  if (evaluated === false) return 'not evaluated';
  return checked === false ? 'not checked' : '';
}

/** Green: no finding, and everything was checked, evaluated and decided. */
export function isGood({ worst, presence, checked, evaluated, decided, errors }: ViewNode): boolean {
  return worst === null && presence === 'input' && checked === true && evaluated === true && decided && errors === 0;
}

/** Whether a graph knows of every undecided check where it is. */
export function knowsUndecided({ legend }: Graph): boolean {
  return legend.undecided_placed >= legend.undecided;
}

/** The rest: findings that are less severe, undecided checks, accepted findings, and rules that failed. */
export function moreText({ worst, findings, undecided, suppressed, errors, checked, evaluated }: Omit<ViewNode, 'id'>): string {
  const all = Object.values(findings).reduce((sum, count) => sum + count, 0);
  const others = worst === null ? 0 : all - (findings[worst] ?? 0);
  return [
    others > 0 ? `+${others}` : '',
    // Rules for every kind may find something, too.
    worst !== null && checked === false && evaluated ? 'not checked' : '',
    errors > 0 ? plural(errors, 'error') : '',
    undecided > 0 ? `${undecided} undecided` : '',
    suppressed > 0 ? `${suppressed} accepted` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
