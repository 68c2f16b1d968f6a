import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selects } from '../../cel/index.js';
import { type Resource, readObject } from '../../resource/index.js';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { type Projections, partsRead, project } from './projections.js';
import { ResourceIndex } from './resource-index.js';

type Labels = { [key: string]: string };

function indexOf(objects: readonly JsonObject[], set: { [kind: string]: string[] }, complete = false): ResourceIndex {
  const projections: Projections = {};
  const plan = new Map(Object.entries(set));
  for (const [document, object] of objects.entries())
    for (const resource of readObject(object, { file: 'x.yaml', document }).resources) project(plan, resource, projections);
  const index = new ResourceIndex({ namespace: 'default', complete });
  for (const [kind, list] of Object.entries(projections)) for (const projection of list) index.add(kind, projection);
  return index;
}

function namesOf(values: readonly unknown[]): unknown[] {
  return values.map((value) => (value as { metadata: { name: string } }).metadata.name);
}

function pod(name: string, labels: Labels, namespace?: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ...(namespace !== undefined && { namespace }) },
    spec: { containers: [] },
  };
}

function service(name: string, selector?: Labels): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ...(selector && { selector }) } };
}

describe('the resources of a set', () => {
  it('are found by namespace, where an empty one is that of objects that name none', () => {
    const index = indexOf([pod('a', {}), pod('b', {}, 'shop'), pod('c', {}, 'default')], { Pod: [] });
    expect(namesOf(index.inNamespace('Pod', ''))).toEqual(['a', 'c']);
    expect(namesOf(index.inNamespace('Pod', 'default'))).toEqual(['a', 'c']);
    expect(namesOf(index.inNamespace('Pod', 'shop'))).toEqual(['b']);
    expect(index.inNamespace('Pod', 'other')).toEqual([]);
    expect(index.inNamespace('Service', '')).toEqual([]);
  });

  it('are found by the text at a pointer, in the order of the input', () => {
    const scaler = (name: string, target: unknown): JsonObject => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name },
      spec: { scaleTargetRef: { kind: 'Deployment', name: target } as JsonObject },
    });
    const index = indexOf([scaler('a', 'web'), scaler('b', 'db'), scaler('c', 'web'), scaler('d', { x: 1 })], {
      HorizontalPodAutoscaler: ['/spec/scaleTargetRef'],
    });
    const targeting = (name: string, namespace = '') =>
      namesOf(index.having('HorizontalPodAutoscaler', namespace, '/spec/scaleTargetRef/name', name));
    expect(targeting('web')).toEqual(['a', 'c']);
    expect(targeting('web', 'default')).toEqual(['a', 'c']);
    expect(targeting('web', 'shop')).toEqual([]);
    expect(targeting('toString')).toEqual([]);
    expect(index.having('HorizontalPodAutoscaler', '', '/spec/none', 'web')).toEqual([]);
  });

  it('are found by a text in any item of a list, in one namespace or in all', () => {
    const ingress = (name: string, namespace: string, ...hosts: JsonValue[]) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, namespace },
      spec: { rules: hosts.map((host) => ({ host })) },
    });
    const index = indexOf(
      [ingress('a', 'shop', 'x.org', 'y.org', 'x.org'), ingress('b', 'blog', 'x.org'), ingress('c', 'blog', 7, null), ingress('d', 'blog')],
      { Ingress: ['/spec/rules/*/host'] },
    );
    const at = '/spec/rules/*/host';
    expect(namesOf(index.across('Ingress', at, 'x.org'))).toEqual(['a', 'b']);
    expect(namesOf(index.across('Ingress', at, 'y.org'))).toEqual(['a']);
    expect(namesOf(index.across('Ingress', at, '7'))).toEqual([]);
    expect(namesOf(index.across('Service', at, 'x.org'))).toEqual([]);
    expect(namesOf(index.having('Ingress', 'blog', at, 'x.org'))).toEqual(['b']);
  });

  it('are repeated if one file, or one rendering, defines them more than once', () => {
    const projections: Projections = {};
    const define = (object: JsonObject, file: string, more: Partial<Resource> & { rendered?: string } = {}) => {
      for (const resource of readObject(object, { file, document: 0 }).resources) {
        const source = { ...resource.source, ...(more.rendered !== undefined && { rendered: more.rendered }) };
        project(new Map([['Service', []]]), { ...resource, ...(more.live && { live: true }), source }, projections);
      }
    };
    define(service('twice'), 'a.yaml');
    define({ ...service('twice'), metadata: { name: 'twice', namespace: 'default' } }, 'a.yaml');
    define(service('apart'), 'a.yaml');
    define(service('apart'), 'b.yaml');
    define({ ...service('apart'), metadata: { name: 'apart', namespace: 'shop' } }, 'a.yaml');
    for (const file of ['x.yaml', 'y.yaml']) define(service('rendered'), file, { rendered: 'chart' });
    for (const file of ['x.yaml', 'x.yaml']) define(service('live'), file, { live: true });
    const index = new ResourceIndex({ namespace: 'default' });
    for (const projection of projections['Service'] ?? []) index.add('Service', projection);
    expect(['twice', 'apart', 'rendered', 'live', 'other'].filter((name) => index.repeated('Service', '', name))).toEqual([
      'twice',
      'rendered',
    ]);
  });

  it('are found by the labels that a selector selects, in the order of the input', () => {
    const index = indexOf([pod('a', { app: 'web' }), pod('b', { app: 'db' }), pod('c', { app: 'web', tier: 'x' })], {
      Pod: ['/metadata/labels'],
    });
    expect(namesOf(index.selected('Pod', '', { matchLabels: { app: 'web' } }))).toEqual(['a', 'c']);
    expect(namesOf(index.selected('Pod', '', { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }))).toEqual(['a', 'b']);
    expect(namesOf(index.selected('Pod', '', {}))).toEqual(['a', 'b', 'c']);
    expect(index.selected('Pod', '', undefined)).toEqual([]);
    expect(index.selected('Pod', '', 'app=web')).toEqual([]);
  });

  it('are found by the labels that they select themselves', () => {
    const objects = [service('none'), service('empty', {}), service('web', { app: 'web' }), service('both', { app: 'web', tier: 'x' })];
    const index = indexOf(objects, { Service: ['/spec/selector'] });
    expect(namesOf(index.selecting('Service', '', 'selector', { tier: 'x', app: 'web' }))).toEqual(['web', 'both']);
    expect(namesOf(index.selecting('Service', '', 'selector', { app: 'web' }))).toEqual(['web']);
    expect(index.selecting('Service', '', 'selector', {})).toEqual([]);
    const policy = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name },
      spec,
    });
    const policies = indexOf(
      [policy('web', { podSelector: { matchLabels: { app: 'web' } } }), policy('all', { podSelector: {} }), policy('absent', {})],
      { NetworkPolicy: ['/spec/podSelector'] },
    );
    expect(namesOf(policies.selecting('NetworkPolicy', '', 'podSelector', { app: 'web' }))).toEqual(['web', 'all', 'absent']);
    expect(namesOf(policies.selecting('NetworkPolicy', '', 'podSelector', {}))).toEqual(['all', 'absent']);
  });

  it('are found through the indexes as by looking at all of them', () => {
    const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'));
    const expression = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Wrong'),
      values: fc.array(fc.constantFrom('1', '2'), { maxLength: 2 }),
    });
    const selector = fc.record({ matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(labels, { maxLength: 8 }), fc.array(selector, { maxLength: 8 }), (pods, selectors) => {
        const objects = [
          ...pods.map((one, i) => pod(`p${i}`, one)),
          ...selectors.map((one, i) => ({
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata: { name: `b${i}` },
            spec: { selector: one },
          })),
        ];
        const index = indexOf(objects as JsonObject[], { Pod: ['/metadata/labels'], PodDisruptionBudget: ['/spec/selector'] });
        const selectsPod = (i: number, j: number) => selects(selectors[i], new Map(Object.entries(pods[j] ?? {})));
        for (const i of selectors.keys())
          expect(namesOf(index.selected('Pod', '', selectors[i]))).toEqual(
            [...pods.keys()].filter((j) => selectsPod(i, j)).map((j) => `p${j}`),
          );
        for (const j of pods.keys())
          expect(namesOf(index.selecting('PodDisruptionBudget', '', 'selector', pods[j]))).toEqual(
            [...selectors.keys()].filter((i) => selectsPod(i, j)).map((i) => `b${i}`),
          );
      }),
    );
  });

  it('have a Pod, which pod templates bring as well, under the name of the object', () => {
    const template = (labels: Labels) => ({ metadata: { labels }, spec: { containers: [{ name: 'a', ports: [{ containerPort: 80 }] }] } });
    const objects: JsonObject[] = [
      pod('bare', { app: 'web' }),
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', labels: { app: 'x' } },
        spec: { template: template({ app: 'web' }) },
      },
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'job' },
        spec: { jobTemplate: { spec: { template: template({ app: 'job' }) } } },
      },
      { apiVersion: 'example.com/v1', kind: 'Deployment', metadata: { name: 'other' }, spec: { template: template({ app: 'web' }) } },
    ];
    const index = indexOf(objects, { PodSpec: ['/spec/containers'] });
    expect(index.selected('PodSpec', '', { matchLabels: { app: 'web' } })).toMatchObject([
      { kind: 'Pod', metadata: { name: 'bare' } },
      { kind: 'Deployment', metadata: { name: 'web', labels: { app: 'web' } }, spec: { containers: [{ ports: [{ containerPort: 80 }] }] } },
    ]);
    expect(namesOf(index.ofKind('PodSpec'))).toEqual(['bare', 'web', 'job']);
  });

  it('hold of each item of a list what is asked for, and leave the object as it is', () => {
    const container = (name: string) => ({ name, image: 'x', resources: { limits: { cpu: 1 } }, ports: [{ containerPort: 80 }] });
    const thing = (kind: string): JsonObject => ({
      apiVersion: 'example.com/v1',
      kind,
      metadata: { name: 'a' },
      spec: { containers: [container('a'), 'wrong', { name: 'b' }], volumes: [] },
    });
    const objects = [thing('Part'), thing('Whole')];
    const before = structuredClone(objects);
    const index = indexOf(objects, {
      'example.com/Part': ['/spec/containers/*/name', '/spec/containers/*/resources', '/spec/initContainers/*/name', '/spec/volumes'],
      'example.com/Whole': ['/spec/containers', '/spec/containers/*/name'],
    });
    const resources = { limits: { cpu: 1 } };
    expect(index.ofKind('example.com/Part')).toMatchObject([
      { spec: { containers: [{ name: 'a', resources }, 'wrong', { name: 'b' }], volumes: [] } },
    ]);
    expect(JSON.stringify(index.ofKind('example.com/Part'))).not.toContain('ports');
    expect(index.ofKind('example.com/Whole')).toMatchObject([{ spec: { containers: [container('a'), 'wrong', { name: 'b' }] } }]);
    expect(objects).toEqual(before);
  });

  it('are read at the paths of every item, and in the Pod of every object that has one', () => {
    const spec = { containers: [{ name: 'a' }, { name: 'b' }] };
    const [resource] = readObject({ ...pod('a', {}), spec }, { file: 'x.yaml', document: 0 }).resources;
    if (!resource) throw new Error('no resource');
    const paths = (set: { [kind: string]: string[] }) => partsRead(new Map(Object.entries(set)), resource).map((path) => path.join('/'));
    expect(paths({ Pod: ['/spec/nodeName', '/spec/containers/*/ports', '/spec/volumes/*/name'], Service: ['/spec'] })).toEqual([
      'spec/nodeName',
      'spec/containers/0/ports',
      'spec/containers/1/ports',
    ]);
    expect(paths({ PodSpec: ['/spec/containers/*/name'] })).toEqual([
      'metadata/labels',
      'spec/containers/0/name',
      'spec/containers/1/name',
    ]);
  });

  it('cost as much as there are candidates, not as there are resources', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => pod(`p${i}`, { app: `app-${i}` }));
    const index = indexOf(many, { Pod: ['/metadata/labels'] });
    for (const [i] of many.entries()) expect(index.selected('Pod', '', { matchLabels: { app: `app-${i}` } })).toHaveLength(1);
  });
});
