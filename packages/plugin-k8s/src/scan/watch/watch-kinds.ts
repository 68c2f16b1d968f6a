import { ListDenied } from '../../cluster/cluster.js';
import { type InformerEvent, inform } from '../../cluster/informer.js';
import type { Timing } from '../../cluster/timing.js';
import { namespacesOf, type ScanScope } from '../plan-scan.js';
import type { OpenScan, ScanTools } from '../scan.js';
import type { NamedKind } from '../served-kinds.js';
import type { ChangeInbox } from './change-inbox.js';
import { type FindingsByObject, keyOfObject } from './keyed-findings.js';
import type { SetStore } from './set-store.js';

export interface WatchTools extends ScanTools {
  /** Ends the watch, without an error. */
  signal: AbortSignal;
  /** Told why the cluster cannot be reached at this moment; the watch goes on trying. */
  onLost?: (error: Error) => void;
  timing?: Timing;
}

/** All watches of a scan. */
export interface Watching {
  /** Rejects with what ends them all. */
  failed: Promise<never>;
  /** Whether everything that rules read of the set has been listed. */
  isSetKnown(): boolean;
}

/** Watches every kind that the scan could list, and puts what changes where it belongs: what is evaluated into the inbox, what is read into the store. */
export function watchKinds(
  { plan, gaps }: OpenScan,
  standing: FindingsByObject,
  scope: ScanScope,
  tools: WatchTools,
  inbox: ChangeInbox,
  store: SetStore,
): Watching {
  const failure = Promise.withResolvers<never>();
  const evaluated = new Set(plan.evaluated.map(({ name }) => name));
  const read = new Set(plan.read.map(({ name }) => name));
  let setKnown = false;

  /** Kind after kind, each to its end before the next begins, so that no more than a page of them is in memory. */
  async function start(): Promise<void> {
    await startEach(plan.read);
    setKnown = true;
    if (plan.read.length > 0) inbox.wake();
    await startEach(plan.evaluated.filter(({ name }) => !read.has(name)));
  }

  async function startEach(kinds: readonly NamedKind[]): Promise<void> {
    for (const kind of kinds)
      if (!gaps.denied.has(kind.name)) for (const namespace of namespacesOf(kind.served, scope)) await startOne(kind, namespace);
  }

  function startOne(kind: NamedKind, namespace: string | undefined): Promise<void> {
    const synced = Promise.withResolvers<void>();
    const ended = watchOne(kind, namespace, synced.resolve).catch((error: unknown) => {
      // What may no longer be listed is not watched any longer; all else ends the watch.
      if (error instanceof ListDenied) tools.onLost?.(new Error(`${kind.name} is no longer watched: ${error.reason}`));
      else failure.reject(error);
    });
    return Promise.race([synced.promise, ended]);
  }

  async function watchOne(kind: NamedKind, namespace: string | undefined, synced: () => void): Promise<void> {
    const missing = evaluated.has(kind.name) ? keysOf(standing, kind, namespace) : new Set<string>();
    const { cluster, signal, onLost } = tools;
    const options = { signal, keep: keyOfObject, ...(namespace !== undefined && { namespace }), ...(onLost && { onLost }) };
    for await (const event of inform(cluster, kind.served, options)) {
      if (event.type === 'synced') {
        for (const key of missing) await inbox.put({ key, kind: kind.name, object: undefined });
        synced();
      } else {
        missing.delete(event.kept);
        await take(kind.name, event);
      }
    }
    synced();
  }

  async function take(kind: string, event: Exclude<InformerEvent<string>, { type: 'synced' }>): Promise<void> {
    const object = event.type === 'removed' ? undefined : event.object;
    if (read.has(kind)) {
      if (object) store.put(kind, event.kept, object);
      else store.remove(kind, event.kept);
      if (setKnown) inbox.wake();
    }
    if (evaluated.has(kind)) await inbox.put({ key: event.kept, kind, object });
  }

  start().catch(failure.reject);
  failure.promise.catch(() => undefined); // whoever waits for it races it
  return { failed: failure.promise, isSetKnown: () => setKnown };
}

/** The objects of a list that have findings. */
function keysOf(standing: FindingsByObject, { served }: NamedKind, namespace: string | undefined): Set<string> {
  const isOfList = (key: string) => {
    const [group, kind, within] = JSON.parse(key) as unknown[]; // made by keyOfObject
    return group === served.group && kind === served.kind && (namespace === undefined || within === namespace);
  };
  return new Set([...standing.keys()].filter(isOfList));
}
