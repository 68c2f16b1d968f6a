import type { RunGraph } from '@bylaw/core/graph';
import { readObject } from '@bylaw/core/resource';
import type { Cluster, Discovery } from '../cluster/cluster.js';
import { type Gaps, listKinds } from './listing.js';
import { ownership, ownershipDepth } from './ownership.js';
import type { ScanScope } from './plan-scan.js';
import { listableKinds } from './served-kinds.js';

/** Where a scan puts the objects of a graph. */
export interface ScanGraph {
  into: RunGraph;
  /** The kinds that it is made of, as rules name them. */
  kinds: readonly string[];
  /** Why kinds could not be listed: added to while the cluster is read. */
  notListed: Map<string, string>;
}

/**
 * Lists what a graph is made of, whether or not a rule looks at it. Objects that a controller makes of its template are part of the controller. What cannot
 * be listed is noted, and everything else goes on: the scan itself reports what the rules miss.
 */
export async function readGraph(
  { into, kinds, notListed }: ScanGraph,
  discovery: Discovery,
  scope: ScanScope,
  { cluster, signal }: { cluster: Cluster; signal?: AbortSignal },
): Promise<void> {
  const drawn = new Set(kinds);
  const listed = listableKinds(discovery.kinds)
    .filter(({ name, served }) => drawn.has(name) && (served.namespaced || scope.namespaces === undefined))
    .sort((a, b) => ownershipDepth(a.name) - ownershipDepth(b.name) || (a.name < b.name ? -1 : 1));
  const gaps: Gaps = { denied: new Map(), lost: undefined };
  const { isOwned } = ownership();
  for await (const { kind, objects } of listKinds(listed, scope, cluster, gaps, signal))
    for (const object of objects)
      if (!isOwned(kind.name, object)) for (const resource of readObject(object, { file: '', document: 0 }).resources) into.add(resource);
  for (const [kind, reason] of gaps.denied) notListed.set(kind, reason);
  for (const kind of gaps.lost?.kinds ?? []) notListed.set(kind, 'the cluster stopped answering');
}
