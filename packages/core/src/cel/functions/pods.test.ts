import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';
import { originOf } from '../origin.js';

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
