import { describe, expect, it } from 'vitest';
import { AccessGraph, type AccessOptions } from './access-graph.js';
import type { AccessRequest } from './allows.js';
import { subjectName } from './subject.js';
import { type AccessQuestion, whoCan } from './who-can.js';

const GET_SECRETS: AccessRequest = { verb: 'get', group: '', resource: 'secrets' };
const READ_SECRETS = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];

const role = (name: string, rules: unknown, more: object = {}) => ({ kind: 'ClusterRole', value: { metadata: { name, ...more }, rules } });
const roleIn = (namespace: string, name: string, rules: unknown) => ({ kind: 'Role', value: { metadata: { name, namespace }, rules } });
const bind = (subjects: unknown, name: string) => ({
  kind: 'ClusterRoleBinding',
  value: { metadata: { name: 'b' }, subjects, roleRef: { kind: 'ClusterRole', name } },
});
const bindIn = (namespace: string | undefined, subjects: unknown, kind: string, name: string) => ({
  kind: 'RoleBinding',
  value: { metadata: { name: 'b', namespace }, subjects, roleRef: { kind, name } },
});
const group = (name: string) => ({ kind: 'Group', name });
const account = (name: string, namespace?: string) => ({ kind: 'ServiceAccount', name, namespace });

/** Enough for these tests: labels that must be equal. */
const selects: AccessOptions['selects'] = (selector, labels) => {
  const { matchLabels = {} } = selector as { matchLabels?: { [key: string]: string } }; // written here
  return Object.entries(matchLabels).every(([key, value]) => labels.get(key) === value);
};

function graphOf(objects: ConstructorParameters<typeof AccessGraph>[0], options: Partial<AccessOptions> = {}): AccessGraph {
  return new AccessGraph(objects, { namespace: 'default', selects, ...options });
}

function ask(objects: ConstructorParameters<typeof AccessGraph>[0], question: Partial<AccessQuestion> = {}, complete = false) {
  const { subjects, undecided } = whoCan(graphOf(objects, { complete }), { request: GET_SECRETS, clusterScoped: false, ...question });
  return { who: subjects.map(({ subject }) => subjectName(subject)), undecided: undecided.map(({ message }) => message) };
}

describe('who can do something', () => {
  it('is each subject of a binding to a role that allows it, once, in order', () => {
    const subjects = [group('ops'), account('web', 'shop'), { kind: 'User', name: 'jane' }, group('ops'), { kind: 'Robot', name: 'x' }, 7];
    expect(ask([role('r', READ_SECRETS), bind(subjects, 'r')])).toEqual({
      who: ['Group ops', 'ServiceAccount shop/web', 'User jane'],
      undecided: [],
    });
    expect(ask([role('r', READ_SECRETS), bind(subjects, 'r')], { request: { ...GET_SECRETS, verb: 'list' } }).who).toEqual([]);
  });

  it('names all paths of a subject, the first rule of each', () => {
    const objects = [
      role('r', [...READ_SECRETS, ...READ_SECRETS]),
      bind([group('ops')], 'r'),
      bindIn('shop', [group('ops')], 'ClusterRole', 'r'),
    ];
    const [only, ...others] = whoCan(graphOf(objects), { request: GET_SECRETS, clusterScoped: false }).subjects;
    expect(others).toEqual([]);
    expect(only?.paths.map(({ binding, rule }) => [binding.namespace, rule.index])).toEqual([
      ['', 0],
      ['shop', 0],
    ]);
  });

  it('is limited to the namespace of a RoleBinding, also if that refers to a ClusterRole', () => {
    const objects = [role('r', READ_SECRETS), bindIn('shop', [group('ops')], 'ClusterRole', 'r')];
    expect(ask(objects, { namespace: 'shop' }).who).toEqual(['Group ops']);
    expect(ask(objects, { namespace: 'blog' }).who).toEqual([]);
    expect(ask(objects, { request: { ...GET_SECRETS, resource: '*', group: '*' }, clusterScoped: false }).who).toEqual([]);
  });

  it('takes nothing of the cluster, and no URL, from a RoleBinding', () => {
    const all = [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ];
    const objects = [role('r', all), bindIn('shop', [group('ops')], 'ClusterRole', 'r')];
    expect(ask(objects, { request: { verb: 'get', group: '', resource: 'nodes' }, clusterScoped: true }).who).toEqual([]);
    expect(ask(objects, { request: { verb: 'get', url: '/metrics' }, clusterScoped: true }).who).toEqual([]);
    expect(
      ask([role('r', all), bind([group('ops')], 'r')], { request: { verb: 'get', url: '/metrics' }, clusterScoped: true }).who,
    ).toEqual(['Group ops']);
  });

  it('takes a Namespace by its name as a request in it', () => {
    const objects = [
      role('r', [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }]),
      bindIn('shop', [group('ops')], 'ClusterRole', 'r'),
    ];
    const request = { verb: 'get', group: '', resource: 'namespaces' };
    expect(ask(objects, { request: { ...request, name: 'shop' }, clusterScoped: true }).who).toEqual(['Group ops']);
    expect(ask(objects, { request: { ...request, name: 'blog' }, clusterScoped: true }).who).toEqual([]);
    expect(ask(objects, { request, clusterScoped: true }).who).toEqual([]);
  });

  it('fills in namespaces: of a ServiceAccount that of its RoleBinding, of objects that of the run', () => {
    const objects = [
      roleIn('shop', 'r', READ_SECRETS),
      bindIn('shop', [account('web')], 'Role', 'r'),
      bind([account('lost')], 'cluster-admin'),
    ];
    expect(ask(objects).who).toEqual(['ServiceAccount shop/web']);
    expect(ask([roleIn('default', 'r', READ_SECRETS), bindIn(undefined, [account('web')], 'Role', 'r')]).who).toEqual([
      'ServiceAccount default/web',
    ]);
  });

  it('takes the user name of a ServiceAccount as the ServiceAccount', () => {
    expect(ask([bind([{ kind: 'User', name: 'system:serviceaccount:shop:web' }], 'cluster-admin')]).who).toEqual([
      'ServiceAccount shop/web',
    ]);
  });

  it('is not decided by a binding to a role that is not in the input, unless the input is complete', () => {
    const objects = [bindIn('shop', [group('ops')], 'Role', 'r'), roleIn('blog', 'r', READ_SECRETS)];
    expect(ask(objects)).toEqual({ who: [], undecided: ['Role shop/r is not in the input.'] });
    expect(ask(objects, {}, true)).toEqual({ who: [], undecided: [] });
  });

  it('knows the roles that Kubernetes creates, and takes those of the input first', () => {
    expect(ask([bindIn('shop', [group('ops')], 'ClusterRole', 'edit')]).who).toEqual(['Group ops']);
    expect(ask([bindIn('shop', [group('ops')], 'ClusterRole', 'view')]).who).toEqual([]);
    expect(ask([bind([group('ops')], 'cluster-admin'), role('cluster-admin', [])]).who).toEqual([]);
  });

  it('adds what a role aggregates, through several steps, and once if roles aggregate each other', () => {
    const aggregated = (name: string, by: string, labels = {}) => ({
      kind: 'ClusterRole',
      value: { metadata: { name, labels }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [by]: 'true' } }] } },
    });
    const objects = [
      aggregated('a', 'to-a'),
      aggregated('b', 'to-b', { 'to-a': 'true', 'to-b': 'true' }),
      role('c', READ_SECRETS, { labels: { 'to-b': 'true' } }),
      role('d', READ_SECRETS, { labels: { 'to-b': 'false' } }),
      bind([group('ops')], 'a'),
    ];
    const [only] = whoCan(graphOf(objects), { request: GET_SECRETS, clusterScoped: false }).subjects;
    expect(only?.paths.map((path) => [path.role.name, path.rule.role.name])).toEqual([['a', 'c']]);
    expect(ask([aggregated('a', 'to-a'), bind([group('ops')], 'a')]).undecided).toEqual([
      'The roles that ClusterRole a aggregates are not in the input.',
    ]);
    const added = role('e', READ_SECRETS, { labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } });
    expect(ask([added, bind([group('ops')], 'view')]).who).toEqual(['Group ops']);
  });

  it('gives up on roles that aggregate each other in too many ways, and says so', () => {
    const all = (index: number) => ({
      kind: 'ClusterRole',
      value: {
        metadata: { name: `r${index}`, labels: { a: 'b' } },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' }, index }] },
      },
    });
    const objects = [...Array.from({ length: 1000 }, (_, index) => all(index)), bind([group('ops')], 'r0')];
    expect(ask(objects)).toEqual({ who: [], undecided: ['ClusterRole r0 aggregates too many roles.'] });
    const searched: number[] = [];
    const graph = graphOf(objects, { onSearch: (count) => void searched.push(count) });
    for (const _ of [1, 2]) graph.grantOf({ kind: 'ClusterRole', namespace: '', name: 'r0' });
    expect(searched[0]).toBeGreaterThan(1_000_000);
    expect(searched).toEqual([searched[0], searched[0]]);
  });

  it('bears objects of any form', () => {
    const values = [undefined, null, 7, [], {}, { subjects: {}, roleRef: [] }, { metadata: [], rules: 'x', aggregationRule: 1 }];
    const kinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'Pod'];
    expect(ask(kinds.flatMap((kind) => values.map((value) => ({ kind, value }))))).toEqual({ who: [], undecided: [] });
  });
});

describe('the bindings of a ServiceAccount', () => {
  it('are those that name it, and those of the groups that it is in', () => {
    const groups = [
      'system:serviceaccounts',
      'system:serviceaccounts:shop',
      'system:authenticated',
      'system:serviceaccounts:blog',
      'system:masters',
    ];
    const graph = graphOf([
      bind([account('web', 'shop'), group('system:authenticated')], 'a'),
      ...groups.map((name) => bind([group(name)], name)),
    ]);
    const found = graph.bindingsOfAccount('shop', 'web').map(({ binding, direct }) => [binding.role.name, direct]);
    expect(found).toEqual([
      ['a', true],
      ['system:serviceaccounts', false],
      ['system:serviceaccounts:shop', false],
      ['system:authenticated', false],
    ]);
  });
});
