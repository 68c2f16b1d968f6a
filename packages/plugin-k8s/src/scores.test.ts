import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { textInput } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
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
    const pods = fc.array(fc.subarray([...FLAWS]), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, pods, fc.nat(3), fc.nat(FLAWS.length), async (texts, all, which, flaw) => {
        const mended = all.map((flaws, index) =>
          index === which % all.length ? flaws.filter((_, at) => at !== flaw % flaws.length) : flaws,
        );
        const before = await scoreOf([texts, all.map((flaws, index) => podWith(`p${index}`, flaws))]);
        const after = await scoreOf([texts, mended.map((flaws, index) => podWith(`p${index}`, flaws))]);
        expect(after ?? 100).toBeGreaterThanOrEqual(before ?? 0);
      }),
      { numRuns: 60 },
    );
  });
});

interface Flaw {
  of: 'pod' | 'container';
  wrong: string;
  right: string;
}

/**
 * What is wrong about a Pod, and the line that fixes it; none is the default. None hides another one, as a namespace of the host hides that root of the
 * Pod is root of the node, or `hostNetwork` a `hostPort`: where one does, fixing it may rightly uncover what is worse.
 */
const FLAWS: readonly Flaw[] = [
  { of: 'pod', wrong: 'hostPID: true', right: '' },
  { of: 'pod', wrong: 'hostIPC: true', right: '' },
  { of: 'pod', wrong: 'hostNetwork: true', right: '' },
  { of: 'pod', wrong: '', right: 'automountServiceAccountToken: false' },
  { of: 'container', wrong: '', right: 'readOnlyRootFilesystem: true' },
  { of: 'container', wrong: '', right: 'allowPrivilegeEscalation: false' },
  { of: 'container', wrong: '', right: 'seccompProfile: {type: RuntimeDefault}' },
  { of: 'container', wrong: 'privileged: true', right: '' },
  { of: 'container', wrong: 'procMount: Unmasked', right: '' },
  { of: 'container', wrong: 'capabilities: {add: [NET_ADMIN]}', right: 'capabilities: {drop: [ALL]}' },
];

function podWith(name: string, flaws: readonly Flaw[]): string {
  const lines = (of: Flaw['of'], indent: string) =>
    FLAWS.filter((flaw) => flaw.of === of)
      .map((flaw) => (flaws.includes(flaw) ? flaw.wrong : flaw.right))
      .filter((line) => line !== '')
      .map((line) => `${indent}${line}`);
  return [
    ...['apiVersion: v1', 'kind: Pod', `metadata: {name: ${name}, namespace: a}`, 'spec:', ...lines('pod', '  ')],
    ...['  containers:', '    - name: a', '      image: "example.com/a:1.0.0"'],
    ...['      securityContext:', '        runAsUser: 10001', ...lines('container', '        ')],
  ].join('\n');
}
