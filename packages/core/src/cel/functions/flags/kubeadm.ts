import { formatPointer } from '../../../resource/text/pointer.js';
import { path } from '../../standard/values.js';
import { addEtcdVariables } from './command-line.js';
import { kubeadmFlags } from './kubeadm-flags.js';
import { extraArgs, overlay, type Step, valueAt } from './settings.js';
import { newFlag, type Setup } from './setup.js';

/** Where a ClusterConfiguration has the flags of each component. */
const COMPONENTS: readonly (readonly [component: string, keys: readonly string[]])[] = [
  ['kube-apiserver', ['apiServer', 'extraArgs']],
  ['kube-controller-manager', ['controllerManager', 'extraArgs']],
  ['kube-scheduler', ['scheduler', 'extraArgs']],
  ['etcd', ['etcd', 'local', 'extraArgs']],
];

/** The control plane that kubeadm installs: what `extraArgs` leaves out, kubeadm sets or leaves unset, so absent flags have their defaults. */
export function clusterConfiguration(object: unknown, steps: readonly Step[]): Setup[] {
  const cluster = valueAt(object, steps);
  const external = path(cluster, 'etcd', 'external') !== undefined;
  return COMPONENTS.filter(([component]) => component !== 'etcd' || !external).map(([component, keys]) => {
    const args = extraArgs(component, object, [...steps, ...keys], true);
    const setup = external ? { ...args, place: placeOfExternal(args.place, [...steps, 'etcd', 'external']) } : args;
    const set = new Set(setup.flags.keys());
    const flags = new Map(setup.flags);
    for (const [name, value] of kubeadmFlags(component, cluster, set))
      if (!set.has(name)) flags.set(name, newFlag(name, value, { ...setup.place(name), implied: true }));
    const variables = component === 'etcd' ? path(cluster, 'etcd', 'local', 'extraEnvs') : undefined;
    addEtcdVariables(flags, variables, formatPointer([...steps, 'etcd', 'local', 'extraEnvs']));
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

/** The kubelets of the nodes that kubeadm makes at first, and of those that join. */
export function nodeRegistrations(object: unknown, steps: readonly Step[]): Setup[] {
  return ['initConfiguration', 'joinConfiguration'].flatMap((key) => nodeRegistration(object, [...steps, key]));
}

/** The kubelet of one kind of node. */
export function nodeRegistration(object: unknown, steps: readonly Step[]): Setup[] {
  return overlay(extraArgs('kubelet', object, [...steps, 'nodeRegistration', 'kubeletExtraArgs'], false));
}
