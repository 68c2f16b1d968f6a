import type { EvaluationEvent, Finding, UndecidedCheck } from '../evaluate/index.js';
import type { Resource } from '../resource/index.js';
import { SEVERITIES, type Severity } from '../rule/index.js';
import { boundedName } from './bounded.js';
import { nameOfKind, shortKind } from './kinds.js';
import { type Graph, type GraphEdge, type GraphNode, noTally, type RuleCounts, type Tally } from './model.js';
import { type GraphOptions, GraphResources } from './read/graph-resources.js';
import { type ResolvedGraph, resolveGraph } from './read/resolve.js';

/** What findings are counted on. */
type Counted = Tally & { rules: RuleCounts };

/**
 * The fields of an object that refer to something, by JSON Pointer. Findings are counted for the field, and not for each of its edges: a selector may have
 * thousands.
 */
type Fields = Map<string, Counted & { edges: GraphEdge[] }>;

type RunEnd = Extract<EvaluationEvent, { type: 'end' }>;

/**
 * The graph of a run. All resources come first, then the events of the run. Memory holds names, labels and references of the resources, and counts of the
 * findings.
 */
export class RunGraph {
  readonly #resources: GraphResources;
  readonly #rules: Graph['rules'] = {};
  readonly #counts = new Map<Counted, Map<string, number>>();
  readonly #elsewhere: Counted = { ...noTally(), rules: [] };
  #resolved: { graph: ResolvedGraph; fields: ReadonlyMap<string, Fields> } | undefined;

  constructor(private readonly options: GraphOptions) {
    this.#resources = new GraphResources(options);
  }

  /** @param evaluated whether the run applies rules to it */
  add(resource: Resource, evaluated = true): void {
    this.#resources.add(resource, evaluated);
  }

  /** Says which resources were evaluated, as `kind/namespace/name`: all others were not, whatever was said when they were added. */
  evaluatedOnly(identities: ReadonlySet<string>): void {
    for (const { node } of this.#resources.all)
      node.evaluated = identities.has(`${shortKind(node.kind)}/${node.namespace ?? ''}/${node.name}`);
  }

  /** Puts a finding on the node of its resource, and on the edges of the reference that its path points at. */
  take(finding: Finding): void {
    if (finding.status === 'pass') return;
    for (const tally of this.#about(finding)) this.#count(tally, finding);
  }

  /** The graph of the whole run. */
  finish(end: RunEnd): Graph {
    const { graph, fields } = this.#graph();
    for (const check of end.undecided ?? []) for (const tally of this.#about(check)) tally.undecided += 1;
    const unchecked = new Set(end.summary.unchecked.map(({ kind }) => boundedName(kind)));
    for (const node of graph.nodes) if (node.presence === 'input' && node.evaluated) node.checked = !unchecked.has(node.kind);
    for (const [{ rules }, counts] of this.#counts)
      rules.push(...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule_id, count]) => ({ rule_id, count })));
    for (const own of fields.values()) for (const { edges, ...tally } of own.values()) for (const edge of edges) Object.assign(edge, tally);
    for (const tally of [...graph.nodes, ...graph.edges]) tally.findings = bySeverity(tally.findings);
    const { rules: _, ...elsewhere } = this.#elsewhere;
    return {
      version: 1,
      complete: this.options.complete,
      nodes: graph.nodes,
      edges: graph.edges,
      rules: Object.fromEntries(Object.entries(this.#rules).sort(([a], [b]) => (a < b ? -1 : 1))),
      legend: {
        rules_selected: end.summary.rules,
        unchecked: end.summary.unchecked,
        not_drawn: byKind(graph.notDrawn),
        not_listed: [...(this.options.notListed ?? [])]
          .map(([kind, reason]) => ({ kind, reason }))
          .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
        elsewhere,
        errors: end.errors,
        notes: end.notes,
        undecided: end.summary.undecided?.checks ?? 0,
        undecided_placed: end.undecided?.length ?? 0,
        selectors_cut: graph.selectorsCut,
      },
    };
  }

  #graph() {
    if (this.#resolved) return this.#resolved;
    const graph = resolveGraph(this.#resources);
    const fields = new Map<string, Fields>();
    for (const edge of graph.edges) {
      // The ownerReference of an edge is in the object that it leads to.
      const holder = edge.kind === 'owns' ? edge.to : edge.from;
      const own: Fields = fields.get(holder) ?? new Map();
      fields.set(holder, own);
      const field = own.get(edge.path) ?? { ...noTally(), rules: [], edges: [] };
      own.set(edge.path, field);
      field.edges.push(edge);
    }
    for (const { node, references } of this.#resources.all)
      for (const { path, alsoAt = [] } of references) {
        const field = fields.get(node.id)?.get(path);
        if (field) for (const other of alsoAt) fields.get(node.id)?.set(other, field);
      }
    this.#resolved = { graph, fields };
    return this.#resolved;
  }

  /** The node, and the field with its edges if there is one. */
  #about({ resource, location, path }: Finding | UndecidedCheck): Counted[] {
    const { fields } = this.#graph();
    const kind = nameOfKind(resource.api_version, resource.kind);
    const found = this.#resources.at(kind, resource.namespace, resource.name, location);
    if (!found) return [this.#elsewhere];
    const field = fieldAt(fields.get(found.node.id), path);
    return field ? [found.node, field] : [found.node];
  }

  #count(counted: Counted, { status, severity, rule_id, title }: Finding): void {
    if (status === 'suppressed') counted.suppressed += 1;
    else if (status === 'error') counted.errors += 1;
    else {
      addFailure(counted, severity);
      this.#rules[rule_id] ??= { severity, title };
      const rules = this.#counts.get(counted) ?? new Map<string, number>();
      this.#counts.set(counted, rules.set(rule_id, (rules.get(rule_id) ?? 0) + 1));
    }
  }
}

/** The same counts, the most severe first: the order of members is part of the answer. */
function bySeverity(findings: Tally['findings']): Tally['findings'] {
  return Object.fromEntries(SEVERITIES.flatMap((severity) => (findings[severity] === undefined ? [] : [[severity, findings[severity]]])));
}

/** The field at the path, or that holds it. */
function fieldAt(fields: Fields | undefined, path: string): Counted | undefined {
  for (let at = path; fields && at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const field = fields.get(at);
    if (field) return field;
  }
  return undefined;
}

function addFailure(tally: Tally, severity: Severity, count = 1): void {
  tally.findings[severity] = (tally.findings[severity] ?? 0) + count;
  tally.worst = worseOf(tally.worst, severity);
}

/** The more severe of two. */
function worseOf(a: Severity | null, b: Severity | null): Severity | null {
  if (a === null || b === null) return a ?? b;
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b;
}

/** Adds what one part says to a sum. */
export function addTally(sum: Tally, part: Tally): void {
  for (const severity of SEVERITIES) {
    const count = part.findings[severity];
    if (count !== undefined) addFailure(sum, severity, count);
  }
  sum.suppressed += part.suppressed;
  sum.errors += part.errors;
  sum.undecided += part.undecided;
}

function byKind(nodes: readonly GraphNode[]): Graph['legend']['not_drawn'] {
  const kinds = new Map<string, Graph['legend']['not_drawn'][number]>();
  for (const node of nodes) {
    const known = kinds.get(node.kind) ?? { kind: node.kind, count: 0, ...noTally() };
    kinds.set(node.kind, known);
    known.count += 1;
    addTally(known, node);
  }
  return [...kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
