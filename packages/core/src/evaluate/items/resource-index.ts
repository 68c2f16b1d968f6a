import { entriesOf, isMap, member, ResourceSet, requiredLabels, selects, spendOnSearchedSet } from '../../cel/index.js';
import {
  builtinGroup,
  forCel,
  isObject,
  noteShadowed,
  noteUnknown,
  parsePointer,
  podOf,
  pointerBelow,
  type Resource,
} from '../../resource/index.js';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { kindName, type Rule } from '../../rule/index.js';
import type { UnknownValue } from '../../undecided.js';
import { ACCESS_KINDS, AccessIndex, type AccessPlaces, accessPlaces } from './access-index.js';

/** The parts of the set's resources that `+set` rules read, as plain JSON: it can be sent to worker threads. */
export interface Projections {
  [kind: string]: Projection[];
}

/** What rules read of one resource. */
export interface Projection {
  object: JsonObject;
  /** See `Resource.group`. */
  group?: string;
  /** The file that defines it, or what that file was rendered from; absent for what was fetched from a cluster. */
  definedIn?: string;
  /** Values of it that are not known. */
  unknown?: readonly UnknownValue[];
  /** Only of roles and bindings that have a place in a file, see `accessPlaces`. */
  places?: AccessPlaces;
}

/** Which parts of which kinds the selected rules read. */
export type ProjectionPlan = ReadonlyMap<string, readonly string[]>;

/** The union of what the rules declare under `set`; empty when no rule looks at the set. */
export function projectionPlan(rules: readonly Rule[]): ProjectionPlan {
  const plan = new Map<string, Set<string>>();
  for (const rule of rules)
    for (const [kind, pointers] of Object.entries(rule.set ?? {})) {
      const all = plan.get(kind) ?? new Set();
      for (const pointer of pointers) all.add(pointer);
      plan.set(kind, all);
    }
  return new Map([...plan].map(([kind, pointers]) => [kind, [...pointers].sort()]));
}

/** Adds what the plan asks of a resource. Kinds that no rule reads cost nothing. */
export function project(plan: ProjectionPlan, resource: Resource, into: Projections): void {
  const kind = kindName(resource.apiVersion, resource.kind, builtinGroup(resource.apiVersion));
  const own = plan.get(kind);
  if (own) add(into, kind, projected(resource, resource.object, own, ''));
  const pod = plan.has(POD_SPEC) ? podOf(resource) : undefined;
  if (pod) add(into, POD_SPEC, projected(resource, { metadata: pod.metadata, spec: pod.spec }, podParts(plan), pod.pointer));
}

/** The parts of a resource that the plan reads, as paths. */
export function partsRead(plan: ProjectionPlan, resource: Resource): string[][] {
  const own = plan.get(kindName(resource.apiVersion, resource.kind, builtinGroup(resource.apiVersion))) ?? [];
  const pod = plan.has(POD_SPEC) ? podOf(resource) : undefined;
  const ofPod = pod === undefined ? [] : podParts(plan).map((pointer) => pod.pointer + pointer);
  return [...own, ...ofPod].flatMap((pointer) => pathsOf(resource.object, parsePointer(pointer)));
}

/** The path to which the steps lead, or one for every item of a list. */
function pathsOf(value: JsonValue | undefined, steps: readonly string[], path: readonly string[] = []): string[][] {
  const [step, ...rest] = steps;
  if (step === undefined) return [[...path]];
  if (step === EVERY_ITEM) return Array.isArray(value) ? value.flatMap((item, index) => pathsOf(item, rest, [...path, String(index)])) : [];
  return pathsOf(isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined, rest, [...path, step]);
}

function podParts(plan: ProjectionPlan): readonly string[] {
  return ['/metadata/labels', ...(plan.get(POD_SPEC) ?? [])];
}

/** The kind by which rules read all Pods and pod templates of a set, as in their targets. */
export const POD_SPEC = 'PodSpec';

/** @param at where `object` is in the resource, as a JSON Pointer */
function projected(resource: Resource, object: JsonObject, pointers: readonly string[], at: string): Projection {
  const { apiVersion, kind, name, namespace, group, source } = resource;
  const projection: JsonObject = { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
  for (const pointer of pointers) picked(object, parsePointer(pointer), projection);
  const unknown = resource.unknown?.flatMap((value) => {
    const pointer = pointerBelow(at, value.pointer);
    return pointer !== undefined && pointers.some((read) => overlap(read, pointer)) ? [{ ...value, pointer }] : [];
  });
  return {
    object: projection,
    ...(group !== undefined && { group }),
    ...(!resource.live && { definedIn: source.rendered ?? source.file }),
    ...(unknown && unknown.length > 0 && { unknown }),
    ...accessPlaces(resource),
  };
}

function add(into: Projections, kind: string, projection: Projection): void {
  const list = Object.hasOwn(into, kind) ? into[kind] : undefined;
  if (list) list.push(projection);
  else into[kind] = [projection];
}

/** What a set is, beside its resources. */
export interface SetOptions {
  /** The namespace of objects that name none. */
  namespace: string;
  /** Whether the input holds everything that is in the cluster; absent: it does not. */
  complete?: boolean;
}

/** The resources of a run, by the groups that they belong to. */
export class ResourceGroups {
  readonly #groups = new Map<string | undefined, ResourceIndex>();

  constructor(
    projections: Projections,
    private readonly options: SetOptions,
  ) {
    for (const [kind, list] of Object.entries(projections)) for (const projection of list) this.of(projection.group).add(kind, projection);
  }

  /** What a resource of this group sees. */
  of(group: string | undefined): ResourceIndex {
    const known = this.#groups.get(group);
    if (known) return known;
    const index = new ResourceIndex(this.options);
    this.#groups.set(group, index);
    return index;
  }
}

/** Resources of one kind in one namespace, in the order of the input. */
interface Room {
  readonly values: unknown[];
  /** Positions of the resources by the text that they have at a JSON Pointer, for each pointer that was asked for. */
  texts?: Map<string, Map<string, number[]>>;
  /** Positions of the resources that have a label, by key and value; made when first asked for. */
  labelled?: Map<string, number[]>;
  /** Positions of the resources whose selector requires a label, by the first one that it requires, for each member that holds selectors. */
  selectors?: Map<string, Selectors>;
}

interface Selectors {
  readonly requiring: Map<string, number[]>;
  /** Those that require no label as it is. */
  readonly others: number[];
  /** The selector of each resource. */
  readonly all: readonly unknown[];
}

/** `resources` in the scope of `+set` rules: look-ups by index, never a scan over the whole input. */
export class ResourceIndex extends ResourceSet {
  override readonly complete: boolean;
  readonly #byKind = new Map<string, unknown[]>();
  readonly #rooms = new Map<string, Room>();
  readonly #byName = new Map<string, unknown>();
  /** Each resource with each file that defines it. */
  readonly #definitions = new Set<string>();
  readonly #repeated = new Set<string>();
  readonly #places = new WeakMap<object, AccessPlaces>();
  #access: AccessIndex | undefined;

  constructor(private readonly options: SetOptions) {
    super();
    this.complete = options.complete ?? false;
  }

  add(kind: string, { object, unknown, definedIn, places }: Projection): void {
    // Projections may come from another thread, where what was noted about them did not go along.
    noteShadowed(object);
    // A pointer leads into the object that is not known, not into the one that a rule is applied to.
    if (unknown) noteUnknown(object, unknown, ({ reason, message }) => ({ reason, message }));
    const value = forCel(object);
    if (places && typeof value === 'object' && value !== null) this.#places.set(value, places);
    const namespace = textOf(object, 'namespace');
    const key = this.#nameKey(kind, namespace, textOf(object, 'name'));
    if (!this.#byName.has(key)) this.#byName.set(key, value);
    if (definedIn !== undefined) this.#noteDefinition(key, definedIn);
    append(this.#byKind, kind, value);
    const room = this.#roomKey(kind, namespace);
    const known = this.#rooms.get(room);
    if (known) known.values.push(value);
    else this.#rooms.set(room, { values: [value] });
  }

  override ofKind(kind: string): readonly unknown[] {
    return this.#byKind.get(kind) ?? [];
  }

  override inNamespace(kind: string, namespace: string): readonly unknown[] {
    return this.#rooms.get(this.#roomKey(kind, namespace))?.values ?? [];
  }

  override having(kind: string, namespace: string, pointer: string, text: string): readonly unknown[] {
    const room = this.#rooms.get(this.#roomKey(kind, namespace));
    if (room === undefined) return [];
    const positions = textsOf(room, pointer).get(text) ?? [];
    spendOnSearchedSet(positions.length);
    return positions.map((position) => room.values[position]);
  }

  override selected(kind: string, namespace: string, selector: unknown): readonly unknown[] {
    const room = this.#rooms.get(this.#roomKey(kind, namespace));
    if (room === undefined || !isMap(selector)) return [];
    const [required] = requiredLabels(selector);
    const candidates = required === undefined ? undefined : (labelledOf(room).get(labelKey(...required)) ?? []);
    spendOnSearchedSet(candidates?.length ?? room.values.length);
    const values = candidates === undefined ? room.values : candidates.map((position) => room.values[position]);
    return values.filter((value) => selects(selector, labelsOf(value)));
  }

  override selecting(kind: string, namespace: string, member: string, labels: unknown): readonly unknown[] {
    const room = this.#rooms.get(this.#roomKey(kind, namespace));
    if (room === undefined) return [];
    const { requiring, others, all } = selectorsOf(room, kind, member);
    const wanted = new Map(entriesOf(labels));
    const positions = [...others, ...[...wanted].flatMap(([key, value]) => requiring.get(labelKey(key, value)) ?? [])];
    spendOnSearchedSet(positions.length);
    return positions
      .filter((position) => selects(all[position], wanted))
      .sort((a, b) => a - b)
      .map((position) => room.values[position]);
  }

  /** With an empty namespace, finds cluster-scoped objects. */
  override lookup(kind: string, namespace: string, name: string): unknown {
    return this.#byName.get(this.#nameKey(kind, namespace, name));
  }

  override repeated(kind: string, namespace: string, name: string): boolean {
    return this.#repeated.has(this.#nameKey(kind, namespace, name));
  }

  override boundRules(binding: unknown): readonly unknown[] {
    return this.#accessIndex().boundRules(binding);
  }

  override grantText(binding: unknown): string {
    return this.#accessIndex().grantText(binding);
  }

  override accountBindings(namespace: string, name: string): readonly unknown[] {
    return this.#accessIndex().accountBindings(namespace, name);
  }

  #accessIndex(): AccessIndex {
    this.#access ??= new AccessIndex(
      ACCESS_KINDS.flatMap((kind) => this.ofKind(kind).map((value) => ({ kind, value, ...this.#placesOf(value) }))),
      { namespace: this.options.namespace, complete: this.complete },
    );
    return this.#access;
  }

  #placesOf(value: unknown): AccessPlaces | undefined {
    return typeof value === 'object' && value !== null ? this.#places.get(value) : undefined;
  }

  #noteDefinition(key: string, file: string): void {
    const definition = `${key}\n${file}`;
    if (this.#definitions.has(definition)) this.#repeated.add(key);
    this.#definitions.add(definition);
  }

  #roomKey(kind: string, namespace: string): string {
    return `${kind}\n${namespace === '' ? this.options.namespace : namespace}`;
  }

  #nameKey(kind: string, namespace: string, name: string): string {
    return `${this.#roomKey(kind, namespace)}\n${name}`;
  }
}

function textsOf(room: Room, pointer: string): ReadonlyMap<string, readonly number[]> {
  room.texts ??= new Map();
  const known = room.texts.get(pointer);
  if (known !== undefined) return known;
  const texts = new Map<string, number[]>();
  const steps = parsePointer(pointer);
  for (const [position, value] of room.values.entries()) {
    const text = steps.reduce(member, value);
    if (typeof text === 'string') append(texts, text, position);
  }
  room.texts.set(pointer, texts);
  return texts;
}

function labelledOf(room: Room): ReadonlyMap<string, readonly number[]> {
  if (room.labelled !== undefined) return room.labelled;
  const labelled = new Map<string, number[]>();
  for (const [position, value] of room.values.entries())
    for (const [key, label] of labelsOf(value)) append(labelled, labelKey(key, label), position);
  room.labelled = labelled;
  return labelled;
}

function selectorsOf(room: Room, kind: string, name: string): Selectors {
  room.selectors ??= new Map();
  const known = room.selectors.get(name);
  if (known) return known;
  const all = room.values.map((value) => selectorOf(member(member(value, 'spec'), name), kind));
  const made: Selectors = { requiring: new Map(), others: [], all };
  for (const [position, selector] of all.entries()) {
    const [required] = requiredLabels(selector);
    if (required !== undefined) append(made.requiring, labelKey(...required), position);
    else if (selector !== undefined) made.others.push(position);
  }
  room.selectors.set(name, made);
  return made;
}

/** These kinds hold labels where others hold a selector, and select nothing where there are none. */
const PLAIN_SELECTORS: ReadonlySet<string> = new Set(['Service', 'ReplicationController']);

function selectorOf(value: unknown, kind: string): unknown {
  // The API reads an absent podSelector as an empty one: kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1
  if (kind === 'NetworkPolicy') return value ?? {};
  if (!PLAIN_SELECTORS.has(kind)) return value;
  return entriesOf(value).length === 0 ? undefined : { matchLabels: value };
}

function labelsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(entriesOf(member(member(value, 'metadata'), 'labels')));
}

function labelKey(key: string, value: unknown): string {
  return `${key}\n${String(value)}`;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The token of a pointer in `set` that stands for every item of a list. */
const EVERY_ITEM = '*';

/** Whether a value is in what a pointer of `set` reads, or the other way round. */
function overlap(read: string, pointer: string): boolean {
  const tokens = parsePointer(pointer);
  return parsePointer(read).every((token, index) => index >= tokens.length || token === EVERY_ITEM || token === tokens[index]);
}

function textOf(projection: JsonObject, member: 'name' | 'namespace'): string {
  const metadata = projection['metadata'] as JsonObject; // made by project()
  const value = metadata[member];
  return typeof value === 'string' ? value : '';
}

/** What was picked so far, and beside it the part of the source to which the steps lead. Never changes the source. */
function picked(source: JsonValue | undefined, steps: readonly string[], known: JsonValue | undefined): JsonValue | undefined {
  const [step, ...rest] = steps;
  if (step === undefined || source === known) return source;
  if (step === EVERY_ITEM) {
    if (!Array.isArray(source)) return known;
    const items = Array.isArray(known) ? known : [];
    return source.map((item, index) => (isObject(item) ? (picked(item, rest, items[index] ?? {}) ?? {}) : item));
  }
  if (!isObject(source) || !Object.hasOwn(source, step)) return known;
  const target: JsonObject = isObject(known) ? known : {};
  const value = picked(source[step], rest, Object.hasOwn(target, step) ? target[step] : undefined);
  if (value !== undefined) target[step] = value;
  return target;
}
