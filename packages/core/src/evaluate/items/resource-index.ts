import { ResourceSet } from '../../cel/index.js';
import { forCel, noteShadowed, noteUnknown } from '../../resource/index.js';
import type { JsonObject } from '../../resource/text/json.js';
import { ACCESS_KINDS, AccessIndex, type AccessPlaces } from './access-index.js';
import type { Projection, Projections } from './projections.js';
import { Room, TextIndex } from './room.js';

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

/** `resources` in the scope of `+set` rules: look-ups by index, never a scan over the whole input. */
export class ResourceIndex extends ResourceSet {
  override readonly complete: boolean;
  readonly #byKind = new Map<string, unknown[]>();
  readonly #textsOfKind = new Map<string, TextIndex>();
  /** By kind and namespace. */
  readonly #rooms = new Map<string, Map<string, Room>>();

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
    const ofKind = this.#byKind.get(kind);
    if (ofKind) ofKind.push(value);
    else this.#byKind.set(kind, [value]);
    this.#roomFor(kind, textOf(object, 'namespace')).add(textOf(object, 'name'), value, definedIn);
  }

  override ofKind(kind: string): readonly unknown[] {
    return this.#byKind.get(kind) ?? [];
  }

  override inNamespace(kind: string, namespace: string): readonly unknown[] {
    return this.#room(kind, namespace)?.values ?? [];
  }

  override having(kind: string, namespace: string, pointer: string, text: string): readonly unknown[] {
    return this.#room(kind, namespace)?.having(pointer, text) ?? [];
  }

  override across(kind: string, pointer: string, text: string): readonly unknown[] {
    const texts = this.#textsOfKind.get(kind) ?? new TextIndex();
    this.#textsOfKind.set(kind, texts);
    return texts.having(this.ofKind(kind), pointer, text);
  }

  override selected(kind: string, namespace: string, selector: unknown): readonly unknown[] {
    return this.#room(kind, namespace)?.selected(selector) ?? [];
  }

  override selecting(kind: string, namespace: string, member: string, labels: unknown): readonly unknown[] {
    return this.#room(kind, namespace)?.selecting(member, labels) ?? [];
  }

  /** With an empty namespace, finds cluster-scoped objects. */
  override lookup(kind: string, namespace: string, name: string): unknown {
    return this.#room(kind, namespace)?.named(name);
  }

  override repeated(kind: string, namespace: string, name: string): boolean {
    return this.#room(kind, namespace)?.repeats(name) ?? false;
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

  #room(kind: string, namespace: string): Room | undefined {
    return this.#rooms.get(kind)?.get(namespace === '' ? this.options.namespace : namespace);
  }

  #roomFor(kind: string, namespace: string): Room {
    const known = this.#room(kind, namespace);
    if (known !== undefined) return known;
    const rooms = this.#rooms.get(kind) ?? new Map<string, Room>();
    const room = new Room(kind);
    this.#rooms.set(kind, rooms.set(namespace === '' ? this.options.namespace : namespace, room));
    return room;
  }
}

function textOf(projection: JsonObject, member: 'name' | 'namespace'): string {
  const metadata = projection['metadata'] as JsonObject; // made by project()
  const value = metadata[member];
  return typeof value === 'string' ? value : '';
}
