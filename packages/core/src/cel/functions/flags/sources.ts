import { formatPointer } from '../../../resource/text/pointer.js';
import { member, path } from '../../standard/values.js';
import { setupsOfPod } from './command-line.js';
import { CONFIGURATION_FIELDS, KOPS_FLAGS } from './configuration-fields.js';
import { kubeadmFlags } from './kubeadm-flags.js';
import { addFlag, type Flag, flagName, flagValue, membersOf, type Setup } from './setup.js';

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

type Step = string | number;

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
  'eksctl.io/ClusterConfig': eksctl,
  'kubelet.config.k8s.io/KubeletConfiguration': (object) => configuration('kubelet', object, [], true),
  'kubeproxy.config.k8s.io/KubeProxyConfiguration': (object) => configuration('kube-proxy', object, [], true),
  'kubescheduler.config.k8s.io/KubeSchedulerConfiguration': (object) => configuration('kube-scheduler', object, [], true),
};

/** The control plane that kubeadm installs: what `extraArgs` leaves out, kubeadm sets or leaves unset, so absent flags have their defaults. */
function clusterConfiguration(object: unknown, steps: readonly Step[]): Setup[] {
  const cluster = valueAt(object, steps);
  const external = path(cluster, 'etcd', 'external') !== undefined;
  const components: [string, string[]][] = [
    ['kube-apiserver', ['apiServer', 'extraArgs']],
    ['kube-controller-manager', ['controllerManager', 'extraArgs']],
    ['kube-scheduler', ['scheduler', 'extraArgs']],
    ...(external ? [] : [['etcd', ['etcd', 'local', 'extraArgs']] as [string, string[]]]),
  ];
  return components.map(([component, keys]) => {
    const args = extraArgs(component, object, [...steps, ...keys], true);
    const setup = external ? { ...args, place: placeOfExternal(args.place, [...steps, 'etcd', 'external']) } : args;
    const set = new Set(setup.flags.keys());
    const flags = new Map(setup.flags);
    for (const [name, value] of kubeadmFlags(component, cluster, set))
      if (!set.has(name)) flags.set(name, { name, value, ...setup.place(name), line: 0, adds: false, implied: true });
    return { ...setup, flags };
  });
}

/** The fields of an etcd that kubeadm does not run, by the flags of the API server that it sets from them. */
const EXTERNAL_ETCD: { readonly [flag: string]: string } = {
  'etcd-servers': 'endpoints',
  'etcd-cafile': 'caFile',
  'etcd-certfile': 'certFile',
  'etcd-keyfile': 'keyFile',
};

function placeOfExternal(place: Setup['place'], steps: readonly Step[]): Setup['place'] {
  return (name) => {
    const field = Object.hasOwn(EXTERNAL_ETCD, name) ? EXTERNAL_ETCD[name] : undefined;
    return field === undefined ? place(name) : { label: `etcd.external.${field}`, pointer: formatPointer([...steps, field]) };
  };
}

function nodeRegistrations(object: unknown, steps: readonly Step[]): Setup[] {
  return ['initConfiguration', 'joinConfiguration'].flatMap((key) => nodeRegistration(object, [...steps, key]));
}

function nodeRegistration(object: unknown, steps: readonly Step[]): Setup[] {
  return overlay(extraArgs('kubelet', object, [...steps, 'nodeRegistration', 'kubeletExtraArgs'], false));
}

/** A setup that only adds to other settings says nothing if it is empty. */
function overlay(setup: Setup): Setup[] {
  return setup.flags.size === 0 ? [] : [setup];
}

/** Flags without dashes, as a mapping or as a list of `{name, value}`. */
function extraArgs(component: string, object: unknown, steps: readonly Step[], complete: boolean): Setup {
  const args = valueAt(object, steps);
  const flags = new Map<string, Flag>();
  const add = (key: string, value: unknown, at: Step) => {
    const name = flagName(key);
    // A list of values stands for a flag that is repeated.
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = flagValue(one);
      if (text === undefined) continue;
      addFlag(flags, {
        name,
        value: text,
        label: `--${name}`,
        pointer: formatPointer([...steps, at]),
        line: 0,
        adds: false,
        implied: false,
      });
    }
  };
  if (Array.isArray(args)) {
    for (const [index, item] of args.entries()) {
      const name: unknown = member(item, 'name');
      if (typeof name === 'string') add(name, member(item, 'value') ?? '', index);
    }
  } else for (const [key, value] of membersOf(args) ?? []) add(key, value, key);
  const pointer = formatPointer(steps);
  const isMap = membersOf(args) !== undefined;
  const place = (name: string) => ({ label: `--${name}`, pointer: isMap ? formatPointer([...steps, name]) : pointer });
  return { component, flags, complete, pointer, place };
}

/** A component configuration, or a part of one. */
function configuration(component: string, object: unknown, steps: readonly Step[], complete: boolean): Setup[] {
  const fields = CONFIGURATION_FIELDS[component] ?? {};
  const flags = new Map<string, Flag>();
  const place = (name: string) => {
    const field = Object.hasOwn(fields, name) ? (fields[name] ?? name) : name;
    return { label: field, pointer: formatPointer([...steps, ...field.split('.')]) };
  };
  for (const [name, field] of Object.entries(fields)) {
    const value = flagValue(valueAt(object, [...steps, ...field.split('.')]));
    if (value !== undefined) flags.set(name, { name, value, ...place(name), line: 0, adds: false, implied: false });
  }
  const setup = { component, flags, complete, pointer: formatPointer(steps), place };
  return complete ? [setup] : overlay(setup);
}

const KOPS_COMPONENTS: readonly (readonly [string, string])[] = [
  ['kubeAPIServer', 'kube-apiserver'],
  ['kubeControllerManager', 'kube-controller-manager'],
  ['kubeScheduler', 'kube-scheduler'],
  ['kubelet', 'kubelet'],
  ['controlPlaneKubelet', 'kubelet'],
  ['masterKubelet', 'kubelet'],
  ['kubeProxy', 'kube-proxy'],
];

/** Fields named like the flags, in camelCase. */
function kops(object: unknown): Setup[] {
  return KOPS_COMPONENTS.flatMap(([key, component]) => {
    const fields = path(object, 'spec', key);
    const flags = new Map<string, Flag>();
    for (const [label, written] of membersOf(fields) ?? []) {
      const value = flagValue(written);
      if (value === undefined) continue;
      const pointer = formatPointer(['spec', key, label]);
      const adds = label === 'appendAdmissionPlugins' && member(fields, 'enableAdmissionPlugins') === undefined;
      addFlag(flags, { name: flagOfField(label), value, label, pointer, line: 0, adds, implied: false });
    }
    const pointer = formatPointer(['spec', key]);
    return overlay({ component, flags, complete: false, pointer, place: (name) => ({ label: `--${name}`, pointer }) });
  });
}

function flagOfField(field: string): string {
  if (Object.hasOwn(KOPS_FLAGS, field)) return KOPS_FLAGS[field] ?? field;
  return field
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

const RANCHER_COMPONENTS: readonly (readonly [string, string])[] = [
  ['kube-apiserver-arg', 'kube-apiserver'],
  ['kube-controller-manager-arg', 'kube-controller-manager'],
  ['kube-scheduler-arg', 'kube-scheduler'],
  ['etcd-arg', 'etcd'],
  ['kubelet-arg', 'kubelet'],
  ['kube-proxy-arg', 'kube-proxy'],
];

/** k3s and RKE2: texts of the form `flag=value`. A key with a `+` at its end adds to the list of another file. */
function rancher(object: unknown): Setup[] {
  return RANCHER_COMPONENTS.flatMap(([key, component]) => {
    const flags = new Map<string, Flag>();
    for (const written of [key, `${key}+`]) {
      const args = member(object, written);
      const isList = Array.isArray(args);
      for (const [index, text] of (isList ? args : [args]).entries())
        if (typeof text === 'string') addRancherFlag(flags, text, formatPointer(isList ? [written, index] : [written]));
    }
    const pointer = formatPointer([key]);
    return overlay({ component, flags, complete: false, pointer, place: (name) => ({ label: `--${name}`, pointer }) });
  });
}

/** `name+=value` and `name-=value` add the value after or before the one of the distribution. */
function addRancherFlag(flags: Map<string, Flag>, text: string, pointer: string): void {
  const equals = text.indexOf('=');
  const written = (equals < 0 ? text : text.slice(0, equals)).trim();
  const adds = equals >= 0 && /[+-]$/.test(written);
  const name = flagName(adds ? written.slice(0, -1) : written);
  const value = equals < 0 ? 'true' : text.slice(equals + 1).trim();
  addFlag(flags, { name, value, label: `--${name}`, pointer, line: 0, adds, implied: false });
}

/**
 * What Talos adds to the values of a machine configuration. Source: manageAPIServer in
 * internal/app/machined/pkg/controllers/k8s/control_plane_static_pod.go of siderolabs/talos.
 */
const TALOS_ADDS: ReadonlySet<string> = new Set(['enable-admission-plugins', 'feature-gates', 'authorization-mode', 'tls-cipher-suites']);

const TALOS_COMPONENTS: readonly (readonly [string, string])[] = [
  ['apiServer', 'kube-apiserver'],
  ['controllerManager', 'kube-controller-manager'],
  ['scheduler', 'kube-scheduler'],
  ['etcd', 'etcd'],
  ['proxy', 'kube-proxy'],
];

function talos(object: unknown): Setup[] {
  const controlPlane = TALOS_COMPONENTS.flatMap(([key, component]) => {
    const setup = extraArgs(component, object, ['cluster', key, 'extraArgs'], false);
    if (component !== 'kube-apiserver') return overlay(setup);
    const flags = [...setup.flags].map(([name, flag]) => [name, { ...flag, adds: TALOS_ADDS.has(name) }] as const);
    return overlay({ ...setup, flags: new Map(flags) });
  });
  return [
    ...controlPlane,
    ...overlay(extraArgs('kubelet', object, ['machine', 'kubelet', 'extraArgs'], false)),
    ...configuration('kubelet', object, ['machine', 'kubelet', 'extraConfig'], false),
  ];
}

function eksctl(object: unknown): Setup[] {
  return ['nodeGroups', 'managedNodeGroups'].flatMap((key) => {
    const groups = member(object, key);
    if (!Array.isArray(groups)) return [];
    return groups.flatMap((_, index) => configuration('kubelet', object, [key, index, 'kubeletExtraConfig'], false));
  });
}

function valueAt(object: unknown, steps: readonly Step[]): unknown {
  let value = object;
  for (const step of steps) value = typeof step === 'number' ? (Array.isArray(value) ? value[step] : undefined) : member(value, step);
  return value;
}
