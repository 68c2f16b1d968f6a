import { member, path } from '../../standard/values.js';
import { setupsOfPod } from './command-line.js';
import { eksctl, kops, rancher, talos, talosDocument } from './distributions.js';
import { clusterConfiguration, nodeRegistration, nodeRegistrations } from './kubeadm.js';
import { configuration } from './settings.js';
import type { Setup } from './setup.js';

/**
 * How an object runs the components of Kubernetes, whatever kind of file it is. Empty for an object that says nothing about any of them.
 * Total: a part of the wrong type counts as absent.
 */
export function setupsOf(object: unknown): Setup[] {
  const [apiVersion, kind] = [member(object, 'apiVersion'), member(object, 'kind')];
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const name = `${group}/${kind}`;
  return Object.hasOwn(SOURCES, name) ? (SOURCES[name]?.(object) ?? []) : [];
}

const SOURCES: { readonly [name: string]: (object: unknown) => Setup[] } = {
  '/Pod': (pod) => setupsOfPod(member(pod, 'spec'), '/spec'),
  'apps/DaemonSet': (set) => setupsOfPod(path(set, 'spec', 'template', 'spec'), '/spec/template/spec'),
  'kubeadm.k8s.io/ClusterConfiguration': (object) => clusterConfiguration(object, []),
  'kubeadm.k8s.io/InitConfiguration': (object) => nodeRegistration(object, []),
  'kubeadm.k8s.io/JoinConfiguration': (object) => nodeRegistration(object, []),
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': (object) => [
    ...clusterConfiguration(object, ['spec', 'kubeadmConfigSpec', 'clusterConfiguration']),
    ...nodeRegistrations(object, ['spec', 'kubeadmConfigSpec']),
  ],
  'bootstrap.cluster.x-k8s.io/KubeadmConfig': (object) => nodeRegistrations(object, ['spec']),
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': (object) => nodeRegistrations(object, ['spec', 'template', 'spec']),
  'kops.k8s.io/Cluster': kops,
  'k3s/Config': rancher,
  'rke2/Config': rancher,
  'talos/MachineConfig': talos,
  'talos/KubeAPIServerConfig': talosDocument('kube-apiserver'),
  'talos/KubeControllerManagerConfig': talosDocument('kube-controller-manager'),
  'talos/KubeSchedulerConfig': talosDocument('kube-scheduler'),
  'talos/KubeProxyConfig': talosDocument('kube-proxy'),
  'talos/KubeletConfig': talosDocument('kubelet'),
  'eksctl.io/ClusterConfig': eksctl,
  'kubelet.config.k8s.io/KubeletConfiguration': (object) => configuration('kubelet', object, [], true),
  'kubeproxy.config.k8s.io/KubeProxyConfiguration': (object) => configuration('kube-proxy', object, [], true),
  'kubescheduler.config.k8s.io/KubeSchedulerConfiguration': (object) => configuration('kube-scheduler', object, [], true),
};
