import type { ApiClient } from './api-client.js';
import { type ApiObject, create } from './objects.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

export interface ClusterRole extends ApiObject {
  rules: readonly PolicyRule[];
}

interface PolicyRule {
  apiGroups: readonly string[];
  resources: readonly string[];
  verbs: readonly string[];
}

export function clusterRole(name: string, rules: readonly PolicyRule[]): ClusterRole {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
}

/** Creates the ClusterRole, and binds it to the user in all namespaces. When this resolves, the user may do all that it grants. */
export async function grant(admin: ApiClient, role: ClusterRole, user: string): Promise<void> {
  await create(admin, `${RBAC}/clusterroles`, role);
  await create(admin, `${RBAC}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${role.metadata.name}-${user}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
  // The API server learns of it by a watch of its own.
  while (!(await isAllowed(admin, role, user))) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function isAllowed(admin: ApiClient, { rules }: ClusterRole, user: string): Promise<boolean> {
  const last = rules.at(-1);
  const resourceAttributes = { group: last?.apiGroups[0], resource: last?.resources[0], verb: last?.verbs[0] };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user, resourceAttributes } };
  const { body } = await admin.send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body: review });
  return body.status.allowed;
}
