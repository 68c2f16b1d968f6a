import type { BylawError } from '@bylaw/core/errors';

/** A connection to the API server of a cluster. It only ever reads: get, list and watch. */
export interface Cluster {
  /** Name of the context; null within a cluster. */
  readonly context: string | null;
  /** `v1.34.1`, as the API server says. */
  version(): Promise<string>;
  /** What the API server serves, each kind in the version that it prefers, sorted by group and resource. */
  discover(): Promise<Discovery>;
  /**
   * The objects of a kind, page by page, in the order of the API server. Retries what is worth another try.
   * The objects carry `apiVersion` and `kind`, and no `managedFields`.
   * Where it changes while it is listed: no object comes twice, and none that was there all the time is missing.
   * @throws {BylawError} `cluster-unreachable`, `cluster-credentials`; {ListDenied} where this kind cannot be listed; the reason of the signal
   */
  list(kind: ServedKind, options?: ListOptions): AsyncIterable<ObjectPage>;
  /**
   * Changes after a resource version, until the signal. Resumes by itself; asks its caller to list again where it cannot (`expired`).
   * @throws {ListDenied}; {BylawError} what is in the way of every watch, such as `cluster-credentials`
   */
  watch(kind: ServedKind, options: WatchOptions): AsyncIterable<ObjectChange>;
  close(): Promise<void>;
}

export interface ServedKind {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
  /** Plural, as in paths: `deployments`. */
  resource: string;
  namespaced: boolean;
  verbs: readonly string[];
}

export interface Discovery {
  kinds: readonly ServedKind[];
  /** Groups whose API does not answer, such as that of a broken aggregated server. */
  failed: readonly { group_version: string; reason: string }[];
}

export interface ListOptions {
  namespace?: string;
  signal?: AbortSignal;
}

export interface ObjectPage {
  objects: readonly KubernetesObject[];
  /** Of the whole list: where a watch goes on. */
  resourceVersion: string;
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata?: { name?: string; namespace?: string; uid?: string; ownerReferences?: readonly OwnerReference[]; [member: string]: unknown };
  [member: string]: unknown;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
}

export interface WatchOptions {
  namespace?: string;
  resourceVersion: string;
  /** Ends the watch, without an error. */
  signal: AbortSignal;
  /** Told why the server cannot be reached at this moment; the watch goes on trying. */
  onLost?: (error: BylawError) => void;
}

export type ObjectChange = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubernetesObject } | { type: 'expired' };

/** A kind that these credentials cannot list, or that the API server fails to list. */
export class ListDenied extends Error {
  override readonly name = 'ListDenied';

  /** @param reason for people: `forbidden: …`, without secrets */
  constructor(readonly reason: string) {
    super(reason);
  }
}
