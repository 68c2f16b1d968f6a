import type { BylawError } from '@bylaw/core/errors';
import type { Cluster, KubernetesObject, ServedKind } from './cluster.js';

export interface InformerOptions<Kept> {
  namespace?: string;
  /** Ends the informer, without an error. */
  signal: AbortSignal;
  /** What is to be kept of an object for as long as it exists; the object itself is not kept. */
  keep: (object: KubernetesObject) => Kept;
  /** Told why the server cannot be reached at this moment; the informer goes on trying. */
  onLost?: (error: BylawError) => void;
}

/** What happened to an object of the kind; `synced` once, when all that there were have been `added`. */
export type InformerEvent<Kept> =
  | { type: 'added'; object: KubernetesObject; kept: Kept }
  | { type: 'modified'; object: KubernetesObject; kept: Kept; before: Kept }
  | { type: 'removed'; kept: Kept }
  | { type: 'synced' };

/**
 * All objects of a kind, then every change, until the signal is aborted. Where changes were lost it lists again, and tells what differs
 * from what it knows: no change is told twice, and of several that were lost the last one counts. An object that was removed and made
 * again under its name is removed and added.
 * @throws as `Cluster.list` and `Cluster.watch`, but nothing for the end of the signal
 */
export async function* inform<Kept>(
  cluster: Cluster,
  kind: ServedKind,
  options: InformerOptions<Kept>,
): AsyncGenerator<InformerEvent<Kept>, void, void> {
  const { signal } = options;
  const known: Known<Kept> = new Map();
  let synced = false;
  try {
    while (!signal.aborted) {
      const resourceVersion = yield* listAgain(cluster, kind, options, known);
      if (!synced) yield { type: 'synced' };
      synced = true;
      const { namespace, onLost } = options;
      const where = { resourceVersion, signal, ...(namespace !== undefined && { namespace }), ...(onLost && { onLost }) };
      for await (const change of cluster.watch(kind, where)) {
        if (change.type === 'expired') break;
        yield* change.type === 'DELETED' ? removed(known, change.object) : present(known, change.object, options.keep);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** By namespace and name, what is kept of each object, and of which state of which object. */
type Known<Kept> = Map<string, { uid: unknown; version: unknown; kept: Kept }>;

async function* listAgain<Kept>(
  cluster: Cluster,
  kind: ServedKind,
  { namespace, signal, keep }: InformerOptions<Kept>,
  known: Known<Kept>,
) {
  let resourceVersion = '';
  const gone = new Set(known.keys());
  for await (const page of cluster.list(kind, { signal, ...(namespace !== undefined && { namespace }) })) {
    resourceVersion = page.resourceVersion;
    for (const object of page.objects) {
      gone.delete(keyOf(object));
      yield* present(known, object, keep);
    }
  }
  for (const key of gone) yield* removedAt(known, key);
  return resourceVersion;
}

function* present<Kept>(known: Known<Kept>, object: KubernetesObject, keep: (object: KubernetesObject) => Kept) {
  const key = keyOf(object);
  const { uid, resourceVersion: version } = object.metadata ?? {};
  const before = known.get(key);
  if (before?.uid === uid && before?.version === version && before) return;
  if (before && before.uid !== uid) yield* removedAt(known, key);
  const kept = keep(object);
  known.set(key, { uid, version, kept });
  if (before?.uid === uid && before) yield { type: 'modified' as const, object, kept, before: before.kept };
  else yield { type: 'added' as const, object, kept };
}

function* removed<Kept>(known: Known<Kept>, object: KubernetesObject) {
  const key = keyOf(object);
  if (known.get(key)?.uid === object.metadata?.uid) yield* removedAt(known, key);
}

function* removedAt<Kept>(known: Known<Kept>, key: string) {
  const before = known.get(key);
  known.delete(key);
  if (before) yield { type: 'removed' as const, kept: before.kept };
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
