import type { Finding } from '@bylaw/core/evaluate';
import { builtinGroup } from '@bylaw/core/resource';
import type { ObjectReference } from './report.js';

/** The object that a finding is about, and the namespace of the report it belongs to: undefined for the report about the cluster. */
export function reportedObject(
  { resource }: Finding,
  defaultNamespace: string,
): { reference: ObjectReference; namespace: string | undefined } {
  const { api_version: apiVersion, kind, name, namespace: written } = resource;
  const namespace = written ?? (isNamespaced(apiVersion, kind) ? defaultNamespace : undefined);
  return {
    reference: { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) },
    // A manifest may hold any text there; a report can be in a namespace only that can exist.
    namespace: namespace !== undefined && NAMESPACE.test(namespace) ? namespace : undefined,
  };
}

const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A manifest of such a kind that names no namespace is meant for the one that it is applied to; of a custom resource nobody knows. */
function isNamespaced(apiVersion: string, kind: string): boolean {
  return builtinGroup(apiVersion) && !CLUSTER_SCOPED.has(kind);
}

/** Built-in kinds without a namespace. Source: the API reference of Kubernetes 1.36. */
const CLUSTER_SCOPED = new Set([
  ...['APIService', 'CSIDriver', 'CSINode', 'CertificateSigningRequest', 'ClusterRole', 'ClusterRoleBinding', 'ClusterTrustBundle'],
  ...['ComponentStatus', 'CustomResourceDefinition', 'DeviceClass', 'FlowSchema', 'IPAddress', 'IngressClass', 'LeaseCandidate'],
  ...['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding', 'MutatingWebhookConfiguration', 'Namespace', 'Node'],
  ...['PersistentVolume', 'PodSecurityPolicy', 'PriorityClass', 'PriorityLevelConfiguration', 'ResourceSlice', 'RuntimeClass'],
  ...['SelfSubjectAccessReview', 'SelfSubjectReview', 'SelfSubjectRulesReview', 'ServiceCIDR', 'StorageClass', 'StorageVersion'],
  ...['StorageVersionMigration', 'SubjectAccessReview', 'TokenReview', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  ...['ValidatingWebhookConfiguration', 'VolumeAttachment', 'VolumeAttributesClass'],
]);
