import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { textInput } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const catalogue = await loadCatalogue({ packs: [new URL('../dist/pack.jsonl', import.meta.url)] });
const engine = createEngine({ catalogue, clock: fixedClock('2026-01-01T00:00:00Z') });

// A resource that satisfies a rule about the set, such as a NetworkPolicy, may rightly raise a score.
const rules = catalogue.rules.filter(({ set }) => !set).map(({ id }) => id);

/** Documents of public projects, one resource each. */
const documents = ['kubernetes-examples', 'kube-prometheus', 'microservices-demo'].flatMap((project) => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'corpus', project);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file));
  return files.sort().flatMap((file) => readFileSync(join(folder, file), 'utf8').split(/^---$/m));
});
const workloads = documents
  .filter((text) => /^kind: (Deployment|DaemonSet|StatefulSet|Pod|Job|Service|ConfigMap|Secret)\s*$/m.test(text))
  .slice(0, 150);

async function scoreOf(files: readonly (readonly string[])[]): Promise<number | null> {
  const inputs = files.map((texts, index) => textInput(`f${index}.yaml`, texts.join('\n---\n')));
  for await (const event of engine.evaluate({ inputs, threads: 0, filter: { rules } }))
    if (event.type === 'end') return event.score.overall;
  throw new Error('no end');
}

const some = fc
  .uniqueArray(fc.nat(workloads.length - 1), { minLength: 1, maxLength: 8 })
  .map((picked) => picked.map((at) => workloads[at] ?? ''));

describe('the score of real manifests, by all rules that look at one resource', () => {
  it('is never raised by one more resource', async () => {
    expect(workloads.length).toBeGreaterThan(80);
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(...workloads), async (texts, more) => {
        const before = await scoreOf([texts]);
        const after = await scoreOf([[...texts, more]]);
        expect(after ?? 0).toBeLessThanOrEqual(before ?? 100);
      }),
      { numRuns: 60 },
    );
  });

  it('does not change when the resources are split over files, or stand in another order', async () => {
    await fc.assert(
      fc.asyncProperty(some, fc.nat(8), async (texts, at) => {
        const whole = await scoreOf([texts]);
        expect(await scoreOf([texts.slice(0, at), texts.slice(at)].filter(({ length }) => length > 0))).toBe(whole);
        expect(await scoreOf([texts.toReversed()])).toBe(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('is never lowered by fixing what is wrong', async () => {
    // Each on its own: a flaw that hides another one, as hostPID hides shareProcessNamespace, uncovers it when it goes.
    const flaws = fc.subarray(['hostPID: true', 'hostIPC: true']);
    const pod = (name: string, wrong: readonly string[]) =>
      ['apiVersion: v1', 'kind: Pod', `metadata: {name: ${name}, namespace: a}`, 'spec:', ...wrong.map((line) => `  ${line}`)].join('\n') +
      '\n  containers: [{name: a, image: "example.com/a:1.0.0"}]\n';
    await fc.assert(
      fc.asyncProperty(some, fc.array(flaws, { minLength: 1, maxLength: 4 }), fc.nat(3), async (texts, pods, which) => {
        const fixed = pods.map((wrong, index) => (index === which % pods.length ? wrong.slice(1) : wrong));
        const before = await scoreOf([texts, pods.map((wrong, index) => pod(`p${index}`, wrong))]);
        const after = await scoreOf([texts, fixed.map((wrong, index) => pod(`p${index}`, wrong))]);
        expect(after ?? 100).toBeGreaterThanOrEqual(before ?? 0);
      }),
      { numRuns: 60 },
    );
  });
});
