import type { KubernetesObject, ServedKind } from '../cluster.js';

/** A change, as a watch tells it. */
export interface StoredChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  version: number;
  /** Of the object: `deployments.apps`. */
  resource: string;
  namespace: string;
  json: string;
}

export interface StoredPage {
  /** The objects, as JSON without `apiVersion` and `kind`, as lists have them. */
  items: string[];
  /** The last key of the page, where more follow. */
  next: string | undefined;
  remaining: number;
}

/** Objects in the order of their keys and with one version for all of them, as etcd keeps them for an API server. */
export interface ObjectStore {
  readonly version: number;
  /** Adds an object or changes it; gives it a version, and a uid where it does not have one. */
  put(object: KubernetesObject): void;
  remove(object: KubernetesObject): void;
  /** Something else in the cluster changes. */
  touch(): void;
  page(kind: ServedKind, namespace: string | undefined, after: string, limit: number): StoredPage;
  /** Changes after a version. */
  changesAfter(version: number): readonly StoredChange[];
  onChange(listener: (change: StoredChange) => void): void;
}

interface Stored {
  key: string;
  namespace: string;
  json: string;
}

export function objectStore(kinds: readonly ServedKind[]): ObjectStore {
  const tables = new Map<string, Map<string, Stored>>();
  const changes: StoredChange[] = [];
  const listeners: ((change: StoredChange) => void)[] = [];
  let version = 1000;
  let sorted = new Map<string, Stored[]>();

  const tableOf = (object: KubernetesObject) => {
    const kind = kinds.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
    if (!kind) throw new Error(`the test server does not serve ${object.apiVersion} ${object.kind}`);
    const resource = resourceOf(kind);
    const table = tables.get(resource) ?? new Map<string, Stored>();
    tables.set(resource, table);
    return { resource, table };
  };
  const record = (type: StoredChange['type'], object: KubernetesObject, resource: string) => {
    const namespace = object.metadata?.namespace ?? '';
    const change = { type, version, resource, namespace, json: JSON.stringify(object) };
    changes.push(change);
    sorted = new Map();
    for (const listener of listeners) listener(change);
  };
  const sortedTable = (resource: string): Stored[] => {
    const rows = sorted.get(resource) ?? [...(tables.get(resource)?.values() ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
    sorted.set(resource, rows);
    return rows;
  };

  return {
    get version() {
      return version;
    },
    put(object) {
      const { resource, table } = tableOf(object);
      const key = keyOf(object);
      const before = table.get(key);
      version += 1;
      const uid = object.metadata?.uid ?? (before && uidOf(before)) ?? `uid-${version}`;
      const stored: KubernetesObject = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(version) } };
      const { apiVersion: _, kind: __, ...item } = stored;
      table.set(key, { key, namespace: object.metadata?.namespace ?? '', json: JSON.stringify(item) });
      record(before ? 'MODIFIED' : 'ADDED', stored, resource);
    },
    remove(object) {
      const { resource, table } = tableOf(object);
      const before = table.get(keyOf(object));
      if (!before) throw new Error('the test server has no such object');
      table.delete(before.key);
      version += 1;
      const last = { ...object, metadata: { ...object.metadata, uid: uidOf(before), resourceVersion: String(version) } };
      record('DELETED', last, resource);
    },
    touch() {
      version += 1;
    },
    page(kind, namespace, after, limit) {
      const rows = sortedTable(resourceOf(kind)).filter(
        (row) => row.key > after && (namespace === undefined || row.namespace === namespace),
      );
      const taken = limit > 0 ? rows.slice(0, limit) : rows;
      const remaining = rows.length - taken.length;
      return { items: taken.map(({ json }) => json), next: remaining > 0 ? taken.at(-1)?.key : undefined, remaining };
    },
    changesAfter: (since) => changes.filter((change) => change.version > since),
    onChange: (listener) => void listeners.push(listener),
  };
}

export function resourceOf({ resource, group }: ServedKind): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function apiVersionOf({ group, version }: ServedKind): string {
  return group === '' ? version : `${group}/${version}`;
}

function uidOf({ json }: Stored): string {
  return JSON.parse(json).metadata.uid;
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
