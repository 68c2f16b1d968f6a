import type { CelFunction } from '../../function.js';
import { listOf, path, present, textOrEmpty } from '../../standard/values.js';

/** Network policies and load balancers. Total: a part of the wrong type counts as absent. */
export const network: readonly CelFunction[] = [
  {
    signature: 'policyDirections(dyn): list<string>',
    summary:
      'The directions, Ingress and Egress, that a NetworkPolicy controls: its policyTypes, or, if they are absent or empty, Ingress and, if it has egress rules, Egress.',
    example:
      'policyDirections({"spec": {"egress": [{}]}}) == ["Ingress", "Egress"] && policyDirections({"spec": {"policyTypes": ["Egress"]}}) == ["Egress"]',
    call: (policy: unknown) => policyDirections(present(policy)),
  },
  {
    signature: 'allowsOnlyDns(dyn): bool',
    summary:
      'Whether an egress rule of a NetworkPolicy is limited to DNS: it lists ports, and all of them are 53, 5353 (the DNS Pods of OpenShift), dns or dns-tcp.',
    example: 'allowsOnlyDns({"ports": [{"protocol": "UDP", "port": 53}]}) && !allowsOnlyDns({"ports": []}) && !allowsOnlyDns({})',
    call: (rule: unknown) => {
      const ports = listOf(path(present(rule), 'ports'));
      return ports.length > 0 && ports.every(isDnsPort);
    },
  },
  {
    signature: 'isPublicLoadBalancer(dyn): bool',
    summary: 'Whether a Service has the type LoadBalancer, and no annotation or load balancer class of a provider makes it internal.',
    example:
      'isPublicLoadBalancer({"spec": {"type": "LoadBalancer"}}) && !isPublicLoadBalancer({"spec": {"type": "LoadBalancer", "loadBalancerClass": "tailscale"}})',
    call: (service: unknown) => isPublicLoadBalancer(present(service)),
  },
  {
    signature: 'isOpenLoadBalancer(dyn): bool',
    summary:
      'Whether a Service is a public load balancer (see isPublicLoadBalancer) that accepts clients from everywhere: neither source ranges nor security groups, prefix lists or service tags limit them.',
    example:
      'isOpenLoadBalancer({"spec": {"type": "LoadBalancer"}}) && !isOpenLoadBalancer({"spec": {"type": "LoadBalancer", "loadBalancerSourceRanges": ["192.0.2.0/24"]}})',
    call: (service: unknown) => {
      const value = present(service);
      return isPublicLoadBalancer(value) && !LIMITED_BY.some((name) => annotation(value, name) !== '') && admitsEveryone(value);
    },
  },
];

/** The defaults of the API: kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1, `policyTypes`. */
function policyDirections(policy: unknown): string[] {
  const types = listOf(path(policy, 'spec', 'policyTypes')).filter((type): type is string => typeof type === 'string');
  if (types.length > 0) return types;
  return listOf(path(policy, 'spec', 'egress')).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

const DNS_PORTS: ReadonlySet<unknown> = new Set([53, 5353, 'dns', 'dns-tcp']);

function isDnsPort(item: unknown): boolean {
  const port = path(item, 'port');
  const end = path(item, 'endPort') ?? port;
  // Numbers of a document are doubles, those of an expression are integers.
  return DNS_PORTS.has(typeof port === 'bigint' ? Number(port) : port) && end === port;
}

const PREFIX = 'service.beta.kubernetes.io/';

/**
 * Annotations that make a load balancer internal, with the value, in lower case, that does; without one, any value but an empty one.
 * Source: kubernetes.io/docs/concepts/services-networking/service/#internal-load-balancer, read on 2026-11-22.
 */
const INTERNAL: readonly (readonly [name: string, value?: string])[] = [
  [`${PREFIX}aws-load-balancer-scheme`, 'internal'],
  [`${PREFIX}azure-load-balancer-internal`, 'true'],
  ['networking.gke.io/load-balancer-type', 'internal'],
  ['cloud.google.com/load-balancer-type', 'internal'],
  ['service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type', 'private'],
  [`${PREFIX}openstack-internal-load-balancer`, 'true'],
  [`${PREFIX}cce-load-balancer-internal-vpc`, 'true'],
  ['service.kubernetes.io/qcloud-loadbalancer-internal-subnetid'],
  [`${PREFIX}alibaba-cloud-loadbalancer-address-type`, 'intranet'],
  [`${PREFIX}oci-load-balancer-internal`, 'true'],
  // docs.digitalocean.com/products/kubernetes/how-to/configure-load-balancers
  [`${PREFIX}do-loadbalancer-network`, 'internal'],
];

/** The classes of the AWS Load Balancer Controller and of EKS Auto Mode: internal unless the scheme says otherwise. */
const AWS_CLASSES: ReadonlySet<string> = new Set(['service.k8s.aws/nlb', 'eks.amazonaws.com/nlb']);

/** With these, other objects than the Service decide which clients a load balancer accepts. */
const LIMITED_BY = ['aws-load-balancer-security-groups', 'aws-load-balancer-security-group-prefix-lists', 'azure-allowed-service-tags'];

function isPublicLoadBalancer(service: unknown): boolean {
  if (path(service, 'spec', 'type') !== 'LoadBalancer') return false;
  const loadBalancerClass = textOrEmpty(path(service, 'spec', 'loadBalancerClass'));
  if (loadBalancerClass === 'tailscale') return false;
  const annotated = (name: string, value?: string) => {
    const written = textOrEmpty(path(service, 'metadata', 'annotations', name)).toLowerCase();
    return value === undefined ? written !== '' : written === value;
  };
  if (INTERNAL.some(([name, value]) => annotated(name, value))) return false;
  const aws = annotation(service, 'aws-load-balancer-internal').toLowerCase();
  if (aws !== '' && aws !== 'false') return false;
  const byController = AWS_CLASSES.has(loadBalancerClass) || ['external', 'nlb-ip'].includes(annotation(service, 'aws-load-balancer-type'));
  return !byController || aws === 'false' || annotation(service, 'aws-load-balancer-scheme') === 'internet-facing';
}

function admitsEveryone(service: unknown): boolean {
  const own = listOf(path(service, 'spec', 'loadBalancerSourceRanges')).map(textOrEmpty);
  const written = annotation(service, 'load-balancer-source-ranges') || annotation(service, 'azure-allowed-ip-ranges');
  const ranges = (own.length > 0 ? own : written.split(',')).map((range) => range.trim()).filter((range) => range !== '');
  return ranges.length === 0 || ranges.some((range) => range.endsWith('/0'));
}

function annotation(service: unknown, name: string): string {
  return textOrEmpty(path(service, 'metadata', 'annotations', `${PREFIX}${name}`));
}
