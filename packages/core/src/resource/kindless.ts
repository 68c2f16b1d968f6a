import { isObject, type JsonObject } from './text/json.js';

/**
 * Gives the configuration files of distributions that have no kind, or no API group, the apiVersion and kind by which rules know them: `k3s/v1` Config,
 * `rke2/v1` Config, and the documents of Talos (`talos/v1alpha1`), whose first one is a MachineConfig. Anything else stays as it is.
 */
export function nameKindless(value: JsonObject, file: string): void {
  if (typeof value.kind === 'string') {
    // No group of Kubernetes has this version without the group; the documents of Talos do.
    if (value.apiVersion === 'v1alpha1') value.apiVersion = 'talos/v1alpha1';
  } else if (value.apiVersion !== undefined || value.kind !== undefined) {
    return;
  } else if (value.version === 'v1alpha1' && (isObject(value.machine) || isObject(value.cluster))) {
    value.apiVersion = 'talos/v1alpha1';
    value.kind = 'MachineConfig';
  } else {
    const distribution = rancherDistribution(value, file);
    if (distribution === undefined) return;
    value.apiVersion = `${distribution}/v1`;
    value.kind = 'Config';
  }
}

const PATH = /(?:^|[\\/])rancher[\\/](k3s|rke2)[\\/]config\.yaml(?:\.d[\\/][^\\/]+\.ya?ml)?$/;

/** k3s and RKE2 share most of their keys; a file whose path does not tell is one of RKE2 if it has a key that only RKE2 has, or its name says so. */
function rancherDistribution(value: JsonObject, file: string): 'k3s' | 'rke2' | undefined {
  const path = PATH.exec(file)?.[1];
  if (path === 'k3s' || path === 'rke2') return path;
  const keys = Object.keys(value).map((key) => key.replace(/\+$/, ''));
  const own = keys.filter((key) => SHARED.test(key) || RKE2.has(key) || K3S.has(key));
  if (own.length < 2 || !own.some((key) => key.includes('-'))) return undefined;
  if (keys.some((key) => K3S.has(key))) return 'k3s';
  return keys.some((key) => RKE2.has(key)) || /rke2/i.test(file) ? 'rke2' : 'k3s';
}

/**
 * Keys that are unlikely in any other file. Sources: the server and agent flags in https://docs.k3s.io/cli/server, https://docs.k3s.io/cli/agent,
 * https://docs.rke2.io/reference/server_config and https://docs.rke2.io/reference/linux_agent_config.
 */
const SHARED =
  /^(?:(?:kube-apiserver|kube-controller-manager|kube-scheduler|kube-cloud-controller-manager|etcd|kubelet|kube-proxy)-arg|tls-san(?:-security)?|write-kubeconfig(?:-mode|-group)?|(?:cluster|service)-cidr|service-node-port-range|cluster-(?:dns|domain|reset)|datastore-(?:endpoint|cafile|certfile|keyfile)|etcd-(?:expose-metrics|disable-snapshots|snapshot-[a-z-]+|s3(?:-[a-z-]+)?)|secrets-encryption(?:-provider)?|protect-kernel-defaults|node-(?:taint|label|ip|external-ip|name)|disable-(?:kube-proxy|cloud-controller|scheduler|apiserver|controller-manager|etcd)|egress-selector-mode|embedded-registry|agent-token(?:-file)?|token-file|system-default-registry|private-registry|container-runtime-endpoint|resolv-conf|pod-security-admission-config-file|kine-tls|enable-servicelb|helm-job-image)$/;

const K3S: ReadonlySet<string> = new Set([
  'cluster-init',
  'flannel-backend',
  'flannel-iface',
  'flannel-ipv6-masq',
  'disable-network-policy',
  'disable-helm-controller',
  'default-local-storage-path',
  'prefer-bundled-bin',
  'vpn-auth',
]);

const RKE2: ReadonlySet<string> = new Set([
  'cni',
  'profile',
  'audit-policy-file',
  'cloud-provider-name',
  'cloud-provider-config',
  'control-plane-resource-requests',
  'control-plane-resource-limits',
  'control-plane-probe-configuration',
  'ingress-controller',
  'kube-apiserver-image',
  'kube-apiserver-extra-mount',
  'kube-apiserver-extra-env',
  'etcd-extra-mount',
  'etcd-extra-env',
]);
