import type { Location } from '../../errors.js';
import { locationIn } from '../../evaluate/findings/finding.js';
import type { Projections } from '../../evaluate/items/projections.js';
import { ResourceGroups } from '../../evaluate/items/resource-index.js';
import { containersOf, getPointer, isObject, type JsonObject, podOf, podTemplatesOf, type Resource } from '../../resource/index.js';
import { boundedName } from '../bounded.js';
import { categoryOf, isClusterScoped, nameOfKind } from '../kinds.js';
import { type GraphNode, noTally } from '../model.js';
import { ownersOf } from './maker-references.js';
import { itemsAt, objectAt, portAt, type Reference, textAt } from './reference.js';
import { referencesOf } from './references.js';

/** A reference with its place. */
export type PlacedReference = Reference & { location: Location | null };

/** What the graph keeps of a resource: no part of it but names, labels and references. */
export interface GraphResource {
  node: GraphNode;
  /** See `Resource.group`. */
  group: string | undefined;
  references: PlacedReference[];
  owners: { kind: string; name: string; path: string; location: Location | null }[];
  /**
   * The ports of a Service, by name and number, the named ports of Pods, or the keys of a ConfigMap or Secret. Undefined if they are not known: of kinds
   * without them, and where there are none, because something may still fill in keys.
   */
  parts: ReadonlySet<string> | undefined;
}

/** What is known about the input as a whole. */
export interface GraphOptions {
  /** The namespace of objects that name none. */
  namespace: string;
  /** Whether the input holds everything that is in the cluster. */
  complete: boolean;
  /** Kinds, as rules name them, of which the input may lack objects although it is complete: they could not be listed. */
  notListed?: ReadonlyMap<string, string>;
}

/** The resources of a graph, in the order of the input. */
export class GraphResources {
  readonly all: GraphResource[] = [];
  /** The first definition of each object, and the first in each file. */
  readonly #first = new Map<string, GraphResource>();
  /** All definitions of an object in a file, whatever group they belong to. */
  readonly #inFile = new Map<string, GraphResource[]>();
  readonly #ids = new Set<string>();
  /** The number from which on identifiers with the same beginning may be free. */
  readonly #numbers = new Map<string, number>();
  readonly #projections: Projections = {};
  readonly #namespaces = new Map<string, Set<string>>();

  constructor(readonly options: GraphOptions) {}

  /** @param evaluated whether the run applies rules to it */
  add(resource: Resource, evaluated = true): void {
    const kind = nameOfKind(resource.apiVersion, resource.kind);
    const namespace = this.namespaceOf(kind, resource.namespace);
    const name = boundedName(resource.name);
    const place = (path: string) => locationIn(resource.source, resource.position(path));
    const own: GraphResource = {
      node: {
        id: this.idOf(resource.group, kind, namespace, name),
        category: categoryOf(kind) ?? 'other',
        kind: boundedName(kind),
        namespace,
        name,
        presence: 'input',
        location: place(''),
        checked: null,
        evaluated,
        ...noTally(),
        rules: [],
      },
      group: resource.group,
      references: referencesOf(kind, resource).map((reference) => ({ ...reference, location: place(reference.path) })),
      owners: ownersOf(resource).map(({ apiVersion, kind, name, path }) => ({
        kind: nameOfKind(apiVersion, kind),
        name,
        path,
        location: place(path),
      })),
      parts: partsOf(kind, resource),
    };
    this.all.push(own);
    this.#remember(nameKey(resource.group, kind, namespace, name), own);
    const inFile = fileKey(nameKey(undefined, kind, namespace, name), own.node.location);
    const alike = this.#inFile.get(inFile);
    if (alike) alike.push(own);
    else this.#inFile.set(inFile, [own]);
    this.#project(kind, resource, own);
  }

  /** The namespace in which an object of this kind is: its own, or that of the run; null if kinds like it are in none. */
  namespaceOf(kind: string, namespace: string | null | undefined): string | null {
    return isClusterScoped(kind) ? null : boundedName(namespace || this.options.namespace);
  }

  /** What a resource means by a name: the definition in its own file or, without one there, the first of the input. */
  named(
    { group, node }: Pick<GraphResource, 'group' | 'node'>,
    kind: string,
    namespace: string | null,
    name: string,
  ): GraphResource | undefined {
    const key = nameKey(group, kind, namespace, boundedName(name));
    return this.#first.get(fileKey(key, node.location)) ?? this.#first.get(key);
  }

  /** The definition of an object that holds a place of its file, or the first of the input if that file does not have one. */
  at(kind: string, namespace: string | null, name: string, place: Location | null): GraphResource | undefined {
    const key = nameKey(undefined, kind, this.namespaceOf(kind, namespace), boundedName(name));
    const alike = this.#inFile.get(fileKey(key, place)) ?? [];
    // In the order of their lines: the last one that begins before the place.
    let [low, high] = [0, alike.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((alike[middle]?.node.location?.line ?? 0) <= (place?.line ?? 0)) low = middle + 1;
      else high = middle;
    }
    return alike[Math.max(low - 1, 0)] ?? this.#first.get(key);
  }

  /** An identifier that no other node has, whatever names the input brings. */
  idOf(group: string | undefined, kind: string, namespace: string | null, name: string): string {
    const base = `${group === undefined ? '' : `${boundedName(group)}:`}${boundedName(kind)}/${namespace ?? '-'}/${boundedName(name)}`;
    let id = base;
    let number = this.#numbers.get(base) ?? 2;
    for (; this.#ids.has(id); number++) id = `${base}#${number}`;
    this.#numbers.set(base, number);
    this.#ids.add(id);
    return id;
  }

  /**
   * What selectors are applied to: Pods under the kind `PodSpec`, named by the position of their resource in `all`, and Namespaces. The API labels each
   * Namespace with its name, whether or not the input defines it.
   */
  index(): ResourceGroups {
    for (const [group, names] of this.#namespaces)
      for (const name of names) if (!this.#first.has(nameKey(group, 'Namespace', null, name))) this.#namespace(group, name, {});
    this.#namespaces.clear();
    return new ResourceGroups(this.#projections, this.options);
  }

  #remember(key: string, own: GraphResource): void {
    for (const one of [key, fileKey(key, own.node.location)]) if (!this.#first.has(one)) this.#first.set(one, own);
  }

  #project(kind: string, resource: Resource, { node }: GraphResource): void {
    const group = resource.group ?? '';
    if (kind === 'Namespace') this.#namespace(group, node.name, labelsAt(resource.object, '/metadata/labels'));
    else if (node.namespace !== null) {
      const names = this.#namespaces.get(group) ?? new Set();
      this.#namespaces.set(group, names.add(node.namespace));
    }
    for (const labels of podLabels(resource))
      this.#projected('PodSpec', group, { metadata: { name: String(this.all.length - 1), namespace: node.namespace ?? '', labels } });
  }

  #namespace(group: string, name: string, labels: JsonObject): void {
    const named = { ...labels, 'kubernetes.io/metadata.name': name };
    this.#projected('Namespace', group, { metadata: { name, namespace: this.options.namespace, labels: named } });
  }

  #projected(kind: string, group: string, object: JsonObject): void {
    const list = this.#projections[kind] ?? [];
    this.#projections[kind] = list;
    list.push({ object, ...(group !== '' && { group }) });
  }
}

function nameKey(group: string | undefined, kind: string, namespace: string | null, name: string): string {
  return [group ?? '', kind, namespace ?? '', name].join('\n');
}

/** Of a definition in a file; live objects are in none. */
function fileKey(key: string, location: Location | null): string {
  return `${key}\n\n${location?.file ?? ''}`;
}

/** The labels of the Pods that a resource makes. The metadata of a template is beside its spec. */
function podLabels(resource: Resource): JsonObject[] {
  const pod = podOf(resource);
  if (pod) return [labelsAt(pod.metadata, '/labels')];
  const holders = podTemplatesOf(resource).map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf('/')));
  return [...new Set(holders)].map((holder) => labelsAt(resource.object, `${holder}/metadata/labels`));
}

function labelsAt(object: JsonObject, pointer: string): JsonObject {
  const labels = getPointer(object, pointer);
  return isObject(labels) ? labels : {};
}

function partsOf(kind: string, resource: Resource): ReadonlySet<string> | undefined {
  const { object } = resource;
  const pod = podOf(resource);
  if (pod)
    return new Set(
      containersOf(pod).flatMap(({ container }) => itemsAt(container, '', 'ports').flatMap(([port]) => textAt(port, 'name') ?? [])),
    );
  const parts = kind === 'Service' ? servicePorts(object) : kind === 'ConfigMap' || kind === 'Secret' ? dataKeys(object) : [];
  return parts.length === 0 ? undefined : new Set(parts);
}

function servicePorts(object: JsonObject): string[] {
  return itemsAt(object, '', 'spec', 'ports').flatMap(([port]) => [portAt(port, 'port') ?? [], textAt(port, 'name') ?? []].flat());
}

function dataKeys(object: JsonObject): string[] {
  return ['data', 'binaryData', 'stringData'].flatMap((member) => Object.keys(objectAt(object, member) ?? {}).map(boundedName));
}
