import { describe, expect, it } from 'vitest';
import { readDocument } from './read-document.js';
import { readObject } from './read-object.js';

function read(text: string) {
  return readDocument({ file: 'cm.yaml', index: 0, text, line: 1 });
}

const KUBELET = `apiVersion: v1
kind: ConfigMap
metadata:
  name: kubelet-config
  namespace: kube-system
data:
  kubelet: |
    apiVersion: kubelet.config.k8s.io/v1beta1
    kind: KubeletConfiguration

    authentication:
      anonymous:
        enabled: true
    allowedUnsafeSysctls:
      - net.core.somaxconn
`;

describe('component configurations in ConfigMaps', () => {
  it('are resources of their own, after the ConfigMap', () => {
    const { resources, errors } = read(KUBELET);
    expect(errors).toEqual([]);
    expect(resources.map(({ kind, source }) => [kind, source.pointer, source.embedded])).toEqual([
      ['ConfigMap', undefined, undefined],
      ['KubeletConfiguration', '/data/kubelet', true],
    ]);
  });

  it('have the places of the file', () => {
    const configuration = read(KUBELET).resources[1];
    expect(configuration?.position('/authentication/anonymous/enabled')).toEqual({ line: 13, column: 9 });
    expect(configuration?.position('/allowedUnsafeSysctls/0')).toEqual({ line: 15, column: 9 });
    expect(configuration?.position('/readOnlyPort')).toEqual({ line: 8, column: 5 });
    expect(configuration?.source).toMatchObject({ line: 8, column: 5 });
  });

  it('have the place of the key if the text has no lines in the file', () => {
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kubelet-config-1.23', namespace: 'kube-system' },
      data: { kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nreadOnlyPort: 10255\n' },
    });
    const configuration = read(text).resources[1];
    expect(configuration?.kind).toBe('KubeletConfiguration');
    expect(configuration?.position('/readOnlyPort')).toEqual({ line: 1, column: text.indexOf('"kubelet":') + 1 });
  });

  it.each([
    ['kube-proxy', 'config.conf', 'kubeproxy.config.k8s.io/v1alpha1', 'KubeProxyConfiguration'],
    ['kubeadm-config', 'ClusterConfiguration', 'kubeadm.k8s.io/v1beta4', 'ClusterConfiguration'],
  ])('are read from %s', (name, key, apiVersion, kind) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'kube-system' } };
    const { resources } = readObject(
      { ...object, data: { [key]: `apiVersion: ${apiVersion}\nkind: ${kind}\n` } },
      { file: '', document: 0 },
    );
    expect(resources.map((resource) => resource.kind)).toEqual(['ConfigMap', kind]);
    expect(resources[1]?.position('/a')).toEqual({ line: 0, column: 0 });
  });

  it.each([
    ['another namespace', { name: 'kube-proxy', namespace: 'shop' }],
    ['another name', { name: 'coredns', namespace: 'kube-system' }],
  ])('are not searched for under %s', (_, metadata) => {
    const data = { 'config.conf': 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n' };
    expect(readObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { file: '', document: 0 }).resources).toHaveLength(1);
  });

  it('are errors at their key if they cannot be read', () => {
    const { resources, errors } = read(KUBELET.replace('      anonymous:', '     - anonymous: ['));
    expect(resources.map(({ kind }) => kind)).toEqual(['ConfigMap']);
    expect(errors).toMatchObject([{ code: 'yaml-syntax', location: { file: 'cm.yaml', line: 7, column: 3 } }]);
    expect(read(KUBELET.replace(/ {4}(apiVersion|kind):.*\n/g, '')).errors).toMatchObject([{ code: 'not-a-resource' }]);
  });

  it('take over a comment that accepts a finding on the whole text', () => {
    const text = KUBELET.replace('  kubelet: |', '  # bylaw:ignore CH-060 only in the lab\n  kubelet: |');
    expect(read(text).resources[1]?.ignoreComments).toMatchObject([{ ruleId: 'CH-060', pointer: '' }]);
  });
});

describe('configuration files of the API server in documents of Talos', () => {
  it.each([
    ['KubeAuthenticationConfig', 'configuration', 'apiserver.config.k8s.io/v1 AuthenticationConfiguration'],
    ['KubeAuditPolicyConfig', 'configuration', 'audit.k8s.io/v1 Policy'],
    ['KubeEtcdEncryptionConfig', 'config', 'apiserver.config.k8s.io/v1 EncryptionConfiguration'],
  ])('are read from %s, with their own places', (document, member, expected) => {
    const { resources, errors } = read(`apiVersion: v1alpha1\nkind: ${document}\n${member}:\n  anonymous:\n    enabled: true\n`);
    expect(errors).toEqual([]);
    expect(resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([`talos/v1alpha1 ${document}`, expected]);
    expect(resources[1]?.position('/anonymous/enabled')).toEqual({ line: 5, column: 5 });
  });

  it('keep the version that they name, and are not made up', () => {
    const kinds = (text: string) => read(text).resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    const named = 'apiVersion: v1alpha1\nkind: KubeAuditPolicyConfig\nconfiguration: { apiVersion: audit.k8s.io/v1beta1, kind: Policy }\n';
    expect(kinds(named)).toEqual(['talos/v1alpha1 KubeAuditPolicyConfig', 'audit.k8s.io/v1beta1 Policy']);
    expect(kinds('apiVersion: v1alpha1\nkind: KubeAuditPolicyConfig\nconfiguration: 1\n')).toHaveLength(1);
    expect(kinds('apiVersion: v1alpha1\nkind: HostnameConfig\nconfiguration: {}\n')).toHaveLength(1);
  });
});
