import { listMember, textMember } from './policy-rule.js';

/** Somebody who gets permissions: a subject of a binding, with its namespace filled in. */
export interface AccessSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  /** Only of a ServiceAccount. */
  readonly namespace?: string;
  readonly name: string;
}

const ACCOUNT_USER = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * The subjects of a binding. A User `system:serviceaccount:NAMESPACE:NAME` is that ServiceAccount. Subjects that grant nothing, such as those of
 * unknown kinds, are left out.
 * @param namespace of the binding; empty for a ClusterRoleBinding, where a ServiceAccount without a namespace grants nothing
 */
export function subjectsOf(binding: unknown, namespace: string): AccessSubject[] {
  return listMember(binding, 'subjects').flatMap((subject): AccessSubject[] => {
    const name = textMember(subject, 'name');
    if (name === '') return [];
    switch (textMember(subject, 'kind')) {
      case 'User': {
        const [, ofNamespace, account] = ACCOUNT_USER.exec(name) ?? [];
        return [
          ofNamespace !== undefined && account !== undefined
            ? { kind: 'ServiceAccount', namespace: ofNamespace, name: account }
            : { kind: 'User', name },
        ];
      }
      case 'Group':
        return [{ kind: 'Group', name }];
      case 'ServiceAccount': {
        const own = textMember(subject, 'namespace') || namespace;
        return own === '' ? [] : [{ kind: 'ServiceAccount', namespace: own, name }];
      }
      default:
        return [];
    }
  });
}

/**
 * The groups that every ServiceAccount of a namespace is in.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#service-account-tokens
 */
export function groupsOfAccounts(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
}

/** `ServiceAccount shop/web`, `Group system:authenticated`. */
export function subjectName({ kind, namespace, name }: AccessSubject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
