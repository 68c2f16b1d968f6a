import { BylawError } from '@bylaw/core/errors';
import { type Cluster, type KubernetesObject, ListDenied } from '../cluster/cluster.js';
import { namespacesOf, type ScanScope } from './plan-scan.js';
import { prefetched } from './prefetched.js';
import type { NamedKind } from './served-kinds.js';

/** Some objects of one kind. */
export interface KindPage {
  kind: NamedKind;
  /** The namespace that was listed; absent where all were, or where the kind knows none. */
  namespace: string | undefined;
  objects: readonly KubernetesObject[];
  /** Of the list: where a watch goes on. */
  resourceVersion: string;
}

/** What could not be listed, as it turns out. */
export interface Gaps {
  /** Why, by the name of the kind. */
  denied: Map<string, string>;
  /** The cluster stopped answering: nothing was listed from then on. */
  lost: { error: BylawError; kinds: Set<string> } | undefined;
}

/** Lists under way at a time. Most kinds of a cluster fit on one page, so the time goes into waiting for the next answer. */
const AHEAD = 4;

/** All objects of the kinds, kind after kind. What cannot be listed is noted, and everything else goes on. */
export async function* listKinds(
  kinds: readonly NamedKind[],
  scope: ScanScope,
  cluster: Cluster,
  gaps: Gaps,
  signal?: AbortSignal,
): AsyncGenerator<KindPage, void, void> {
  const lists = kinds.flatMap((kind) =>
    namespacesOf(kind.served, scope).map((namespace) => (stop: AbortSignal) => pagesOf(kind, namespace, cluster, gaps, stop)),
  );
  // Lists run ahead of each other: which of two refusals came first is chance, so each is noted when its turn comes.
  for await (const page of prefetched(lists, AHEAD, signal)) {
    if ('denied' in page) deny(gaps, page.kind, page.namespace, page.denied);
    else yield page;
  }
}

/** A list that was refused, in the place of its pages. */
interface DeniedList extends Pick<KindPage, 'kind' | 'namespace'> {
  denied: string;
}

async function* pagesOf(
  kind: NamedKind,
  namespace: string | undefined,
  cluster: Cluster,
  gaps: Gaps,
  signal: AbortSignal,
): AsyncGenerator<KindPage | DeniedList, void, void> {
  if (gaps.lost) {
    gaps.lost.kinds.add(kind.name);
    return;
  }
  try {
    for await (const page of cluster.list(kind.served, { signal, ...(namespace !== undefined && { namespace }) }))
      yield { kind, namespace, ...page };
  } catch (error) {
    if (error instanceof ListDenied) yield { kind, namespace, denied: error.reason };
    else if (error instanceof BylawError && !signal.aborted) {
      gaps.lost ??= { error, kinds: new Set() };
      gaps.lost.kinds.add(kind.name);
    } else throw error;
  }
}

/** The first reason of a kind speaks for all of its lists. */
function deny({ denied }: Gaps, { name }: NamedKind, namespace: string | undefined, reason: string): void {
  if (!denied.has(name)) denied.set(name, namespace === undefined ? reason : `in namespace ${namespace}: ${reason}`);
}
