import { describe, expect, it } from 'vitest';
import { member } from '../../cel/index.js';
import { readDocument, splitDocuments, textInput } from '../../resource/index.js';
import { UnknownError } from '../../undecided.js';
import { type Projections, project } from './projections.js';
import { ResourceIndex } from './resource-index.js';

const RBAC = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules:
  - apiGroups: [""]
    resources: [secrets]
    verbs: [get, list]
  - apiGroups: [apps, batch]
    resources: ["*"]
    resourceNames: [a]
    verbs: ["*"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: readers }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ kind: ServiceAccount, namespace: shop, name: web }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: lost, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: lost }
subjects: [{ kind: ServiceAccount, name: web }]
`;

const PLAN = new Map([
  ['Role', ['/rules']],
  ['ClusterRole', ['/rules', '/aggregationRule', '/metadata/labels']],
  ['RoleBinding', ['/roleRef', '/subjects']],
  ['ClusterRoleBinding', ['/roleRef', '/subjects']],
]);

/** The set of a file, after what was read of it went to another thread. */
async function setOf(text: string, complete = false): Promise<ResourceIndex> {
  const read: Projections = {};
  for await (const part of splitDocuments(textInput('rbac.yaml', text)))
    if (!('code' in part)) for (const resource of readDocument(part, { explicit: true }).resources) project(PLAN, resource, read);
  const index = new ResourceIndex({ namespace: 'default', complete });
  for (const [kind, list] of Object.entries(structuredClone(read))) for (const projection of list) index.add(kind, projection);
  return index;
}

const binding = (kind: string, name: string) => ({ kind: 'ClusterRoleBinding', metadata: { name: 'b' }, roleRef: { kind, name } });

describe('RBAC of a set', () => {
  it('says what a binding grants, with the line of each rule', async () => {
    const set = await setOf(RBAC);
    expect(set.grantText(binding('ClusterRole', 'reader'))).toBe(
      ', which allows get, list secrets (rbac.yaml:5); every verb on every resource of apps, batch named a (rbac.yaml:8)',
    );
    expect(set.boundRules(binding('ClusterRole', 'reader'))).toMatchObject([{ verbs: ['get', 'list'] }, { verbs: ['*'] }]);
  });

  it('shows some rules of a role that has many', async () => {
    const rule = '  - { apiGroups: [""], resources: [pods], verbs: [get] }\n';
    const head = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: many }\nrules:\n';
    const set = await setOf(head + rule.repeat(8));
    expect(set.grantText(binding('ClusterRole', 'many'))).toMatch(/^, which allows get pods \(rbac\.yaml:5\);.*; 3 more rules$/);
  });

  it('knows a role that Kubernetes creates, and says nothing of one that is not there', async () => {
    const set = await setOf(RBAC);
    expect(set.boundRules(binding('ClusterRole', 'cluster-admin'))).toHaveLength(2);
    expect(() => set.boundRules(binding('ClusterRole', 'lost'))).toThrow(UnknownError);
    expect(set.grantText(binding('ClusterRole', 'lost'))).toBe('');
    expect((await setOf(RBAC, true)).boundRules(binding('ClusterRole', 'lost'))).toEqual([]);
  });

  it('takes a role as not in the input if it is not known what is in it', () => {
    const index = new ResourceIndex({ namespace: 'default' });
    const object = { kind: 'ClusterRole', metadata: { name: 'reader' }, rules: [] };
    index.add('ClusterRole', { object, unknown: [{ pointer: '/rules', reason: 'unknown-value', message: 'It is known later.' }] });
    expect(index.grantText(binding('ClusterRole', 'reader'))).toBe('');
    expect(() => index.boundRules(binding('ClusterRole', 'reader'))).toThrow('ClusterRole reader is not in the input.');
  });

  it('lists the bindings of a ServiceAccount; the rules of an unknown role cannot be read', async () => {
    const [lost, known] = (await setOf(RBAC)).accountBindings('shop', 'web');
    expect(known).toMatchObject({
      kind: 'ClusterRoleBinding',
      name: 'readers',
      direct: true,
      clusterWide: true,
      known: true,
      text: 'ClusterRoleBinding readers (rbac.yaml:13) to ClusterRole reader',
      rules: [{ resources: ['secrets'], text: 'get, list secrets (rbac.yaml:5)' }, { resourceNames: ['a'] }],
    });
    expect(member(lost, 'known')).toBe(false);
    expect(() => member(lost, 'rules')).toThrow('Role shop/lost is not in the input.');
    expect((await setOf(RBAC)).accountBindings('shop', 'other')).toEqual([]);
  });
});
