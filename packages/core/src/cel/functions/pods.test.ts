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
