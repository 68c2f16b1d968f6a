import type { ApiClient } from './api-client.js';
import { type ApiObject, create } from './shop.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** Creates the ClusterRole, and binds it to the user in all namespaces. */
export async function grant(admin: ApiClient, role: ApiObject, user: string): Promise<void> {
  await create(admin, `${RBAC}/clusterroles`, role);
  await create(admin, `${RBAC}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${role.metadata.name}-${user}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
}

export function clusterRole(name: string, rules: readonly object[]): ApiObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
}
