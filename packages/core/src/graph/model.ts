import type { InputError, Location } from '../errors.js';
import type { Note } from '../note.js';
import type { Severity } from '../rule/index.js';

/**
 * The graph of a run: what the input defines and what it refers to, with the findings. Every format is written from it. Nodes are sorted by `id`, edges by
 * `from`, `to`, `kind` and `path`. Member order is the order in JSON.
 */
export interface Graph {
  version: 1;
  /** Whether the input claims to hold everything that is in the cluster. */
  complete: boolean;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** The rules that nodes and edges name. */
  rules: { [ruleId: string]: { severity: Severity; title: string } };
  legend: GraphLegend;
}

/** What a reader must not take for checked, and what the picture leaves out. */
export interface GraphLegend {
  /** Rules that were selected for the run. */
  rules_selected: number;
  /** Resources whose kind no selected rule covers, by kind. */
  unchecked: { kind: string; count: number }[];
  /** Resources without a node: their kind is not drawn, and nothing refers to them. With the findings on them. */
  not_drawn: ({ kind: string; count: number } & Tally)[];
  /** Kinds of a cluster that could not be listed, so references to them are not resolved. */
  not_listed: { kind: string; reason: string }[];
  /** Findings on resources that the graph does not contain at all. Zero unless the input changed while it was read. */
  elsewhere: Tally;
  errors: InputError[];
  notes: Note[];
  /** Checks that could not be decided. */
  undecided: number;
  /** Those of them that a run lists, so that they are counted on their nodes and edges. If they are fewer, no node is known to be decided. */
  undecided_placed: number;
  /** Selectors that were not followed to all of their Pods, because the graph would have too many edges or take too long. */
  selectors_cut: number;
}

/** What a node is drawn as. */
export const CATEGORIES = [
  'gateway',
  'route',
  'service',
  'policy',
  'workload',
  'account',
  'configuration',
  'storage',
  'namespace',
  'other',
] as const;
export type NodeCategory = (typeof CATEGORIES)[number];

/**
 * Whether something exists: `input`, it is in the input; `api`, the API creates it itself; `outside`, it is not in the input, which may not be whole;
 * `missing`, it is not in the input, and the input is complete, or the object is there without the port or key that the reference names.
 */
export const PRESENCES = ['input', 'api', 'outside', 'missing'] as const;
export type Presence = (typeof PRESENCES)[number];

/** What `from` does with `to`. */
export const EDGE_KINDS = [
  'attaches-to',
  'routes-to',
  'selects',
  'scales',
  'protects',
  'restricts',
  'allows-from',
  'allows-to',
  'runs-as',
  'reads',
  'pulls-with',
  'mounts',
  'binds',
  'provisioned-by',
  'governed-by',
  'owns',
  'makes',
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** Findings by severity, and what else a run says. */
export interface Tally {
  /** Of the failing findings; null without one. */
  worst: Severity | null;
  /** Findings with status `fail`. */
  findings: { [severity in Severity]?: number };
  suppressed: number;
  /** Rules that could not be evaluated. */
  errors: number;
  undecided: number;
}

/** How often the rules with findings fail. */
export type RuleCounts = { rule_id: string; count: number }[];

export interface GraphNode extends Tally {
  /** `Deployment/shop/web`, with `#2` and so on for further definitions of the same object; `-` in place of the namespace if it is in none. */
  id: string;
  category: NodeCategory;
  /** As rules name it: `Deployment`, `argoproj.io/Rollout`. */
  kind: string;
  /** The namespace of the run if the object does not set one; null for what is in no namespace. */
  namespace: string | null;
  name: string;
  presence: Presence;
  /** Null for what has no place in a file. */
  location: Location | null;
  /** Whether a selected rule covers the kind; null for what is not in the input. */
  checked: boolean | null;
  /** Whether the run evaluated it: with `--changed-since`, what has not changed was not; null for what is not in the input. */
  evaluated: boolean | null;
  rules: RuleCounts;
}

export interface GraphEdge extends Tally {
  kind: EdgeKind;
  from: string;
  to: string;
  target: Presence;
  /** JSON Pointer of the reference in `from`. */
  path: string;
  location: Location | null;
  /** What of the target is meant: `port 80`, `key password`. Empty if all of it is. */
  detail: string;
  /** The workload starts without the target, too. */
  optional: boolean;
  rules: RuleCounts;
}

/** The `detail` of edges of kind `restricts` and `protects` from a policy for every Pod of its namespace. */
export const EVERY_POD = 'every Pod';

export function noTally(): Tally {
  return { worst: null, findings: {}, suppressed: 0, errors: 0, undecided: 0 };
}
