import { raiseUnknown } from '../../../undecided.js';
import type { CelFunction } from '../../function.js';
import type { ResourceSet } from '../../resource-set.js';
import { optionalOf, present } from '../../standard/values.js';
import { show } from '../show.js';
import { apiObject } from './api-objects.js';

/** The set of resources; `resources` is in scope only of rules with a target marked `+set`. */
export const resourceSet: readonly CelFunction[] = [
  {
    signature: 'bylaw.ResourceSet.ofKind(string): list<dyn>',
    summary: 'The projections of all resources of a kind (`Namespace`, `group/Kind`), in the order of the input.',
    example: 'resources.ofKind("Namespace").exists(n, n.metadata.name == "shop")',
    call: (set: ResourceSet, kind: string) => set.ofKind(kind),
  },
  {
    signature: 'bylaw.ResourceSet.inNamespace(string, string): list<dyn>',
    summary:
      'The projections of all resources of a kind in a namespace. An empty namespace is the one of objects that do not set one. The kind `PodSpec` stands for all Pods and pod templates: `metadata.labels` and `spec` are those of the Pod, kind and name those of the object.',
    example: 'size(resources.inNamespace("Pod", "shop")) == 1',
    call: (set: ResourceSet, kind: string, namespace: string) => set.inNamespace(kind, namespace),
  },
  {
    signature: 'bylaw.ResourceSet.having(string, string, string, string): list<dyn>',
    summary:
      'The projections of all resources of a kind in a namespace that have the text at a JSON Pointer, for example the autoscalers of a workload. The token `*` in the pointer stands for every item of a list.',
    example: 'resources.having("HorizontalPodAutoscaler", "shop", "/spec/scaleTargetRef/name", "web").exists(h, h.metadata.name == "web")',
    call: (set: ResourceSet, kind: string, namespace: string, pointer: string, text: string) => set.having(kind, namespace, pointer, text),
  },
  {
    signature: 'bylaw.ResourceSet.across(string, string, string): list<dyn>',
    summary: 'The same for the resources of all namespaces, for example all routes for a host.',
    example: 'resources.across("Ingress", "/spec/rules/*/host", "shop.example.com").exists(i, i.metadata.name == "web")',
    call: (set: ResourceSet, kind: string, pointer: string, text: string) => set.across(kind, pointer, text),
  },
  {
    signature: 'bylaw.ResourceSet.selected(string, string, dyn): list<dyn>',
    summary:
      'The projections of all resources of a kind in a namespace whose `metadata.labels` a label selector selects. An absent selector selects none, an empty one all. For the plain selector of a Service, write `{"matchLabels": …}`.',
    example: 'resources.selected("Pod", "shop", {"matchLabels": {"app": "web"}}).exists(p, p.metadata.name == "web")',
    call: (set: ResourceSet, kind: string, namespace: string, selector: unknown) => set.selected(kind, namespace, present(selector)),
  },
  {
    signature: 'bylaw.ResourceSet.selecting(string, string, string, dyn): list<dyn>',
    summary:
      'The projections of all resources of a kind in a namespace whose own selector selects the labels. The third argument is the member of `spec` that holds the selector, such as `selector` or `podSelector`. The plain selectors of Service and ReplicationController are read, too; an empty one selects nothing. A NetworkPolicy without a podSelector selects everything.',
    example: 'resources.selecting("Service", "shop", "selector", {"app": "web"}).exists(s, s.metadata.name == "web")',
    call: (set: ResourceSet, kind: string, namespace: string, member: string, labels: unknown) =>
      set.selecting(kind, namespace, member, present(labels)),
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
      'The same for a resource that the object refers to. If the set does not contain it, it is absent in a complete input (`--complete`), and otherwise the check is undecided. What the API creates itself, such as the ServiceAccount `default`, is always there. Absent for an empty name, which refers to nothing.',
    example: 'resources.referenced("Namespace", "", "shop").hasValue() && !resources.referenced("Namespace", "", "").hasValue()',
    raises: true,
    call: (set: ResourceSet, kind: string, namespace: string, name: string) => {
      if (name === '') return optionalOf(undefined);
      const found = set.lookup(kind, namespace, name) ?? apiObject(kind, namespace, name);
      if (found === undefined && !set.complete) raiseUnknown({ reason: 'outside-input', message: outside(kind, namespace, name) });
      return optionalOf(found);
    },
  },
  {
    signature: 'bylaw.ResourceSet.repeated(string, string, string): bool',
    summary:
      'Whether one file of the input, or one rendered chart or kustomization, defines the resource with this kind, namespace and name more than once.',
    example: '!resources.repeated("Namespace", "", "shop")',
    call: (set: ResourceSet, kind: string, namespace: string, name: string) => set.repeated(kind, namespace, name),
  },
];

const MAX_NAME = 253;

function outside(kind: string, namespace: string, name: string): string {
  const place = namespace === '' ? '' : `${show(namespace, MAX_NAME)}/`;
  return `${show(kind.slice(kind.indexOf('/') + 1), MAX_NAME)} ${place}${show(name, MAX_NAME)} is not in the input.`;
}
