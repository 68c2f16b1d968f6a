import type { CelFunction } from '../function.js';
import type { ResourceSet } from '../resource-set.js';
import { optionalOf } from '../values.js';

/** The set of resources; `resources` is in scope only of rules with a target marked `+set`. */
export const resourceSet: readonly CelFunction[] = [
  {
    signature: 'bylaw.ResourceSet.ofKind(string): list<dyn>',
    summary: 'The projections of all resources of a kind (`Namespace`, `group/Kind`), in the order of the input.',
    example: 'resources.ofKind("Namespace").exists(n, n.metadata.name == "shop")',
    call: (set: ResourceSet, kind: string) => set.ofKind(kind),
  },
  {
    signature: 'bylaw.ResourceSet.lookup(string, string, string): optional<dyn>',
    summary: 'The projection of the resource with this kind, namespace (empty for cluster-scoped kinds) and name, if the set contains it.',
    example: 'resources.lookup("Namespace", "", "shop").hasValue() && !resources.lookup("Namespace", "", "x").hasValue()',
    call: (set: ResourceSet, kind: string, namespace: string, name: string) => optionalOf(set.lookup(kind, namespace, name)),
  },
];
