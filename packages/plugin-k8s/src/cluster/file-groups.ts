/** Whether the objects of a group are configuration files of programs, which no API server serves: a group without a dot cannot be one of an API. */
export function isOfFiles(group: string): boolean {
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
