import { raiseUnknown } from '../../../undecided.js';
import type { CelFunction } from '../../function.js';
import type { ResourceSet } from '../../resource-set.js';
import { optionalOf } from '../../standard/values.js';
import { show } from '../show.js';

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
  {
    signature: 'bylaw.ResourceSet.referenced(string, string, string): optional<dyn>',
    summary:
      'The same for a resource that the object refers to. If the set does not contain it, the check is undecided. Absent for an empty name, which refers to nothing.',
    example: 'resources.referenced("Namespace", "", "shop").hasValue() && !resources.referenced("Namespace", "", "").hasValue()',
    call: (set: ResourceSet, kind: string, namespace: string, name: string) => {
      if (name === '') return optionalOf(undefined);
      const found = set.lookup(kind, namespace, name);
      if (found === undefined) raiseUnknown({ reason: 'outside-input', message: outside(kind, namespace, name) });
      return optionalOf(found);
    },
  },
];

const MAX_NAME = 253;

function outside(kind: string, namespace: string, name: string): string {
  const place = namespace === '' ? '' : `${show(namespace, MAX_NAME)}/`;
  return `${show(kind.slice(kind.indexOf('/') + 1), MAX_NAME)} ${place}${show(name, MAX_NAME)} is not in the input.`;
}
