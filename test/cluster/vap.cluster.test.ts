import type { JsonObject } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exportPolicies } from '../../packages/plugin-k8s/src/export/vap/index.js';
import type { ValidatingAdmissionPolicy } from '../../packages/plugin-k8s/src/export/vap/policy.js';
import { exampleCases, isConstrainedTo, messagesOf, OPTIONS } from '../../packages/plugin-k8s/src/export/vap/policy.test-support.js';
import { type CelAnswer, celcheck } from './celcheck.js';
import { completed } from './completed.js';
import { type ApiObject, collectionOf, create } from './objects.js';
import { startCluster, type TestCluster } from './start-cluster.js';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const SETTINGS = { k8s: { allowed_registries: ['registry.example.com'] } };
const { policies: exported } = exportPolicies(catalogue.rules, catalogue, SETTINGS, OPTIONS);

/** The oldest minor with ValidatingAdmissionPolicy v1, and that of the API server under test. */
const VERSIONS = ['1.30', '1.36'];

describe('the packages of the API server, asked about the exported policies', () => {
  // The API server asks a policy about the kinds of its constraints only; the packages would ask it about any.
  const cases = exampleCases(catalogue)
    .filter(({ policy, object }) => isConstrainedTo(policy, object))
    .map((one) => ({ ...one, object: completed(one.object, namespaceOf(one.object)) }));
  const distinct = [...new Set(cases.map(({ policy }) => policy))];
  let answer: CelAnswer;

  beforeAll(async () => {
    answer = await celcheck({
      versions: VERSIONS,
      policies: distinct,
      cases: cases.map(({ policy, object }) => ({ policy: distinct.indexOf(policy), object, user: 'ann' })),
    });
  });

  it('find nothing invalid, and nothing that does not compile', () => {
    const faults = answer.policies.flatMap(({ invalid, compile }) => [...invalid, ...Object.values(compile).flat()]);
    expect(faults).toEqual([]);
  });

  it('give the same answers as the engine, on all examples of the rules', async () => {
    const differences: string[] = [];
    let refused = 0;
    for (const [index, { decision, messages, object }] of answer.cases.entries()) {
      const one = cases[index];
      if (decision === 'refused' || one === undefined) {
        refused += 1;
        continue;
      }
      const expected = await messagesOf(one.rule, catalogue, withoutOwners(object), one.config);
      const agree = decision === (expected.length > 0 ? 'deny' : 'admit') || (decision === 'unmatched' && expected.length === 0);
      if (!agree) differences.push(`${one.rule.id} ${decision} ${messages} but ${expected}: ${JSON.stringify(one.object)}`);
    }
    expect(differences).toEqual([]);
    // What no client could send: a text where the API has a number, for example.
    expect(refused).toBeLessThan(answer.cases.length * 0.02);
  });

  it('give the same answers as the engine, on examples of other rules', async () => {
    const objects = cases.filter(({ config }) => config === undefined).map(({ object }) => object);
    const crossed = exported.flatMap(({ rule: id, policy }, index) => {
      const rule = cases.find((one) => one.rule.id === id)?.rule;
      // Every eighth, beginning with another for each policy.
      const others = objects.filter((object, position) => (position + index) % 8 === 0 && matches(policy, object));
      return rule ? others.map((object) => ({ rule, policy, object })) : [];
    });
    expect(crossed.length).toBeGreaterThan(5_000);
    const distinctPolicies = exported.map(({ policy }) => policy);
    const { cases: answers } = await celcheck({
      versions: ['1.36'],
      policies: distinctPolicies,
      cases: crossed.map(({ policy, object }) => ({ policy: distinctPolicies.indexOf(policy), object, user: 'ann' })),
    });
    const differences: string[] = [];
    for (const [index, { decision, messages, object }] of answers.entries()) {
      const one = crossed[index];
      if (decision === 'refused' || one === undefined) continue;
      const expected = await messagesOf(one.rule, catalogue, withoutOwners(object), SETTINGS.k8s);
      if (decision === 'error' || (decision === 'deny') !== expected.length > 0)
        differences.push(`${one.rule.id} ${decision} ${messages} but ${expected}: ${JSON.stringify(one.object)}`);
    }
    expect(differences).toEqual([]);
  });

  it('have no warning about types', async () => {
    const { policies } = await celcheck({ versions: ['1.36'], policies: exported.map(({ policy }) => policy), cases: [], types: true });
    expect(policies.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('find that a large Pod costs less than what one expression may', async () => {
    const ofPods = exported.map(({ policy }) => policy).filter(looksAtPods);
    const { cases: evaluated } = await celcheck({
      versions: ['1.36'],
      policies: ofPods,
      cases: ofPods.map((_, policy) => ({ policy, object: largePod(), user: 'ann' })),
    });
    expect(evaluated.filter(({ decision }) => decision === 'error')).toEqual([]);
    expect(Math.max(...evaluated.map(({ cost }) => cost))).toBeLessThan(500_000);
  });
});

describe('a real API server with the exported policies', () => {
  let cluster: TestCluster;
  // Policies come into force in the order in which they were made: once CS-001 is, all are.
  const inOrder = [...exported].sort((a, b) => Number(a.rule === 'CS-001') - Number(b.rule === 'CS-001'));

  beforeAll(async () => {
    cluster = await startCluster(inject('programs'));
    const base = '/apis/admissionregistration.k8s.io/v1';
    for (const { rule, policy, binding } of inOrder) {
      await create(cluster.admin, '/api/v1/namespaces', namespaceFor(rule));
      await create(cluster.admin, `${base}/validatingadmissionpolicies`, policy as unknown as ApiObject); // a policy is an object of the API
      const spec = { ...binding.spec, validationActions: ['Warn'], matchResources: { namespaceSelector: { matchLabels: { rule } } } };
      await create(cluster.admin, `${base}/validatingadmissionpolicybindings`, { ...binding, spec } as unknown as ApiObject); // the same
    }
  });
  afterAll(() => cluster?.stop());

  it('accepts each of them, and follows it', async () => {
    expect(exported.length).toBeGreaterThan(160);
    const warnings = async () => (await dryRun(cluster, completed(privileged(), 'cs-001'))).warnings.join();
    await expect.poll(warnings, { timeout: 60_000 }).toContain('CS-001: container container-0 runs privileged');
  });

  it('warns of the examples of the rules as the engine does', async () => {
    const differences: string[] = [];
    const counts = { compared: 0, refused: 0, foreign: 0 };
    for (const { rule, object: example, config } of exampleCases(catalogue)) {
      // One policy of a rule is installed: that for the settings above.
      if (config !== undefined) continue;
      const object = completed(example, rule.id.toLowerCase());
      const collection = await collectionOf(cluster.admin, object as unknown as ApiObject);
      // The bindings here select a namespace, in which a Namespace and other objects of the cluster are not.
      if (!collection?.includes('/namespaces/')) {
        counts.foreign += 1;
        continue;
      }
      const { status, body, warnings } = await dryRun(cluster, object);
      if (status !== 201) {
        counts.refused += 1;
        continue;
      }
      counts.compared += 1;
      const said = warnings.filter((text) => text.includes(`'bylaw-${rule.id.toLowerCase()}'`));
      const expected = await messagesOf(rule, catalogue, withoutOwners(body), SETTINGS.k8s);
      if (said.length > 0 !== expected.length > 0) differences.push(`${rule.id} ${said} but ${expected}: ${JSON.stringify(object)}`);
    }
    console.log('examples on a real API server:', JSON.stringify(counts));
    expect(differences).toEqual([]);
    expect(counts.compared).toBeGreaterThan(400);
  });

  it('denies by a policy, and names the rule and the mend', async () => {
    const base = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
    const binding = exported.find(({ rule }) => rule === 'CS-001')?.binding;
    const spec = { ...binding?.spec, matchResources: { namespaceSelector: { matchLabels: { denies: 'yes' } } } };
    await create(cluster.admin, base, { ...binding, metadata: { name: 'denies' }, spec } as unknown as ApiObject); // the same
    await create(cluster.admin, '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'strict', labels: { denies: 'yes' } },
    });
    await expect.poll(async () => (await dryRun(cluster, completed(privileged(), 'strict'))).status, { timeout: 60_000 }).toBe(403);
    const { body } = await dryRun(cluster, completed(privileged(), 'strict'));
    expect(body.message).toContain('CS-001: container container-0 runs privileged. Remove privileged;');
  });
});

function namespaceOf(object: JsonObject): string {
  const { metadata } = object;
  return typeof metadata === 'object' && metadata !== null && 'namespace' in metadata ? String(metadata.namespace) : 'default';
}

function namespaceFor(rule: string): ApiObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: rule.toLowerCase(), labels: { rule } } };
}

async function dryRun(cluster: TestCluster, object: JsonObject) {
  const collection = await collectionOf(cluster.admin, object as unknown as ApiObject); // completed
  return cluster.admin.send('POST', `${collection}?dryRun=All`, { body: object });
}

/** As admission evaluates it: an owner that anybody could write is not believed. */
function withoutOwners(object: object | null): JsonObject {
  const copy = structuredClone(object ?? {}) as { metadata?: { ownerReferences?: unknown } };
  delete copy.metadata?.ownerReferences;
  return copy as JsonObject; // an object of the API
}

/** Whether the API server would ask a policy about an object of a built-in kind. */
function matches({ spec }: ValidatingAdmissionPolicy, { apiVersion, kind }: JsonObject): boolean {
  const [group, version] = String(apiVersion).includes('/') ? String(apiVersion).split('/') : ['', String(apiVersion)];
  const resource = `${String(kind).toLowerCase()}s`;
  return spec.matchConstraints.resourceRules.some(
    ({ apiGroups, apiVersions, resources }) =>
      apiGroups.includes(group ?? '') && apiVersions.includes(version ?? '') && resources.includes(resource),
  );
}

function looksAtPods({ spec }: ValidatingAdmissionPolicy): boolean {
  return spec.matchConstraints.resourceRules.some(({ resources }) => resources.includes('pods'));
}

function privileged(): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ securityContext: { privileged: true } }] } };
}

/** Twelve containers with sixty variables each, of which every tenth is named like a secret: some 200 KB. */
function largePod(): JsonObject {
  const filler = 'lorem ipsum dolor sit amet '.repeat(4);
  const container = (index: number) => ({
    name: `container-${index}`,
    image: `registry.example.com/team/application-${index}:1.2.3`,
    command: ['/bin/sh', '-c', filler.repeat(5)],
    env: Array.from({ length: 60 }, (_, count) => ({ name: `SETTING_${count}${count % 10 === 0 ? '_TOKEN' : ''}`, value: filler })),
    ports: Array.from({ length: 5 }, (_, count) => ({ containerPort: 8000 + count })),
    volumeMounts: Array.from({ length: 15 }, (_, count) => ({ name: `volume-${count}`, mountPath: `/data/somewhere/${count}` })),
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'large', namespace: 'shop', annotations: { note: filler.repeat(50) } },
    spec: {
      containers: Array.from({ length: 12 }, (_, index) => container(index)),
      volumes: Array.from({ length: 15 }, (_, count) => ({ name: `volume-${count}`, hostPath: { path: `/var/lib/app/${count}` } })),
    },
  };
}
