import { builtinGroup, isObject, parsePointer, podOf, pointerBelow, type Resource } from '../../resource/index.js';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { kindName, type Rule } from '../../rule/index.js';
import type { UnknownValue } from '../../undecided.js';
import { type AccessPlaces, accessPlaces } from './access-index.js';

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

/** The token of a pointer in `set` that stands for every item of a list. */
export const EVERY_ITEM = '*';

/** Whether a value is in what a pointer of `set` reads, or the other way round. */
function overlap(read: string, pointer: string): boolean {
  const tokens = parsePointer(pointer);
  return parsePointer(read).every((token, index) => index >= tokens.length || token === EVERY_ITEM || token === tokens[index]);
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
