import type { ServedKind } from '../cluster/cluster.js';
import { nameOfKind } from './kind-name.js';

/** A kind of the cluster that can be listed, under the name that rules have for it. */
export interface NamedKind {
  name: string;
  served: ServedKind;
}

/**
 * What of a cluster can be listed, each name once: some objects are served by two groups of the API server itself (Events, and in old clusters
 * Ingresses), and would be evaluated twice.
 */
export function listableKinds(kinds: readonly ServedKind[]): NamedKind[] {
  const byName = new Map<string, NamedKind>();
  for (const served of kinds) {
    if (!served.verbs.includes('list')) continue;
    const name = nameOfKind(served);
    const known = byName.get(name);
    if (!known || precedence(served) > precedence(known.served)) byName.set(name, { name, served });
  }
  return [...byName.values()];
}

/** What was moved out of `extensions` or the core group is at home where it was moved to. */
function precedence({ group }: ServedKind): number {
  return group === 'extensions' ? 0 : group === '' ? 1 : 2;
}
