import { member, path } from '../../standard/values.js';

/**
 * The flags that kubeadm sets where `extraArgs` does not, as far as they do not depend on the node. Source: cmd/kubeadm/app/phases/controlplane/manifests.go
 * (getAPIServerCommand, getControllerManagerCommand, getSchedulerCommand) and cmd/kubeadm/app/phases/etcd/local.go (getEtcdCommand) of
 * kubernetes/kubernetes.
 */
export function kubeadmFlags(component: string, cluster: unknown, extraArgs: ReadonlySet<string>): readonly (readonly [string, string])[] {
  const directory = textAt(cluster, 'certificatesDir') || '/etc/kubernetes/pki';
  switch (component) {
    case 'kube-apiserver':
      return [...apiServer(directory), ...etcdOfApiServer(directory, cluster), ...authorization(extraArgs)];
    case 'kube-controller-manager':
      return controllerManager(directory);
    case 'kube-scheduler':
      return LEADER;
    case 'etcd':
      return etcd(directory, textAt(path(cluster, 'etcd', 'local'), 'dataDir') || '/var/lib/etcd');
    default:
      return [];
  }
}

function apiServer(directory: string): [string, string][] {
  return [
    ['enable-admission-plugins', 'NodeRestriction'],
    ['service-account-key-file', `${directory}/sa.pub`],
    ['service-account-signing-key-file', `${directory}/sa.key`],
    ['client-ca-file', `${directory}/ca.crt`],
    ['tls-cert-file', `${directory}/apiserver.crt`],
    ['tls-private-key-file', `${directory}/apiserver.key`],
    ['kubelet-client-certificate', `${directory}/apiserver-kubelet-client.crt`],
    ['kubelet-client-key', `${directory}/apiserver-kubelet-client.key`],
    ['enable-bootstrap-token-auth', 'true'],
    ['allow-privileged', 'true'],
    ['requestheader-client-ca-file', `${directory}/front-proxy-ca.crt`],
    ['requestheader-allowed-names', 'front-proxy-client'],
    ['proxy-client-cert-file', `${directory}/front-proxy-client.crt`],
    ['proxy-client-key-file', `${directory}/front-proxy-client.key`],
  ];
}

function etcdOfApiServer(directory: string, cluster: unknown): [string, string][] {
  const external = path(cluster, 'etcd', 'external');
  if (external === undefined)
    return [
      ['etcd-servers', 'https://127.0.0.1:2379'],
      ['etcd-cafile', `${directory}/etcd/ca.crt`],
      ['etcd-certfile', `${directory}/apiserver-etcd-client.crt`],
      ['etcd-keyfile', `${directory}/apiserver-etcd-client.key`],
    ];
  const endpoints = member(external, 'endpoints');
  const [ca, certificate, key] = [textAt(external, 'caFile'), textAt(external, 'certFile'), textAt(external, 'keyFile')];
  const flags: [string, string][] = [
    ['etcd-servers', Array.isArray(endpoints) ? endpoints.filter((endpoint) => typeof endpoint === 'string').join(',') : ''],
  ];
  if (ca !== '') flags.push(['etcd-cafile', ca]);
  if (certificate !== '' && key !== '') flags.push(['etcd-certfile', certificate], ['etcd-keyfile', key]);
  return flags;
}

/** kubeadm leaves the mode out if the authorizers are in a file. */
function authorization(extraArgs: ReadonlySet<string>): [string, string][] {
  return extraArgs.has('authorization-config') ? [] : [['authorization-mode', 'Node,RBAC']];
}

const LEADER: [string, string][] = [
  ['bind-address', '127.0.0.1'],
  ['leader-elect', 'true'],
];

function controllerManager(directory: string): [string, string][] {
  return [
    ...LEADER,
    ['client-ca-file', `${directory}/ca.crt`],
    ['requestheader-client-ca-file', `${directory}/front-proxy-ca.crt`],
    ['root-ca-file', `${directory}/ca.crt`],
    ['service-account-private-key-file', `${directory}/sa.key`],
    ['cluster-signing-cert-file', `${directory}/ca.crt`],
    ['cluster-signing-key-file', `${directory}/ca.key`],
    ['use-service-account-credentials', 'true'],
    ['controllers', '*,bootstrapsigner,tokencleaner'],
  ];
}

function etcd(directory: string, data: string): [string, string][] {
  return [
    ['data-dir', data],
    ['cert-file', `${directory}/etcd/server.crt`],
    ['key-file', `${directory}/etcd/server.key`],
    ['trusted-ca-file', `${directory}/etcd/ca.crt`],
    ['client-cert-auth', 'true'],
    ['peer-cert-file', `${directory}/etcd/peer.crt`],
    ['peer-key-file', `${directory}/etcd/peer.key`],
    ['peer-trusted-ca-file', `${directory}/etcd/ca.crt`],
    ['peer-client-cert-auth', 'true'],
  ];
}

function textAt(value: unknown, key: string): string {
  const found = member(value, key);
  return typeof found === 'string' ? found : '';
}
