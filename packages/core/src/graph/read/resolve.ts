import { apiObject } from '../../cel/functions/resources/api-objects.js';
import { entriesOf, member, StepBudget } from '../../cel/index.js';
import type { ResourceGroups, ResourceIndex } from '../../evaluate/items/resource-index.js';
import { boundedDetail, boundedName } from '../bounded.js';
import { categoryOf } from '../kinds.js';
import { type GraphEdge, type GraphNode, noTally, type Presence } from '../model.js';
import type { GraphResource, GraphResources, PlacedReference } from './graph-resources.js';
import { isEmpty } from './policy-references.js';
import type { NameReference, PeerSelection, PodSelection } from './reference.js';

/** Edges from selectors to Pods that a graph has at most: one for each pair would be the square of a hostile input. */
const MOST_SELECTED = 500_000;

/** Steps that all selectors of a graph may take together, see `StepBudget`: about ten seconds. */
const MOST_STEPS = 400_000_000;

/** Nodes and edges before a run. */
export interface ResolvedGraph {
  /** Everything in the input, drawn or not, and what something drawn refers to. Sorted. */
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Resources in the input without a node of their own. */
  notDrawn: GraphNode[];
  selectorsCut: number;
}

/** What a selector found, with the ports of Pods. */
type Target = Pick<GraphResource, 'node'> & Partial<Pick<GraphResource, 'parts'>>;

/** Looks for the target of every reference. The knowledge of selectors and of what the API creates is that of the functions of rules. */
export function resolveGraph(resources: GraphResources): ResolvedGraph {
  return new Resolver(resources).resolve();
}

class Resolver {
  readonly #drawn = new Set<GraphNode>();
  readonly #absent = new Map<string, GraphNode>();
  readonly #edges: GraphEdge[] = [];
  readonly #index: ResourceGroups;
  readonly #made: ReadonlySet<string>;
  readonly #budget = new StepBudget(MOST_STEPS);
  #selected = 0;
  #cut = 0;

  constructor(private readonly resources: GraphResources) {
    this.#index = resources.index();
    const makes = resources.all.flatMap(({ node, group, references }) =>
      references.flatMap((reference) =>
        reference.type === 'name' && reference.edge === 'makes' ? absentKey(group, reference.kind, node.namespace, reference.name) : [],
      ),
    );
    this.#made = new Set(makes);
  }

  resolve(): ResolvedGraph {
    for (const resource of this.resources.all) {
      if (categoryOf(resource.node.kind) === undefined) continue;
      this.#drawn.add(resource.node);
      for (const reference of resource.references) this.#follow(resource, reference);
      this.#followOwners(resource);
    }
    const nodes = [...this.#drawn, ...this.#absent.values()].sort(byId);
    const notDrawn = this.resources.all.map(({ node }) => node).filter((node) => !this.#drawn.has(node));
    return { nodes, edges: this.#edges.sort(inOrder), notDrawn, selectorsCut: this.#cut };
  }

  #follow(from: GraphResource, reference: PlacedReference): void {
    if (reference.type === 'name') this.#followName(from, reference);
    else this.#followSelector(from, reference);
  }

  #followName(from: GraphResource, reference: NameReference & PlacedReference): void {
    const { kind, name, parts, optional = false } = reference;
    const namespace = this.resources.namespaceOf(kind, reference.namespace ?? from.node.namespace);
    const target = this.resources.named(from, kind, namespace, name);
    const to = target?.node ?? this.#absentNode(from.group, kind, namespace, name);
    if (target) this.#drawn.add(target.node);
    const missing = lacks(target, parts?.names);
    const detail = parts === undefined ? '' : `${parts.what} ${parts.names.join(', ')}`;
    this.#edge(from, to, reference, reference.edge, { target: missing ? 'missing' : to.presence, detail, optional });
  }

  #followOwners(from: GraphResource): void {
    for (const { kind, name, path, location } of from.owners) {
      const owner = this.resources.named(from, kind, this.resources.namespaceOf(kind, from.node.namespace), name);
      // An owner may have been deleted, or be a controller that no picture needs, so one that is not in the input is not drawn.
      if (!owner || owner === from || categoryOf(owner.node.kind) !== 'workload') continue;
      this.#drawn.add(owner.node);
      this.#edge(owner, from.node, { path, location }, 'owns', { target: 'input' });
    }
  }

  #followSelector(from: GraphResource, reference: (PodSelection | PeerSelection) & PlacedReference): void {
    const detail = reference.type === 'pods' ? (reference.detail ?? '') : '';
    const found = this.#found(from, reference);
    if (found === 'cut') {
      this.#cut += 1;
      return;
    }
    // A policy for every Pod may be older than the first Pod of its namespace.
    if (found.length === 0 && reference.type === 'pods' && isEmpty(reference.selector)) return;
    const targets = found.length > 0 ? found : [{ node: this.#noPods(from, reference) }];
    this.#selected += targets.length;
    const ports = reference.type === 'pods' ? reference.ports : undefined;
    for (const target of targets)
      this.#edge(from, target.node, reference, reference.edge, { target: lacks(target, ports) ? 'missing' : target.node.presence, detail });
  }

  /** The workloads or namespaces that a selector selects, each once. */
  #found(from: GraphResource, reference: PodSelection | PeerSelection): Target[] | 'cut' {
    const index = this.#index.of(from.group);
    const own = from.node.namespace ?? '';
    try {
      const found = this.#budget.run(() =>
        reference.type === 'pods' ? this.#pods(index, own, reference.selector) : this.#peers(from, index, own, reference),
      );
      return this.#selected + found.length > MOST_SELECTED ? 'cut' : found;
    } catch (error) {
      if (this.#budget.left < 0) return 'cut';
      throw error;
    }
  }

  #pods(index: ResourceIndex, namespace: string, selector: unknown): Target[] {
    const found = index.selected('PodSpec', namespace, selector).flatMap((pod) => {
      const resource = this.resources.all[Number(member(member(pod, 'metadata'), 'name'))];
      return resource ?? [];
    });
    return [...new Set(found)];
  }

  /** A peer that means every Pod of a namespace is the namespace. */
  #peers(from: GraphResource, index: ResourceIndex, own: string, { podSelector, namespaceSelector }: PeerSelection): Target[] {
    const namespaces =
      namespaceSelector === undefined
        ? [own]
        : index.selected('Namespace', '', namespaceSelector).map((found) => String(member(member(found, 'metadata'), 'name')));
    if (podSelector === undefined || isEmpty(podSelector)) return namespaces.map((name) => ({ node: this.#namespace(from, name) }));
    return namespaces.flatMap((namespace) => this.#pods(index, namespace, podSelector));
  }

  #namespace(from: GraphResource, name: string): GraphNode {
    const known = this.resources.named(from, 'Namespace', null, name);
    if (!known) return this.#absentNode(from.group, 'Namespace', null, name);
    this.#drawn.add(known.node);
    return known.node;
  }

  /** What a selector without Pods points at. */
  #noPods({ node, group }: GraphResource, reference: PodSelection | PeerSelection): GraphNode {
    const selectors =
      reference.type === 'pods'
        ? [selectorText(reference.selector)]
        : [
            reference.podSelector && selectorText(reference.podSelector),
            reference.namespaceSelector && `in ${selectorText(reference.namespaceSelector)}`,
          ];
    const text = selectors.filter((part) => part !== undefined).join(' ');
    return this.#absentNode(group, 'Pods', node.namespace, text);
  }

  #absentNode(group: string | undefined, kind: string, namespace: string | null, name: string): GraphNode {
    const key = absentKey(group, kind, namespace, name);
    const known = this.#absent.get(key);
    if (known) return known;
    const shown = { kind: boundedName(kind), namespace, name: boundedName(name) };
    const node: GraphNode = {
      id: this.resources.idOf(group, kind, namespace, name),
      category: kind === 'Pods' ? 'workload' : kind === 'Namespace' ? 'namespace' : (categoryOf(kind) ?? 'other'),
      ...shown,
      presence: this.#presence(key, kind, namespace, name),
      location: null,
      checked: null,
      evaluated: null,
      ...noTally(),
      rules: [],
    };
    this.#absent.set(key, node);
    return node;
  }

  #presence(key: string, kind: string, namespace: string | null, name: string): Presence {
    if (apiObject(kind, namespace ?? '', name)) return 'api';
    const { complete, notListed } = this.resources.options;
    // A host outside of the cluster, and what an operator makes, are in no input.
    return complete && kind !== 'Host' && !this.#made.has(key) && !notListed?.has(kind) ? 'missing' : 'outside';
  }

  #edge(
    from: GraphResource,
    to: GraphNode,
    { path, location }: Pick<PlacedReference, 'path' | 'location'>,
    kind: GraphEdge['kind'],
    { target, detail = '', optional = false }: Pick<GraphEdge, 'target'> & Partial<Pick<GraphEdge, 'detail' | 'optional'>>,
  ): void {
    this.#edges.push({
      kind,
      from: from.node.id,
      to: to.id,
      target,
      path,
      location,
      detail: boundedDetail(detail),
      optional,
      ...noTally(),
      rules: [],
    });
  }
}

/** Whether a target is known not to have one of these ports or keys. */
function lacks(target: Pick<Target, 'parts'> | undefined, names: readonly string[] = []): boolean {
  const parts = target?.parts;
  return parts !== undefined && names.some((name) => !parts.has(boundedName(name)));
}

function absentKey(group: string | undefined, kind: string, namespace: string | null, name: string): string {
  return [group ?? '', kind, namespace ?? '', boundedName(name)].join('\n');
}

/** `app=web, tier in (a, b)`. */
function selectorText(selector: unknown): string {
  const labels = entriesOf(member(selector, 'matchLabels')).map(([key, value]) => `${key}=${String(value)}`);
  const expressions = member(selector, 'matchExpressions');
  const others = Array.isArray(expressions) ? expressions.map(requirementText) : [];
  return boundedDetail([...labels, ...others].join(', '));
}

function requirementText(requirement: unknown): string {
  const values = member(requirement, 'values');
  const list = Array.isArray(values) ? ` (${values.map(String).join(', ')})` : '';
  return `${String(member(requirement, 'key'))} ${String(member(requirement, 'operator'))}${list}`;
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function inOrder(a: GraphEdge, b: GraphEdge): number {
  for (const key of ['from', 'to', 'kind', 'path'] as const) if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  return 0;
}
