import { ResourceSet } from '../../cel/index.js';
import { builtinGroup, forCel, noteShadowed, noteUnknown, parsePointer, pointerBelow, type Resource } from '../../resource/index.js';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { kindName, type Rule } from '../../rule/index.js';
import type { UnknownValue } from '../../undecided.js';

/** The parts of the set's resources that `+set` rules read, as plain JSON: it can be sent to worker threads. */
export interface Projections {
  [kind: string]: Projection[];
}

/** What rules read of one resource. */
export interface Projection {
  object: JsonObject;
  /** See `Resource.group`. */
  group?: string;
  /** Values of it that are not known. */
  unknown?: readonly UnknownValue[];
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
  const pointers = plan.get(kind);
  if (!pointers) return;
  const metadata: JsonObject = { name: resource.name };
  if (resource.namespace !== undefined) metadata['namespace'] = resource.namespace;
  const projection: JsonObject = { apiVersion: resource.apiVersion, kind: resource.kind, metadata };
  for (const pointer of pointers) copy(resource.object, projection, parsePointer(pointer));
  const unknown = resource.unknown?.filter((value) => pointers.some((pointer) => overlap(pointer, value.pointer)));
  const { group } = resource;
  const entry: Projection = {
    object: projection,
    ...(group !== undefined && { group }),
    ...(unknown && unknown.length > 0 && { unknown }),
  };
  const list = Object.hasOwn(into, kind) ? into[kind] : undefined;
  if (list) list.push(entry);
  else into[kind] = [entry];
}

/** The resources of a run, by the groups that they belong to. */
export class ResourceGroups {
  readonly #groups = new Map<string | undefined, ResourceIndex>();

  constructor(
    projections: Projections,
    private readonly defaultNamespace: string,
  ) {
    for (const [kind, list] of Object.entries(projections)) for (const projection of list) this.of(projection.group).add(kind, projection);
  }

  /** What a resource of this group sees. */
  of(group: string | undefined): ResourceIndex {
    const known = this.#groups.get(group);
    if (known) return known;
    const index = new ResourceIndex(this.defaultNamespace);
    this.#groups.set(group, index);
    return index;
  }
}

/** `resources` in the scope of `+set` rules: look-ups by index, never a scan over the whole input. */
export class ResourceIndex extends ResourceSet {
  readonly #byKind = new Map<string, unknown[]>();
  readonly #byName = new Map<string, unknown>();

  constructor(private readonly defaultNamespace: string) {
    super();
  }

  add(kind: string, { object, unknown }: Projection): void {
    // Projections may come from another thread, where what was noted about them did not go along.
    noteShadowed(object);
    // A pointer leads into the object that is not known, not into the one that a rule is applied to.
    if (unknown) noteUnknown(object, unknown, ({ reason, message }) => ({ reason, message }));
    const value = forCel(object);
    const key = nameKey(kind, textOf(object, 'namespace') || this.defaultNamespace, textOf(object, 'name'));
    if (!this.#byName.has(key)) this.#byName.set(key, value);
    const known = this.#byKind.get(kind);
    if (known) known.push(value);
    else this.#byKind.set(kind, [value]);
  }

  override ofKind(kind: string): readonly unknown[] {
    return this.#byKind.get(kind) ?? [];
  }

  /** With an empty namespace, finds cluster-scoped objects. */
  override lookup(kind: string, namespace: string, name: string): unknown {
    return this.#byName.get(nameKey(kind, namespace === '' ? this.defaultNamespace : namespace, name));
  }
}

/** Whether one of two pointers is at or below the other. */
function overlap(a: string, b: string): boolean {
  return pointerBelow(a, b) !== undefined || pointerBelow(b, a) !== undefined;
}

function nameKey(kind: string, namespace: string, name: string): string {
  return `${kind}\n${namespace}\n${name}`;
}

function textOf(projection: JsonObject, member: 'name' | 'namespace'): string {
  const metadata = projection['metadata'] as JsonObject; // made by project()
  const value = metadata[member];
  return typeof value === 'string' ? value : '';
}

function copy(from: JsonObject, to: JsonObject, steps: readonly string[]): void {
  let source: JsonValue | undefined = from;
  let target = to;
  for (const [index, step] of steps.entries()) {
    if (source === null || typeof source !== 'object' || Array.isArray(source) || !Object.hasOwn(source, step)) return;
    source = source[step];
    if (source === undefined) return;
    if (index === steps.length - 1) {
      target[step] = source;
      return;
    }
    const existing: JsonValue | undefined = Object.hasOwn(target, step) ? target[step] : undefined;
    if (existing !== null && typeof existing === 'object' && !Array.isArray(existing)) target = existing;
    else {
      const made: JsonObject = {};
      target[step] = made;
      target = made;
    }
  }
}
