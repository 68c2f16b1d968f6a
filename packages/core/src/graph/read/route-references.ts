import type { JsonValue, Resource } from '../../resource/index.js';
import { nameOfGroupKind } from '../kinds.js';
import { named } from './pod-references.js';
import { itemsAt, memberOf, type NameReference, portAt, portsOf, type Reference, textAt } from './reference.js';

/** What an Ingress sends requests to, and the Secrets of its certificates. */
export function ingressReferences({ object }: Resource): Reference[] {
  const backends: [JsonValue | undefined, string][] = [
    [memberOf(object, 'spec', 'defaultBackend'), '/spec/defaultBackend'],
    [memberOf(object, 'spec', 'backend'), '/spec/backend'],
    ...itemsAt(object, '', 'spec', 'rules')
      .flatMap(([rule, at]) => itemsAt(rule, at, 'http', 'paths'))
      .map(([path, at]): [JsonValue | undefined, string] => [memberOf(path, 'backend'), `${at}/backend`]),
  ];
  return [
    ...backends.flatMap(([backend, path]) => ingressBackend(backend, path)),
    ...itemsAt(object, '', 'spec', 'tls').flatMap(([tls, at]) => named('reads', 'Secret', tls, `${at}/secretName`, 'secretName')),
  ];
}

function ingressBackend(backend: JsonValue | undefined, path: string): NameReference[] {
  const name = textAt(backend, 'service', 'name') ?? textAt(backend, 'serviceName');
  const resource = textAt(backend, 'resource', 'name');
  if (name === undefined && resource !== undefined) {
    const kind = nameOfGroupKind(textAt(backend, 'resource', 'apiGroup') ?? '', textAt(backend, 'resource', 'kind') ?? '');
    return [{ type: 'name', edge: 'routes-to', kind, name: resource, path }];
  }
  const port = portAt(backend, 'service', 'port', 'number') ?? portAt(backend, 'service', 'port', 'name') ?? portAt(backend, 'servicePort');
  // With this port, the AWS load balancer reads an annotation instead: kubernetes-sigs.github.io/aws-load-balancer-controller, "actions".
  if (name === undefined || port === 'use-annotation') return [];
  return [{ type: 'name', edge: 'routes-to', kind: 'Service', name, path, ...portsOf(port) }];
}

/** What a route of the Gateway API is attached to, and what it sends requests to. */
export function gatewayRouteReferences({ object }: Resource): Reference[] {
  const rules = itemsAt(object, '', 'spec', 'rules');
  return [
    ...itemsAt(object, '', 'spec', 'parentRefs').flatMap(([parent, at]) =>
      byGroup('attaches-to', parent, at, { group: 'gateway.networking.k8s.io', kind: 'Gateway' }),
    ),
    ...rules.flatMap(([rule, at]) => [
      ...itemsAt(rule, at, 'backendRefs').flatMap(([backend, path]) => byGroup('routes-to', backend, path, SERVICE)),
      ...itemsAt(rule, at, 'filters').flatMap(([filter, path]) =>
        byGroup('routes-to', memberOf(filter, 'requestMirror', 'backendRef'), `${path}/requestMirror/backendRef`, SERVICE),
      ),
    ]),
  ];
}

const SERVICE = { group: '', kind: 'Service' };

/** A reference of the Gateway API: group, kind, namespace, name and port, with defaults. */
function byGroup(
  edge: NameReference['edge'],
  reference: JsonValue | undefined,
  path: string,
  { group, kind }: { group: string; kind: string },
): NameReference[] {
  const name = textAt(reference, 'name');
  if (name === undefined) return [];
  const namespace = textAt(reference, 'namespace');
  const writtenGroup = memberOf(reference, 'group');
  const target = nameOfGroupKind(typeof writtenGroup === 'string' ? writtenGroup : group, textAt(reference, 'kind') ?? kind);
  return [
    {
      type: 'name',
      edge,
      kind: target,
      name,
      path,
      ...(namespace !== undefined && { namespace }),
      ...(target === 'Service' && portsOf(portAt(reference, 'port'))),
    },
  ];
}

/** The Secrets with the certificates of a Gateway. */
export function gatewayReferences({ object }: Resource): Reference[] {
  return itemsAt(object, '', 'spec', 'listeners').flatMap(([listener, at]) =>
    itemsAt(listener, at, 'tls', 'certificateRefs').flatMap(([reference, path]) =>
      byGroup('reads', reference, path, { group: '', kind: 'Secret' }),
    ),
  );
}

/** What a Route of OpenShift sends requests to. Its port is one of the endpoints, so it is not looked for in the Service. */
export function openshiftRouteReferences({ object }: Resource): Reference[] {
  const targets: [JsonValue | undefined, string][] = [
    [memberOf(object, 'spec', 'to'), '/spec/to'],
    ...itemsAt(object, '', 'spec', 'alternateBackends'),
  ];
  return targets.flatMap(([target, path]) => byGroup('routes-to', target, path, SERVICE));
}

/** The gateways of a VirtualService of Istio, and the hosts that it sends requests to. */
export function virtualServiceReferences({ object }: Resource): Reference[] {
  const destinations = ['http', 'tls', 'tcp'].flatMap((protocol) =>
    itemsAt(object, '', 'spec', protocol).flatMap(([rule, at]) => [
      ...itemsAt(rule, at, 'route').map(([route, path]): [JsonValue | undefined, string] => [
        memberOf(route, 'destination'),
        `${path}/destination`,
      ]),
      ...itemsAt(rule, at, 'mirrors').map(([mirror, path]): [JsonValue | undefined, string] => [
        memberOf(mirror, 'destination'),
        `${path}/destination`,
      ]),
      [memberOf(rule, 'mirror'), `${at}/mirror`] as [JsonValue | undefined, string],
    ]),
  );
  return [
    ...itemsAt(object, '', 'spec', 'gateways').flatMap(([gateway, path]) => istioGateway(gateway, path)),
    ...destinations.flatMap(([destination, path]) => istioHost(destination, path)),
  ];
}

/** `name` or `namespace/name`; `mesh` means all sidecars. */
function istioGateway(gateway: JsonValue, path: string): NameReference[] {
  if (typeof gateway !== 'string' || gateway === '' || gateway === 'mesh') return [];
  const slash = gateway.indexOf('/');
  const namespace = gateway.slice(0, Math.max(slash, 0));
  const name = gateway.slice(slash + 1);
  return [{ type: 'name', edge: 'attaches-to', kind: 'networking.istio.io/Gateway', name, path, ...(namespace !== '' && { namespace }) }];
}

/** The name of a Service alone, or with its namespace and `svc`; any other host is outside of the cluster, or is one of a ServiceEntry. */
function istioHost(destination: JsonValue | undefined, path: string): NameReference[] {
  const host = textAt(destination, 'host');
  if (host === undefined) return [];
  const [name = '', namespace, svc] = host.split('.');
  const ports = portsOf(portAt(destination, 'port', 'number'));
  if (namespace === undefined) return [{ type: 'name', edge: 'routes-to', kind: 'Service', name, path, ...ports }];
  if (svc === 'svc') return [{ type: 'name', edge: 'routes-to', kind: 'Service', namespace, name, path, ...ports }];
  return [{ type: 'name', edge: 'routes-to', kind: 'Host', name: host, path }];
}
