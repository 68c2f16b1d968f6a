import { formatPointer } from '../../../resource/text/pointer.js';
import { member, path } from '../../standard/values.js';
import { KOPS_FLAGS } from './configuration-fields.js';
import { configuration, extraArgs, overlay } from './settings.js';
import { addFlag, type Flag, flagName, flagValue, membersOf, newFlag, type Setup } from './setup.js';

// Distributions set flags by themselves, so their configurations say nothing about a flag that they leave out.

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
export function kops(object: unknown): Setup[] {
  return KOPS_COMPONENTS.flatMap(([key, component]) => {
    const fields = path(object, 'spec', key);
    const flags = new Map<string, Flag>();
    for (const [label, written] of membersOf(fields) ?? []) {
      const value = flagValue(written);
      if (value === undefined) continue;
      const pointer = formatPointer(['spec', key, label]);
      const adds = label === 'appendAdmissionPlugins' && member(fields, 'enableAdmissionPlugins') === undefined;
      addFlag(flags, newFlag(flagOfField(label), value, { label, pointer, adds }));
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
export function rancher(object: unknown): Setup[] {
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
  addFlag(flags, newFlag(name, value, { label: `--${name}`, pointer, adds }));
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

/** The mappings of flags, and the part of a KubeletConfiguration, in a machine configuration. */
export function talos(object: unknown): Setup[] {
  return [
    ...TALOS_COMPONENTS.flatMap(([key, component]) => talosArgs(component, object, ['cluster', key, 'extraArgs'])),
    ...talosArgs('kubelet', object, ['machine', 'kubelet', 'extraArgs']),
    ...configuration('kubelet', object, ['machine', 'kubelet', 'extraConfig'], false),
  ];
}

/** A document of one component, which Talos 1.14 has in place of a part of the machine configuration: flags, and a part of a component configuration. */
export function talosDocument(component: string): (object: unknown) => Setup[] {
  return (object) => [...talosArgs(component, object, ['extraArgs']), ...configuration(component, object, ['config'], false)];
}

function talosArgs(component: string, object: unknown, steps: readonly string[]): Setup[] {
  const setup = extraArgs(component, object, steps, false);
  if (component !== 'kube-apiserver') return overlay(setup);
  const flags = [...setup.flags].map(([name, flag]) => [name, { ...flag, adds: TALOS_ADDS.has(name) }] as const);
  return overlay({ ...setup, flags: new Map(flags) });
}

/** The parts of a KubeletConfiguration of the node groups. */
export function eksctl(object: unknown): Setup[] {
  return ['nodeGroups', 'managedNodeGroups'].flatMap((key) => {
    const groups = member(object, key);
    if (!Array.isArray(groups)) return [];
    return groups.flatMap((_, index) => configuration('kubelet', object, [key, index, 'kubeletExtraConfig'], false));
  });
}
