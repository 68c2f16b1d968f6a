import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../clock.js';
import { catalogueOf, packInMemory, type RuleDetail } from '../../rule/index.js';
import { createEngine, type EvaluationRequest } from '../engine.js';
import type { Finding } from '../findings/finding.js';
import { batches, items, type ObjectInput } from './batches.js';

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}

const live = (values: Iterable<unknown>): ObjectInput => ({ live: true, objects: () => each(values) });

const sizes = async (input: ObjectInput) => {
  const lengths: number[] = [];
  for await (const batch of batches(items([input]))) lengths.push(batch.length);
  return lengths;
};

describe('objects that arrive one after another', () => {
  it('are evaluated in batches of a bounded number, and of a bounded size if they are large', async () => {
    expect(await sizes(live(Array.from({ length: 300 }, (_, i) => ({ i }))))).toEqual([128, 128, 44]);
    expect(await sizes(live(Array.from({ length: 5 }, () => ({ data: { a: 'x'.repeat(200_000) } }))))).toEqual([2, 2, 1]);
  });

  it('may nest as deep as they like without a harm to the count', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(await sizes(live([deep, deep]))).toEqual([1, 1]);
  });

  it('are requested only after those before them have been evaluated', async () => {
    let asked = 0;
    async function* endless() {
      for (;;) yield { n: asked++ };
    }
    const batch = await batches(items([{ live: true, objects: endless }])).next();
    expect(batch.value).toHaveLength(128);
    expect(asked).toBe(128);
  });
});

function rule(id: string, more: Partial<RuleDetail> & { target: string; expression: string }): RuleDetail {
  const { target, expression, ...rest } = more;
  return {
    id,
    category: id.slice(0, 2),
    severity: 'HIGH',
    title: `Title of ${id}`,
    description: 'd',
    targets: [target],
    logic: [{ targets: [target], expression }],
    fix: 'f',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
    ...rest,
  };
}

async function run(rules: RuleDetail[], request: EvaluationRequest) {
  const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
  const findings: Finding[] = [];
  for await (const event of createEngine({ catalogue, clock: fixedClock('2026-11-21') }).evaluate({ threads: 0, ...request }))
    if (event.type === 'end') return { findings, end: event };
    else findings.push(...event.batch.findings());
  throw new Error('no end');
}

const pod = (name: string, spec: object = { containers: [] }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec,
});

describe('objects of a cluster', () => {
  it('are live for rules, and their findings have no location and come in the order of the objects', async () => {
    const { findings, end } = await run([rule('CS-001', { target: 'Pod', expression: '!live' })], { inputs: [live([pod('b'), pod('a')])] });
    expect(findings.map(({ resource, location }) => [resource.name, location])).toEqual([
      ['b', null],
      ['a', null],
    ]);
    expect(end.summary).toMatchObject({ resources: 2, findings: 2, errors: 0 });
  });

  it('that are malformed give an error that names them, and the rest of them is evaluated', async () => {
    const { findings, end } = await run([rule('CS-001', { target: 'Pod', expression: 'false' })], {
      inputs: [live([pod('a', { containers: 'x' }), 7])],
    });
    expect(findings).toHaveLength(1);
    expect(end.errors).toEqual([
      { code: 'malformed', message: expect.stringMatching(/^Pod shop\/a: .*containers/), location: null },
      { code: 'not-a-resource', message: expect.any(String), location: null },
    ]);
  });

  it('may be absent, without an error for the caller', async () => {
    const { end } = await run([rule('CS-001', { target: 'Pod', expression: 'false' })], { inputs: [live([])] });
    expect(end.errors).toEqual([]);
  });

  it('are read once where the request brings the set that rules look at', async () => {
    let reads = 0;
    const input: ObjectInput = {
      live: true,
      objects: () => {
        reads += 1;
        return each([pod('a')]);
      },
    };
    const rules = [
      rule('CS-001', {
        target: 'Pod +set',
        expression: 'resources.lookup("Namespace", "", "shop").?metadata.?labels[?"a"].orValue("") == "b"',
        set: { Namespace: ['/metadata/labels'] },
      }),
    ];
    const set = { Namespace: [{ object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { a: 'b' } } } }] };
    expect((await run(rules, { inputs: [input], set })).findings).toEqual([]);
    expect(reads).toBe(1);
    expect((await run(rules, { inputs: [input] })).findings).toHaveLength(1);
    expect(reads).toBe(3);
  });
});
