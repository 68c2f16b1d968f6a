/**
 * API groups that kube-apiserver serves itself, those of removed APIs included. Any other group belongs to a CRD, an aggregated
 * server or a component configuration. Source: k8s.io/api and the API reference of Kubernetes 1.36, Apache-2.0.
 */
const BUILTIN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'extensions',
  'policy',
  'admission.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'auditregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'imagepolicy.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'settings.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** The group of an `apiVersion`: empty for the core group (`v1`). */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** The version of an `apiVersion`: `v1` for `apps/v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** Whether kube-apiserver itself serves, or once served, the group of this `apiVersion`. */
export function builtinGroup(apiVersion: string): boolean {
  // The groups of other formats, such as `terraform`, have no slash either, but every version of the core group starts with `v` and a digit.
  return apiVersion.includes('/') ? BUILTIN_GROUPS.has(groupOf(apiVersion)) : /^v\d/.test(apiVersion);
}
