import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { KubernetesObject } from '../cluster/cluster.js';
import { runningServer } from '../cluster/testing/connected.test-support.js';
import { statusFault } from '../cluster/testing/faults.test-support.js';

const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));

const RBAC = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules:
  - { apiGroups: [""], resources: [pods], verbs: [get, list] }
  - { apiGroups: [""], resources: [secrets], verbs: [get, list] }
  - { nonResourceURLs: [/metrics], verbs: [get] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: readers }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ kind: ServiceAccount, namespace: shop, name: web }, { kind: Group, name: ops }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: editors, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit }
subjects: [{ kind: User, name: jane }]
`;

const UNKNOWN = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ci, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: deployer }
subjects: [{ kind: ServiceAccount, name: ci }]
`;

function folder(files: { readonly [name: string]: string }): string {
  const made = mkdtempSync(join(tmpdir(), 'bylaw-who-can-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(made, name), content);
  return made;
}

const runShared = sharedProcess(new URL('../../../cli/lib/main.js', import.meta.url));

const whoCan = (cwd: string, ...args: string[]) => runShared(['who-can', ...args], { cwd, env: { ...process.env, SVC_API_URL: '' } });

async function names(cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await whoCan(cwd, ...args, '--json');
  const { subjects } = JSON.parse(stdout) as { subjects: { kind: string; namespace: string | null; name: string }[] }; // our own answer
  return subjects.map(({ kind, namespace, name }) => `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`);
}

describe('bylaw who-can', () => {
  it('prints each subject with its binding, its role and the rule, and where they are', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [RUN, 'who-can', 'list', 'secrets'], {
      cwd: folder({ 'rbac.yaml': RBAC }),
    });
    expect(stdout).toBe(`3 subjects can list secrets:

  Group ops
    ← ClusterRoleBinding readers (rbac.yaml:9), in all namespaces
      ← ClusterRole reader (rbac.yaml:1)
        ← rule 2 (rbac.yaml:6): get, list secrets

  ServiceAccount shop/web
    ← ClusterRoleBinding readers (rbac.yaml:9), in all namespaces
      ← ClusterRole reader (rbac.yaml:1)
        ← rule 2 (rbac.yaml:6): get, list secrets

  User jane
    ← RoleBinding shop/editors (rbac.yaml:15), in namespace shop
      ← ClusterRole edit (created by Kubernetes)
        ← rule 1 of ClusterRole system:aggregate-to-edit: get, list, watch pods/attach, pods/exec, pods/portforward, pods/proxy, secrets, services/proxy

Read: 1 role and 2 bindings.
`);
    expect(stderr).toBe('');
  });

  it('answers the same in JSON', async () => {
    const { code, stdout } = await whoCan(folder({ 'rbac.yaml': RBAC }), 'list', 'secrets', '--namespace', 'blog', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      question: { verb: 'list', group: '', resource: 'secrets', name: null, namespace: 'blog' },
      subjects: [
        {
          kind: 'Group',
          namespace: null,
          name: 'ops',
          paths: [
            {
              namespace: null,
              binding: { kind: 'ClusterRoleBinding', namespace: null, name: 'readers', location: { file: 'rbac.yaml', line: 9 } },
              role: { kind: 'ClusterRole', namespace: null, name: 'reader', location: { file: 'rbac.yaml', line: 1 }, built_in: false },
              rule: { role: 'reader', index: 1, location: { file: 'rbac.yaml', line: 6 }, verbs: ['get', 'list'], resources: ['secrets'] },
            },
          ],
        },
        { kind: 'ServiceAccount', namespace: 'shop', name: 'web' },
      ],
      undecided: [],
      read: { roles: 1, bindings: 2, cluster: false },
      errors: [],
    });
    expect(code).toBe(0);
  });

  it.each([
    ['a subresource after a slash', ['create', 'pods/exec'], ['User jane']],
    ['a subresource of its own', ['create', 'Pod', '--subresource', 'exec'], ['User jane']],
    ['a resource with its group', ['patch', 'deployments.apps'], ['User jane']],
    ['a short name', ['patch', 'deploy'], ['User jane']],
    ['a kind and a subresource', ['update', 'Deployment.apps/scale'], ['User jane']],
    ['a URL', ['get', '/metrics'], ['Group ops', 'ServiceAccount shop/web']],
    ['a namespace', ['get', 'pods', '--namespace', 'blog'], ['Group ops', 'ServiceAccount shop/web']],
    ['a resource of the cluster, which no RoleBinding grants', ['get', 'nodes'], []],
    ['a resource that only its group names', ['get', 'widgets.example.com'], []],
    ['everything', ['*', '*'], []],
  ])('takes %s', async (_, args, expected) => {
    expect(await names(folder({ 'rbac.yaml': RBAC }), ...args)).toEqual(expected);
  });

  it('takes the name of an object, to which a role may be limited', async () => {
    const cwd = folder({ 'rbac.yaml': RBAC.replace('resources: [secrets],', 'resources: [secrets], resourceNames: [tls],') });
    expect(await names(cwd, 'get', 'secrets', '--name', 'tls', '--namespace', 'blog')).toEqual(['Group ops', 'ServiceAccount shop/web']);
    expect(await names(cwd, 'get', 'secrets', '--name', 'other', '--namespace', 'blog')).toEqual([]);
    expect(await names(cwd, 'get', 'secrets', '--namespace', 'blog')).toEqual([]);
  });

  it('says that a name after a slash is a subresource, as it is not for kubectl', async () => {
    const { stdout } = await whoCan(folder({ 'rbac.yaml': RBAC }), 'get', 'secrets/tls');
    expect(stdout).toContain('No subject of the input can get secrets/tls.\nThe part after the slash is a subresource.');
    expect((await whoCan(folder({ 'rbac.yaml': RBAC }), 'create', 'pods/exec')).stdout).not.toContain('slash');
  });

  it('knows a custom resource by the definition in the input', async () => {
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: shops.example.com }
spec: { group: example.com, scope: Namespaced, names: { plural: shops, singular: shop, kind: Shop, shortNames: [shp] }, versions: [] }
`;
    const rbac = RBAC.replace('resources: [secrets], verbs', 'resources: [shops], verbs').replaceAll('[""]', '[example.com]');
    expect(await names(folder({ 'rbac.yaml': rbac, 'crd.yaml': definition }), 'get', 'shp')).toEqual([
      'Group ops',
      'ServiceAccount shop/web',
    ]);
  });

  it('lists a binding whose role is not in the input as undecided, unless the input is complete', async () => {
    const cwd = folder({ 'rbac.yaml': UNKNOWN });
    const { code, stdout } = await whoCan(cwd, 'get', 'secrets');
    expect(stdout).toBe(`No subject is known that can get secrets.

Undecided: 1 binding may allow it, too.
  RoleBinding shop/ci (rbac.yaml:1) to ServiceAccount shop/ci: Role shop/deployer is not in the input.

Read: 0 roles and 1 binding.
`);
    expect(code).toBe(0);
    expect((await whoCan(cwd, 'get', 'secrets', '--complete')).stdout).toBe(`No subject of the input can get secrets.

Read: 0 roles and 1 binding.
`);
  });

  it('names what it could not read, and exits with 2', async () => {
    const cwd = folder({ 'rbac.yaml': RBAC, 'broken.yaml': 'a: [' });
    const { code, stdout, stderr } = await whoCan(cwd, 'list', 'secrets');
    expect(stdout).toContain('3 subjects can list secrets:');
    expect(stderr).toMatch(/^error: broken\.yaml:1:\d+: .*\(yaml-syntax\)\n$/);
    expect(code).toBe(2);
    const empty = await whoCan(cwd, 'list', 'secrets', 'broken.yaml');
    expect(empty.stdout).toMatch(/^It is not known who can list secrets: a part of the input could not be read\.\n/);
    expect(empty.code).toBe(2);
    const { errors } = JSON.parse((await whoCan(cwd, 'list', 'secrets', 'broken.yaml', '--json')).stdout);
    expect(errors).toMatchObject([{ code: 'yaml-syntax', location: { file: 'broken.yaml' } }]);
  });

  it('ignores a wrong field of an object that grants nothing', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: {} }\n';
    expect(await whoCan(folder({ 'rbac.yaml': RBAC, 'pod.yaml': pod }), 'list', 'secrets')).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not say "nobody" if the input has no bindings', async () => {
    const [role = ''] = RBAC.split('---');
    expect((await whoCan(folder({ 'role.yaml': role }), 'list', 'secrets')).stdout).toMatch(
      /^It is not known who can list secrets: the input contains no bindings\.\n/,
    );
    const none = await whoCan(folder({ 'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n' }), 'list', 'secrets');
    expect(none.stderr).toContain('The input contains no Role, ClusterRole, RoleBinding or ClusterRoleBinding');
    expect(none).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    [['get', 'podz'], 'Unknown resource podz.'],
    [['get', 'certificates'], 'Unknown resource certificates.'],
    [['get', 'pods/exec', '--subresource', 'log'], 'The subresource is given twice.'],
    [['get', '/metrics', '--name', 'a'], '--name, --subresource and --namespace do not apply to a URL.'],
    [['get', 'pods', 'rbac.yaml', '--cluster'], 'Pass either paths or a cluster, not both.'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await whoCan(folder({ 'rbac.yaml': RBAC }), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  describe('of a cluster', () => {
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const objects: KubernetesObject[] = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'blog' } },
      {
        apiVersion,
        kind: 'Role',
        metadata: { name: 'a', namespace: 'shop' },
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
      },
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'a', namespace: 'shop' },
        roleRef: { kind: 'Role', name: 'a' },
        subjects: [{ kind: 'User', name: 'jane' }],
      },
      {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name: 'gone' },
        roleRef: { kind: 'ClusterRole', name: 'deleted' },
        subjects: [{ kind: 'User', name: 'joe' }],
      },
    ];

    it('answers from its roles; one that is not there grants nothing', async () => {
      const server = await runningServer({ objects });
      const { code, stdout } = await whoCan(folder({ kubeconfig: server.kubeconfig() }), 'get', 'secrets', '--kubeconfig', 'kubeconfig');
      expect(stdout).toBe(`1 subject can get secrets:

  User jane
    ← RoleBinding shop/a, in namespace shop
      ← Role shop/a
        ← rule 1: get secrets

Read: 1 role and 2 bindings of the cluster.
`);
      expect(code).toBe(0);
    });

    it('lists the bindings of one namespace if asked for it, which must exist', async () => {
      const server = await runningServer({ objects });
      const cwd = folder({ kubeconfig: server.kubeconfig() });
      expect(await names(cwd, 'get', 'secrets', '--kubeconfig', 'kubeconfig', '-n', 'blog')).toEqual([]);
      const { code, stderr } = await whoCan(cwd, 'get', 'secrets', '--kubeconfig', 'kubeconfig', '-n', 'blogs');
      expect(stderr).toContain('The cluster has no namespace blogs.');
      expect(code).toBe(2);
    });

    it('names the kinds that it may not list: their roles are then not known', async () => {
      const server = await runningServer({ objects });
      server.fault('/apis/rbac.authorization.k8s.io/v1/clusterroles?', statusFault(403, 'Forbidden'));
      const { code, stdout, stderr } = await whoCan(
        folder({ kubeconfig: server.kubeconfig() }),
        'get',
        'secrets',
        '--kubeconfig',
        'kubeconfig',
      );
      expect(stdout).toContain('ClusterRoleBinding gone to User joe: ClusterRole deleted is not in the input.');
      expect(stderr).toMatch(/^error: ClusterRole could not be listed: .*\(kind-not-listed\)\n$/);
      expect(code).toBe(2);
    });
  });
});
