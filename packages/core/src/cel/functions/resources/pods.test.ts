import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../create.js';
import { originOf } from '../../origin.js';

const evaluator = createEvaluator();
const evaluate = (source: string, object: unknown) =>
  evaluator.compile(source, { variables: ['object'], maxNodes: 2000, maxNesting: 3 }).evaluate({ object });

describe('templateContainers', () => {
  const workflow = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    spec: {
      securityContext: { runAsNonRoot: true },
      templates: [
        { name: 'main', steps: [[{ name: 'a', template: 'run' }]] },
        { name: 'run', container: { name: 'main', image: 'alpine' }, sidecars: [{ name: 'db', image: 'db' }] },
      ],
    },
  };

  it('gives each container with the spec of its template and what it inherits', () => {
    expect(evaluate('templateContainers(object).map(c, c.container.name + "/" + c.spec.name)', workflow)).toEqual(['main/run', 'db/run']);
    expect(evaluate('templateContainers(object).all(c, c.defaults.runAsNonRoot)', workflow)).toBe(true);
  });

  it('places each container where it stands in the resource', () => {
    const items = evaluate('templateContainers(object)', workflow);
    expect(Array.isArray(items) && items.map((item) => originOf(item))).toEqual([
      { parent: workflow, path: '/spec/templates/1/container' },
      { parent: workflow, path: '/spec/templates/1/sidecars/0' },
    ]);
  });

  it('finds none in kinds that carry no template, nor in values that are no resource', () => {
    expect(evaluate('templateContainers(object)', { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{}] } })).toEqual([]);
    expect(evaluate('templateContainers(object)', 'Workflow')).toEqual([]);
    expect(evaluate('templateContainers(object.?spec)', {})).toEqual([]);
  });
});

describe('templateVolumes', () => {
  const volumes = (...names: string[]) => names.map((name) => ({ name, hostPath: { path: `/${name}` } }));
  const mounting = (name: string, ...mounted: string[]) => ({ name, volumeMounts: mounted.map((volume) => ({ name: volume })) });
  const found = (object: unknown) => {
    const items = evaluate('templateVolumes(object)', object);
    if (!Array.isArray(items)) throw new TypeError('no list');
    return items.map((item) => [
      originOf(item)?.path,
      item.volume.name,
      item.mounts.map((mount: { container: { name: string } }) => mount.container.name),
    ]);
  };

  it('gives each volume with the containers that mount it', () => {
    const template = (container: object) => ({ template: { spec: { volumes: volumes('a', 'b'), containers: [container] } } });
    const cluster = { headGroupSpec: template(mounting('head', 'a')), workerGroupSpecs: [template(mounting('worker', 'a', 'none'))] };
    expect(found({ apiVersion: 'ray.io/v1', kind: 'RayCluster', spec: cluster })).toEqual([
      ['/spec/headGroupSpec/template/spec/volumes/0', 'a', ['head']],
      ['/spec/headGroupSpec/template/spec/volumes/1', 'b', []],
      ['/spec/workerGroupSpecs/0/template/spec/volumes/0', 'a', ['worker']],
      ['/spec/workerGroupSpecs/0/template/spec/volumes/1', 'b', []],
    ]);
  });

  it('finds the volume of a mount outside its template where the template has none of that name', () => {
    const spec = {
      volumes: volumes('shared', 'own'),
      templates: [
        { name: 'one', volumes: volumes('own'), container: mounting('a', 'own', 'shared') },
        { name: 'two', script: mounting('b', 'shared') },
      ],
    };
    expect(found({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', spec })).toEqual([
      ['/spec/volumes/0', 'shared', ['a', 'b']],
      ['/spec/volumes/1', 'own', []],
      ['/spec/templates/0/volumes/0', 'own', ['a']],
    ]);
    const task = { volumes: volumes('v'), steps: [mounting('step', 'v')], sidecars: [mounting('sidecar', 'v')] };
    expect(found({ apiVersion: 'tekton.dev/v1', kind: 'Task', spec: task })).toEqual([['/spec/volumes/0', 'v', ['step', 'sidecar']]]);
  });

  it('finds none in kinds that carry no template, and leaves out parts of the wrong type', () => {
    expect(found({ apiVersion: 'v1', kind: 'Pod', spec: { volumes: volumes('a') } })).toEqual([]);
    const spec = { containers: [{ volumeMounts: [1, { name: 2 }] }], volumes: [1, { name: 2 }, 'x'] };
    expect(found({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', spec: { template: { spec } } })).toEqual([
      ['/spec/template/spec/volumes/1', 2, []],
    ]);
  });
});

describe('isWindows', () => {
  const isWindows = (podSpec: unknown) => evaluate('isWindows(object)', podSpec);
  const affinity = (...terms: unknown[]) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
  });
  const os = (operator: string, ...values: string[]) => ({ matchExpressions: [{ key: 'kubernetes.io/os', operator, values }] });

  it('goes by the declared operating system first', () => {
    expect(isWindows({ os: { name: 'windows' } })).toBe(true);
    expect(isWindows({ os: { name: 'linux' }, nodeSelector: { 'kubernetes.io/os': 'windows' } })).toBe(false);
  });

  it('goes by the nodes that may run the Pod where none is declared', () => {
    expect(isWindows({ nodeSelector: { 'kubernetes.io/os': 'windows' } })).toBe(true);
    expect(isWindows({ nodeSelector: { 'beta.kubernetes.io/os': 'windows' } })).toBe(true);
    expect(isWindows(affinity(os('In', 'windows')))).toBe(true);
    expect(isWindows({ nodeSelector: { 'kubernetes.io/os': 'linux' } })).toBe(false);
  });

  it('needs every alternative of the affinity to ask for Windows alone', () => {
    expect(isWindows(affinity(os('In', 'windows'), { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }))).toBe(false);
    expect(isWindows(affinity(os('In', 'windows', 'linux')))).toBe(false);
    expect(isWindows(affinity(os('NotIn', 'windows')))).toBe(false);
    expect(isWindows(affinity())).toBe(false);
  });

  it('knows HostProcess containers, which only Windows has', () => {
    expect(isWindows({ securityContext: { windowsOptions: { hostProcess: true } } })).toBe(true);
    expect(isWindows({ containers: [{ securityContext: { windowsOptions: { hostProcess: true } } }] })).toBe(true);
    expect(isWindows({ securityContext: { windowsOptions: { runAsUserName: 'ContainerUser' } } })).toBe(false);
  });

  it.each([[{}], ['windows'], [null], [{ os: 1, nodeSelector: [], affinity: 'x', containers: [1, null] }]])('is false for %j', (value) => {
    expect(isWindows(value)).toBe(false);
  });
});
