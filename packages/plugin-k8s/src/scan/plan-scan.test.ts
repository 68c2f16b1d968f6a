import { describe, expect, it } from 'vitest';
import type { Discovery, ServedKind } from '../cluster/cluster.js';
import { KINDS } from '../cluster/testing/kinds.test-support.js';
import { planScan, type ScanScope } from './plan-scan.js';
import { ruleOn } from './rule.test-support.js';

function plan(
  targets: { [rule: string]: string[] | { on: string[]; reads: string[] } },
  scope: ScanScope = {},
  more: Partial<Discovery> = {},
) {
  const rules = Object.entries(targets).map(([id, rule]) =>
    Array.isArray(rule)
      ? ruleOn(id, rule)
      : ruleOn(id, rule.on, { set: Object.fromEntries(rule.reads.map((kind) => [kind, ['/metadata/labels']])) }),
  );
  const planned = planScan({ kinds: KINDS, failed: [], ...more }, rules, { rules }, scope);
  return {
    evaluated: planned.evaluated.map(({ name }) => name),
    read: planned.read.map(({ name }) => name),
    failed: planned.failed.map(({ kind }) => kind),
    leftOut: planned.leftOut.map(({ id }) => id),
  };
}

const served = (group: string, kind: string, more: Partial<ServedKind> = {}): ServedKind => ({
  group,
  version: 'v1',
  kind,
  resource: `${kind.toLowerCase()}s`,
  namespaced: true,
  verbs: ['list'],
  ...more,
});

describe('which kinds are evaluated', () => {
  it('those that a rule names, by name, by group, or as ones that carry a Pod; controllers before what they own', () => {
    expect(plan({ 'CS-001': ['PodSpec'] }).evaluated).toEqual([
      'CronJob',
      'DaemonSet',
      'Deployment',
      'PodTemplate',
      'StatefulSet',
      'Job',
      'ReplicaSet',
      'ReplicationController',
      'Pod',
    ]);
    expect(plan({ 'CS-001': ['Secret'], 'CS-002': ['argoproj.io/Rollout'], 'CS-003': ['example.test/*'] }).evaluated).toEqual([
      'Secret',
      'argoproj.io/Rollout',
      'example.test/Widget',
    ]);
  });

  it('none that the cluster does not serve, or does not list', () => {
    const kinds = [served('', 'Secret', { verbs: ['get'] }), served('other.test', 'Secret')];
    expect(plan({ 'CS-001': ['Secret', 'acme.test/Thing', 'aws_s3_bucket'] }, {}, { kinds }).evaluated).toEqual([]);
  });

  it('DeploymentConfigs of OpenShift carry a Pod', () => {
    expect(plan({ 'CS-001': ['PodSpec'] }, {}, { kinds: [served('apps.openshift.io', 'DeploymentConfig')] }).evaluated).toHaveLength(1);
  });

  it('each once, where two groups of the API server serve the same objects: in the group that they moved to', () => {
    const kinds = [served('', 'Event'), served('events.k8s.io', 'Event'), served('extensions', 'Ingress'), served('apps', 'Ingress')];
    const { evaluated } = planScan({ kinds, failed: [] }, [ruleOn('CS-001', ['Event', 'Ingress'])], { rules: [] }, {});
    expect(evaluated.map(({ served: { group, kind } }) => `${group}/${kind}`)).toEqual(['events.k8s.io/Event', 'apps/Ingress']);
  });

  it('what other rules of the catalogue name, or the caller does, where a rule evaluates any kind', () => {
    const rules = [ruleOn('CS-001', ['*']), ruleOn('CS-002', ['Secret', 'example.test/Widget'])];
    const names = (scope: ScanScope) =>
      planScan({ kinds: KINDS, failed: [] }, rules.slice(0, 1), { rules }, scope).evaluated.map(({ name }) => name);
    expect(names({})).toEqual(['Secret', 'example.test/Widget']);
    expect(names({ kinds: ['leases', 'secrets'] })).toEqual(['Lease', 'Secret']);
    expect(names({ kinds: ['*'] })).toHaveLength(KINDS.length);
  });

  it('those of the caller only, which no rule need name but one must evaluate', () => {
    expect(plan({ 'CS-001': ['PodSpec'], 'CS-002': ['Secret'] }, { kinds: ['Deployment', 'Secret', 'Lease'] }).evaluated).toEqual([
      'Deployment',
      'Secret',
    ]);
  });
});

describe('which kinds no rule covers', () => {
  const uncovered = (rules: ReturnType<typeof ruleOn>[], scope: ScanScope = {}) =>
    planScan({ kinds: KINDS, failed: [] }, rules, { rules }, scope).uncovered;

  it('those that no selected rule names: neither a rule about every kind nor one that reads them covers them', () => {
    const rules = [ruleOn('CS-001', ['PodSpec', '*']), ruleOn('NS-001', ['Secret +set'], { set: { Namespace: ['/metadata/labels'] } })];
    const names = uncovered(rules);
    expect(names).toEqual(expect.arrayContaining(['ClusterRole', 'Namespace', 'Service', 'example.test/Widget']));
    for (const covered of ['Deployment', 'Pod', 'Secret']) expect(names).not.toContain(covered);
    expect(names).toEqual([...names].sort());
  });

  it('of those that the scan is asked for', () => {
    const rules = [ruleOn('CS-001', ['Deployment'])];
    expect(uncovered(rules, { kinds: ['clusterroles', 'deployments'] })).toEqual(['ClusterRole']);
    expect(uncovered(rules, { namespaces: ['shop'] })).not.toContain('ClusterRole');
    expect(uncovered(rules, { namespaces: ['shop'] })).toContain('Role');
  });

  it('with those whose only rule is not applied', () => {
    const rules = [ruleOn('NS-001', ['Service +set'], { set: { Namespace: ['/metadata/labels'] } })];
    expect(uncovered(rules, { namespaces: ['shop'] })).toContain('Service');
  });
});

describe('which kinds are read to evaluate others', () => {
  it('those that the selected rules declare, whatever kinds the caller names', () => {
    const rules = { 'NS-001': { on: ['Deployment +set'], reads: ['NetworkPolicy', 'Namespace'] } };
    expect(plan(rules)).toMatchObject({ evaluated: ['Deployment'], read: ['Namespace', 'NetworkPolicy'] });
    expect(plan(rules, { kinds: ['Deployment'] }).read).toEqual(['Namespace', 'NetworkPolicy']);
  });

  it('every kind that carries a Pod, for a rule that reads Pods and their templates', () => {
    const { read } = plan({ 'NS-001': { on: ['Service +set'], reads: ['PodSpec'] } });
    expect(read).toEqual(expect.arrayContaining(['CronJob', 'Deployment', 'Pod', 'StatefulSet']));
  });

  it('a kind that the cluster does not serve is an empty one: the rule is applied', () => {
    expect(plan({ 'NS-001': { on: ['Deployment +set'], reads: ['acme.test/Mesh'] } })).toMatchObject({
      evaluated: ['Deployment'],
      leftOut: [],
    });
  });

  it('a rule that reads a group which does not answer is left out', () => {
    const failed = [{ group_version: 'acme.test/v1', reason: 'unavailable' }];
    expect(plan({ 'NS-001': { on: ['Deployment +set'], reads: ['acme.test/Mesh'] } }, {}, { failed })).toEqual({
      evaluated: [],
      read: [],
      failed: ['acme.test/*'],
      leftOut: ['NS-001'],
    });
  });
});

describe('a scan of some namespaces', () => {
  const scope = { namespaces: ['shop'] };

  it('looks at nothing outside of them, and leaves out rules that would have to', () => {
    const rules = {
      'CS-001': ['Deployment', 'Namespace', 'ClusterRole'],
      'CS-002': { on: ['Pod +set'], reads: ['Namespace'] },
      'CS-003': { on: ['Service +set'], reads: ['NetworkPolicy'] },
    };
    expect(plan(rules, scope)).toEqual({ evaluated: ['Deployment', 'Service'], read: ['NetworkPolicy'], failed: [], leftOut: ['CS-002'] });
  });

  it('but at kinds that the caller names', () => {
    const rules = { 'CS-001': ['Deployment', 'ClusterRole'], 'CS-002': { on: ['Deployment +set'], reads: ['Namespace'] } };
    expect(plan(rules, { ...scope, kinds: ['ClusterRole', 'Deployment', 'Namespace'] })).toEqual({
      evaluated: ['ClusterRole', 'Deployment'],
      read: ['Namespace'],
      failed: [],
      leftOut: [],
    });
  });
});

describe('groups that do not answer', () => {
  const failed = [
    { group_version: 'metrics.k8s.io/v1beta1', reason: 'unavailable' },
    { group_version: 'acme.test/v1', reason: 'unavailable' },
  ];

  it('are missed where a selected rule is about them, and nowhere else', () => {
    expect(plan({ 'CS-001': ['Pod'] }, {}, { failed }).failed).toEqual([]);
    expect(plan({ 'CS-001': ['acme.test/Thing'] }, {}, { failed }).failed).toEqual(['acme.test/*']);
    expect(plan({ 'CS-001': ['Pod', 'acme.test/Thing'] }, { kinds: ['Pod'] }, { failed }).failed).toEqual([]);
  });
});

describe('naming kinds', () => {
  const kinds = [...KINDS, served('serving.test', 'Service', { resource: 'services' })];
  const named = (...names: string[]) =>
    planScan({ kinds, failed: [] }, [ruleOn('CS-001', ['*'])], { rules: [] }, { kinds: names }).evaluated.map(({ name }) => name);

  it.each([
    ['Deployment', ['Deployment']],
    ['deployment', ['Deployment']],
    ['deployments', ['Deployment']],
    ['deployments.apps', ['Deployment']],
    ['Rollout', ['argoproj.io/Rollout']],
    ['argoproj.io/rollout', ['argoproj.io/Rollout']],
    ['rollouts.argoproj.io', ['argoproj.io/Rollout']],
    ['Service', ['Service']],
    ['serving.test/Service', ['serving.test/Service']],
    ['services', ['Service', 'serving.test/Service']],
  ])('%s', (name, expected) => {
    expect(named(name)).toEqual(expected);
  });

  it('refuses one that the cluster does not serve, with the nearest', () => {
    expect(() => named('Deploymnt')).toThrow(
      expect.objectContaining({ code: 'kind-unknown', exitCode: 2, hint: 'Did you mean Deployment?' }),
    );
    expect(() => named('xyz')).toThrow(
      expect.objectContaining({ code: 'kind-unknown', hint: expect.stringContaining('kubectl api-resources') }),
    );
  });
});
