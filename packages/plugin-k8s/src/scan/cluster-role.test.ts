import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../cluster/testing/kinds.test-support.js';
import { boundRole, clusterRole } from './cluster-role.js';
import { nameOfKind } from './kind-name.js';
import { planScan } from './plan-scan.js';
import { resourcesOf } from './resource-names.js';
import { ruleOn } from './rule.test-support.js';

const granted = (...targets: string[]) => {
  const rules = [ruleOn('CS-001', targets)];
  const { rules: granting } = clusterRole('r', rules, { rules });
  return granting.flatMap(({ apiGroups, resources }) => resources.map((resource) => `${resource}.${apiGroups[0]}`)).sort();
};

describe('the role of a scan', () => {
  it('reads what the rules evaluate and what they read, and namespaces', () => {
    const rules = [ruleOn('CS-001', ['Secret', 'Ingress']), ruleOn('CS-002', ['Role +set'], { set: { 'acme.io/Policy': [] } })];
    expect(clusterRole('bylaw-scan', rules, { rules })).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'bylaw-scan' },
      rules: [
        { apiGroups: [''], resources: ['namespaces', 'secrets'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['acme.io'], resources: ['policies'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['get', 'list', 'watch'] },
      ],
    });
  });

  it('reads every kind that carries a Pod for rules about Pods', () => {
    expect(granted('PodSpec')).toEqual([
      'cronjobs.batch',
      'daemonsets.apps',
      'deploymentconfigs.apps.openshift.io',
      'deployments.apps',
      'jobs.batch',
      'namespaces.',
      'pods.',
      'podtemplates.',
      'replicasets.apps',
      'replicationcontrollers.',
      'statefulsets.apps',
    ]);
  });

  it('reads what other rules name for rules about every kind', () => {
    const rules = [ruleOn('CS-001', ['*']), ruleOn('CS-002', ['ConfigMap'])];
    expect(clusterRole('r', rules.slice(0, 1), { rules }).rules[0]?.resources).toEqual(['configmaps', 'namespaces']);
  });

  it('reads a whole group where a rule names one', () => {
    expect(granted('constraints.gatekeeper.sh/*', 'constraints.gatekeeper.sh/K8sAllowedRepos')).toContain('*.constraints.gatekeeper.sh');
  });

  it('knows no files and no Terraform', () => {
    expect(
      granted('kubelet.config.k8s.io/KubeletConfiguration', 'k3s/Config', 'kubeadm.k8s.io/ClusterConfiguration', 'aws_s3_bucket'),
    ).toEqual(['namespaces.']);
  });

  it('is bound to an account where one is named', () => {
    const role = clusterRole('bylaw-scan', [], { rules: [] });
    expect(boundRole(role, { namespace: 'tools', name: 'scanner' })).toMatchObject([
      { kind: 'ServiceAccount', metadata: { namespace: 'tools', name: 'scanner' } },
      role,
      { kind: 'ClusterRoleBinding', roleRef: { name: 'bylaw-scan' }, subjects: [{ namespace: 'tools', name: 'scanner' }] },
    ]);
  });
});

describe('the names of resources', () => {
  it('are those of the API server, for every kind that it serves', () => {
    for (const kind of KINDS.filter(({ group }) => group !== 'example.test' && group !== 'argoproj.io'))
      expect(resourcesOf(nameOfKind(kind))).toContainEqual({ group: kind.group, resource: kind.resource });
  });

  it.each([
    ['gateway.networking.k8s.io/Gateway', 'gateways'],
    ['monitoring.coreos.com/Prometheus', 'prometheuses'],
    ['consul.hashicorp.com/Mesh', 'meshes'],
    ['agents.x-k8s.io/Sandbox', 'sandboxes'],
    ['telemetry.istio.io/Telemetry', 'telemetries'],
    ['karpenter.k8s.aws/EC2NodeClass', 'ec2nodeclasses'],
    ['security.openshift.io/SecurityContextConstraints', 'securitycontextconstraints'],
    ['constraints.gatekeeper.sh/K8sAllowedRepos', 'k8sallowedrepos'],
    ['elbv2.k8s.aws/IngressClassParams', 'ingressclassparams'],
    ['source.toolkit.fluxcd.io/OCIRepository', 'ocirepositories'],
  ])('are those that projects chose: %s', (name, resource) => {
    expect(resourcesOf(name).map((each) => each.resource)).toEqual([resource]);
  });
});

describe('the role that is shipped', async () => {
  const catalogue = await loadCatalogue({ packs: RULE_PACKS });

  it('lets a scan by all rules list everything that it wants to', () => {
    const allowed = clusterRole('r', catalogue.rules, catalogue).rules.flatMap(({ apiGroups, resources }) =>
      resources.map((resource) => `${apiGroups[0]}/${resource}`),
    );
    const { evaluated, read } = planScan({ kinds: KINDS, failed: [] }, catalogue.rules, catalogue, {});
    const wanted = [...evaluated, ...read].map(({ served: { group, resource } }) => `${group}/${resource}`);
    expect(wanted.filter((resource) => !allowed.includes(resource))).toEqual([]);
  });
});
