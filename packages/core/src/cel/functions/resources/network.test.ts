import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../create.js';

const evaluator = createEvaluator();
const evaluate = (source: string, object: unknown) =>
  evaluator.compile(source, { variables: ['object'], maxNodes: 2000, maxNesting: 3 }).evaluate({ object });
const BETA = 'service.beta.kubernetes.io/';

describe('the directions of a network policy', () => {
  it.each([
    [{ policyTypes: ['Egress'] }, ['Egress']],
    [{ policyTypes: ['Ingress', 'Egress'] }, ['Ingress', 'Egress']],
    [{ policyTypes: [], egress: [{}] }, ['Ingress', 'Egress']],
    [{ egress: [] }, ['Ingress']],
    [{ policyTypes: 'Egress', egress: 7 }, ['Ingress']],
    [{}, ['Ingress']],
  ])('of %j are %j', (spec, directions) => {
    expect(evaluate('policyDirections(object)', { spec })).toEqual(directions);
  });
});

describe('an egress rule', () => {
  it.each([
    [[{ port: 53 }, { protocol: 'TCP', port: 53, endPort: 53 }], true],
    [[{ port: 5353 }, { port: 'dns' }, { port: 'dns-tcp' }], true],
    [[{ port: 53 }, { port: 443 }], false],
    [[{ port: 53, endPort: 5353 }], false],
    [[{ protocol: 'UDP' }], false],
    [[], false],
    ['53', false],
  ])('with the ports %j is limited to DNS: %s', (ports, expected) => {
    expect(evaluate('allowsOnlyDns(object)', { ports })).toBe(expected);
  });
});

describe('a public load balancer', () => {
  const service = (annotations: object, spec: object = {}) => ({ metadata: { annotations }, spec: { type: 'LoadBalancer', ...spec } });

  it.each([
    {},
    { [`${BETA}aws-load-balancer-internal`]: 'false' },
    { [`${BETA}aws-load-balancer-internal`]: '' },
    { [`${BETA}aws-load-balancer-type`]: 'nlb' },
    { [`${BETA}aws-load-balancer-type`]: 'external', [`${BETA}aws-load-balancer-scheme`]: 'internet-facing' },
    { [`${BETA}aws-load-balancer-type`]: 'external', [`${BETA}aws-load-balancer-internal`]: 'false' },
    { [`${BETA}azure-load-balancer-internal`]: 'false' },
    { [`${BETA}azure-load-balancer-internal`]: true },
    { 'networking.gke.io/load-balancer-type': 'External' },
  ])('is one with the annotations %j', (annotations) => {
    expect(evaluate('isPublicLoadBalancer(object)', service(annotations))).toBe(true);
  });

  it.each([
    { [`${BETA}aws-load-balancer-internal`]: '0.0.0.0/0' },
    { [`${BETA}aws-load-balancer-internal`]: 'true' },
    { [`${BETA}aws-load-balancer-scheme`]: 'internal' },
    { [`${BETA}aws-load-balancer-type`]: 'external' },
    { [`${BETA}aws-load-balancer-type`]: 'nlb-ip' },
    { [`${BETA}azure-load-balancer-internal`]: 'true' },
    { 'networking.gke.io/load-balancer-type': 'Internal' },
    { 'cloud.google.com/load-balancer-type': 'internal' },
    { 'service.kubernetes.io/qcloud-loadbalancer-internal-subnetid': 'subnet-1' },
    { [`${BETA}alibaba-cloud-loadbalancer-address-type`]: 'intranet' },
    { [`${BETA}do-loadbalancer-network`]: 'INTERNAL' },
  ])('is not one with the annotations %j', (annotations) => {
    expect(evaluate('isPublicLoadBalancer(object)', service(annotations))).toBe(false);
  });

  it('depends on the load balancer class', () => {
    expect(evaluate('isPublicLoadBalancer(object)', service({}, { loadBalancerClass: 'tailscale' }))).toBe(false);
    expect(evaluate('isPublicLoadBalancer(object)', service({}, { loadBalancerClass: 'service.k8s.aws/nlb' }))).toBe(false);
    expect(evaluate('isPublicLoadBalancer(object)', service({}, { loadBalancerClass: 'example.com/lb' }))).toBe(true);
  });

  it('is not a Service of a different type', () => {
    expect(evaluate('isPublicLoadBalancer(object)', { spec: { type: 'NodePort' } })).toBe(false);
    expect(evaluate('isPublicLoadBalancer(object)', 'LoadBalancer')).toBe(false);
  });

  it.each([
    [{}, {}, true],
    [{}, { loadBalancerSourceRanges: [] }, true],
    [{}, { loadBalancerSourceRanges: ['192.0.2.0/24', '::/0'] }, true],
    [{}, { loadBalancerSourceRanges: ['192.0.2.0/24'] }, false],
    [{ [`${BETA}load-balancer-source-ranges`]: '192.0.2.0/24, 0.0.0.0/0' }, {}, true],
    [{ [`${BETA}load-balancer-source-ranges`]: '192.0.2.0/24' }, {}, false],
    [{ [`${BETA}load-balancer-source-ranges`]: '192.0.2.0/24' }, { loadBalancerSourceRanges: ['0.0.0.0/0'] }, true],
    [{ [`${BETA}azure-allowed-ip-ranges`]: '192.0.2.0/24' }, {}, false],
    [{ [`${BETA}azure-allowed-service-tags`]: 'AzureCloud' }, {}, false],
    [{ [`${BETA}aws-load-balancer-security-groups`]: 'sg-1' }, {}, false],
    [{ [`${BETA}aws-load-balancer-internal`]: 'true' }, {}, false],
  ])('with the annotations %j and %j is open to everyone: %s', (annotations, spec, expected) => {
    expect(evaluate('isOpenLoadBalancer(object)', service(annotations, spec))).toBe(expected);
  });
});
