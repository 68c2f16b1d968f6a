import { builtinGroup } from './builtin-group.js';

/** Whether objects of a group are configuration files of programs, which no API server serves: the group of a custom resource has a dot. */
export function isFileGroup(group: string): boolean {
  if (builtinGroup(`${group}/v1`)) return false;
  return !group.includes('.') || group.endsWith('.config.k8s.io') || FILE_GROUPS.has(group);
}

const FILE_GROUPS: ReadonlySet<string> = new Set([
  'audit.k8s.io',
  'client.authentication.k8s.io',
  'config.kubernetes.io',
  'eksctl.io',
  'kops.k8s.io',
  'kubeadm.k8s.io',
]);
