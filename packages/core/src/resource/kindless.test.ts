import { describe, expect, it } from 'vitest';
import { readDocument } from './read-document.js';

function read(text: string, file = 'config.yaml', explicit = true) {
  return readDocument({ file, index: 0, text, line: 1 }, { explicit });
}

const kindOf = (text: string, file?: string) => read(text, file).resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);

describe('configuration files of distributions, which have no kind', () => {
  it.each([
    ['/etc/rancher/k3s/config.yaml', 'k3s/v1 Config'],
    ['/etc/rancher/rke2/config.yaml', 'rke2/v1 Config'],
    ['node/rancher/rke2/config.yaml.d/10-tls.yaml', 'rke2/v1 Config'],
  ])('recognises %s by its path', (file, expected) => {
    expect(kindOf('token: abc\n', file)).toEqual([expected]);
  });

  it.each([
    ['k3s by two of its keys', 'cluster-init: true\ntls-san: [a]\n', 'k3s/v1 Config'],
    ['k3s by keys that both have', 'kubelet-arg: [max-pods=50]\nnode-label: [a=b]\n', 'k3s/v1 Config'],
    ['RKE2 by a key that k3s does not have', 'cni: cilium\nkube-apiserver-arg: [profiling=false]\n', 'rke2/v1 Config'],
    ['keys that add to another file', 'kubelet-arg+: [max-pods=50]\nnode-taint+: [a=b:NoSchedule]\n', 'k3s/v1 Config'],
  ])('recognises %s', (_, text, expected) => {
    expect(kindOf(text)).toEqual([expected]);
  });

  it('takes a file named after RKE2 for one of RKE2 if its keys do not tell', () => {
    expect(kindOf('tls-san: [a]\nnode-label: [a=b]\n', 'rke2-server.yaml')).toEqual(['rke2/v1 Config']);
  });

  it.each([
    ['one key', 'tls-san: [a]\ntoken: b\n'],
    ['keys of everyday words', 'profile: cis\ncni: cilium\n'],
    ['a file of values', 'image: nginx\nservice: { port: 80 }\n'],
  ])('does not take %s for a configuration', (_, text) => {
    const { resources, errors, skipped } = read(text, 'values.yaml', false);
    expect([resources, errors, skipped]).toEqual([[], [], ['unknown']]);
  });

  it('recognises the machine configuration of Talos, and its other documents', () => {
    expect(kindOf('version: v1alpha1\nmachine: { type: worker }\n')).toEqual(['talos/v1alpha1 MachineConfig']);
    expect(kindOf('version: v1alpha1\ncluster: { clusterName: a }\n')).toEqual(['talos/v1alpha1 MachineConfig']);
    expect(kindOf('apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n')).toEqual(['talos/v1alpha1 HostnameConfig']);
    expect(kindOf('version: v1alpha1\nmachine: 1\n')).toEqual([]);
  });

  it('leaves the group of Kubernetes objects alone', () => {
    expect(kindOf('apiVersion: resource.k8s.io/v1alpha1\nkind: PodSchedulingContext\nmetadata: { name: a }\n')).toEqual([
      'resource.k8s.io/v1alpha1 PodSchedulingContext',
    ]);
  });

  it('keeps positions, whatever it adds', () => {
    const [resource] = read('version: v1alpha1\nmachine:\n  kubelet:\n    extraArgs:\n      read-only-port: 10255\n').resources;
    expect(resource?.position('/machine/kubelet/extraArgs/read-only-port')).toEqual({ line: 5, column: 7 });
    expect(resource?.position('')).toEqual({ line: 1, column: 1 });
  });
});
