import { isObject, type JsonObject, type JsonValue, type Resource } from '../../resource/index.js';
import { nameOfKind } from '../kinds.js';
import { EVERY_POD } from '../model.js';
import { itemsAt, memberOf, objectAt, type PeerSelection, portAt, type Reference, textAt } from './reference.js';

/** The Pods of a Service: those with all labels of its selector. Without a selector, or with an external name, the input does not say which. */
export function serviceReferences({ object }: Resource): Reference[] {
  const labels = objectAt(object, 'spec', 'selector');
  if (labels === undefined || Object.keys(labels).length === 0 || memberOf(object, 'spec', 'type') === 'ExternalName') return [];
  const ports = itemsAt(object, '', 'spec', 'ports');
  return [
    {
      type: 'pods',
      edge: 'selects',
      selector: { matchLabels: labels },
      path: '/spec/selector',
      detail: ports.flatMap(([port]) => portText(port)).join(', '),
      ports: [...new Set(ports.flatMap(([port]) => textAt(port, 'targetPort') ?? []))],
      alsoAt: ports.map(([, at]) => `${at}/targetPort`),
    },
  ];
}

/** `80 → 8080`, or `80` where the Pods have the same port. */
function portText(port: JsonValue): string[] {
  const own = portAt(port, 'port');
  const target = portAt(port, 'targetPort') ?? own;
  return own === undefined ? [] : [own === target ? own : `${own} → ${target}`];
}

/** The Pods of a PodDisruptionBudget. In policy/v1beta1, an empty selector selects none. */
export function budgetReferences({ apiVersion, object }: Resource): Reference[] {
  const selector = objectAt(object, 'spec', 'selector');
  if (selector === undefined) return [];
  if (isEmpty(selector)) return apiVersion === 'policy/v1beta1' ? [] : [everyPod('protects', '/spec/selector')];
  return [{ type: 'pods', edge: 'protects', selector, path: '/spec/selector' }];
}

/** What an autoscaler scales. @param member of `spec` with the reference; without a kind or version it is a Deployment, as KEDA has it */
export function scalerReferences({ object }: Resource, member: 'scaleTargetRef' | 'targetRef'): Reference[] {
  const target = objectAt(object, 'spec', member);
  const name = textAt(target, 'name');
  if (name === undefined) return [];
  const kind = textAt(target, 'kind') ?? 'Deployment';
  const apiVersion = textAt(target, 'apiVersion');
  return [
    { type: 'name', edge: 'scales', kind: apiVersion === undefined ? kind : nameOfKind(apiVersion, kind), name, path: `/spec/${member}` },
  ];
}

/** The Pods that a NetworkPolicy restricts, and those that it allows them to talk to. Peers by address have no Pods. */
export function networkPolicyReferences({ object }: Resource): Reference[] {
  // The API reads an absent podSelector as an empty one.
  const selector = objectAt(object, 'spec', 'podSelector') ?? {};
  const path = '/spec/podSelector';
  const own: Reference = isEmpty(selector) ? everyPod('restricts', path) : { type: 'pods', edge: 'restricts', selector, path };
  return [own, ...peers(object, 'ingress', 'from', 'allows-from'), ...peers(object, 'egress', 'to', 'allows-to')];
}

function peers(object: JsonObject, direction: string, member: string, edge: PeerSelection['edge']): PeerSelection[] {
  return itemsAt(object, '', 'spec', direction).flatMap(([rule, at]) =>
    itemsAt(rule, at, member).flatMap(([peer, path]): PeerSelection[] => {
      const [podSelector, namespaceSelector] = [objectAt(peer, 'podSelector'), objectAt(peer, 'namespaceSelector')];
      if (podSelector === undefined && namespaceSelector === undefined) return [];
      return [{ type: 'peer', edge, podSelector, namespaceSelector, path }];
    }),
  );
}

function everyPod(edge: 'protects' | 'restricts', path: string): Reference {
  return { type: 'pods', edge, selector: {}, path, detail: EVERY_POD };
}

/** Whether a label selector asks for nothing. */
export function isEmpty(selector: JsonObject): boolean {
  return isEmptyValue(memberOf(selector, 'matchLabels')) && isEmptyValue(memberOf(selector, 'matchExpressions'));
}

function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
