import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { systemClock } from '@bylaw/core/clock';
import { objectEvaluator } from '@bylaw/core/evaluate';
import { isObject, type JsonObject } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROOT } from '../run-cli.js';
import type { Answer } from './api-client.js';
import { completed } from './completed.js';
import { serveCustomKinds } from './custom-kinds.js';
import { type ApiObject, collectionOf, create } from './objects.js';
import { startCluster, type TestCluster } from './start-cluster.js';

interface Exported {
  policies: { rule: string; policy: ApiObject; binding: ApiObject; omitted: { targets: string[] }[] }[];
}

/** By rule, what is wrong: messages, sorted, each once. */
type Verdict = Map<string, string[]>;

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const evaluator = objectEvaluator(catalogue, { annotations: () => false }, systemClock);
const examples = catalogue.rules.flatMap(({ id }) =>
  (catalogue.detail(id)?.examples ?? []).flatMap(({ fail, pass, skip }, index) =>
    [fail ?? pass ?? skip ?? []].flat().map((object) => ({ name: `${id} example ${index}`, object: apiObject(object) })),
  ),
);

let cluster: TestCluster;
let exported: Exported;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
  const args = [join(ROOT, 'bin', 'run.js'), 'export', 'vap', '--mode', 'audit', '--namespace-selector', '!exempt', '--json'];
  exported = JSON.parse((await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 })).stdout);
  await serveCustomKinds(
    cluster.admin,
    examples.map(({ object }) => object),
  );
});
afterAll(() => cluster?.stop());

describe('the policies of all rules at once, that only write into the audit log', () => {
  it('are accepted, field by field and without a warning', async () => {
    expect(exported.policies.length).toBeGreaterThan(160);
    for (const { policy, binding } of exported.policies) {
      for (const [path, body] of [[POLICIES, policy] as const, [BINDINGS, binding] as const]) {
        const { status, warnings, text } = await cluster.admin.send('POST', `${path}?fieldValidation=Strict`, { body });
        expect([status, warnings], text).toEqual([201, []]);
      }
    }
  });

  it('say of the examples of all rules what the engine says, word for word', async () => {
    await createNamespaces();
    await untilInForce();
    const evaluated: { id: string; name: string; rules: Set<string>; engine: Verdict }[] = [];
    const refused: string[] = [];
    for (const { name, object } of examples) {
      const { status, body, text, headers } = await dryRun(object);
      if (status < 300) evaluated.push({ id: String(headers['audit-id']), name, rules: rulesFor(body), engine: verdictOf(body) });
      else refused.push(`${name}, ${object.apiVersion} ${object.kind}: ${body?.message ?? text}`);
    }
    const logged = await loggedVerdicts(evaluated.map(({ id }) => id));
    const differences = evaluated.flatMap(({ id, name, rules, engine }) => {
      const policies = logged.get(id) ?? new Map();
      const different = [...rules].filter((rule) => !isDeepStrictEqual(engine.get(rule), policies.get(rule)));
      return different.map((rule) => ({ name, rule, engine: engine.get(rule), policy: policies.get(rule) }));
    });
    console.log(`${evaluated.length} examples compared; ${refused.length} that the API server does not take:\n${refused.join('\n')}`);
    expect(differences).toEqual([]);
    expect(evaluated.length).toBeGreaterThan(0.9 * examples.length);
    // Where a schema holds an object to its types, every expression has a value.
    const broken = refused.filter((line) => line.includes('resulted in error'));
    expect(broken.filter((line) => !/^\S+ example \d+, [^/ ]+\.[^/ ]+\//.test(line) || line.includes('.k8s.io/'))).toEqual([]);
  });
});

function apiObject(example: JsonObject): ApiObject {
  const namespace = isObject(example.metadata) && typeof example.metadata.namespace === 'string' ? example.metadata.namespace : 'default';
  return { apiVersion: '', kind: '', ...completed(example, namespace) } as ApiObject; // with a name
}

async function createNamespaces(): Promise<void> {
  // Some rules are about what this label allows.
  const labels = { 'resource.kubernetes.io/admin-access': 'true' };
  for (const name of new Set(examples.map(({ object }) => object.metadata.namespace ?? ''))) {
    await cluster.admin.send('POST', '/api/v1/namespaces', { body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } });
  }
}

/** The API server learns of policies in the order in which they were made, so a last one reports all. */
async function untilInForce(): Promise<void> {
  const last = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'last' } };
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression: 'object.metadata.name != "last"' }] };
  await create(cluster.admin, POLICIES, { ...last, kind: 'ValidatingAdmissionPolicy', spec });
  const binding = { ...last, kind: 'ValidatingAdmissionPolicyBinding', spec: { policyName: 'last', validationActions: ['Deny'] } };
  await create(cluster.admin, BINDINGS, binding);
  const probe = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } };
  while ((await dryRun(probe)).status === 201) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function dryRun(object: ApiObject): Promise<Answer> {
  const collection = (await collectionOf(cluster.admin, object)) ?? `/apis/${object.apiVersion}`;
  const added = ephemeralContainersOf(object);
  if (added.length === 0) return cluster.admin.send('POST', `${collection}?dryRun=All`, { body: object });
  // Such containers are added to a Pod that is there.
  await cluster.admin.send('POST', collection, { body: { ...object, spec: { ...(object.spec as object), ephemeralContainers: [] } } }); // of a Pod
  const path = `${collection}/${object.metadata.name}`;
  const answer = await cluster.admin.send('PATCH', `${path}/ephemeralcontainers?dryRun=All`, {
    body: { spec: { ephemeralContainers: added } },
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  });
  await cluster.admin.send('DELETE', `${path}?gracePeriodSeconds=0`);
  return answer;
}

function ephemeralContainersOf({ kind, spec }: ApiObject): readonly unknown[] {
  const list = kind === 'Pod' && isObject(spec) ? spec.ephemeralContainers : [];
  return Array.isArray(list) ? list : [];
}

function verdictOf(object: ApiObject): Verdict {
  const failing = evaluator.evaluate(object).findings.filter(({ status }) => status === 'fail');
  const byRule = Map.groupBy(failing, ({ rule_id }) => rule_id);
  return new Map([...byRule].map(([rule, findings]) => [rule, sorted(findings.map(({ message }) => message))]));
}

/** The rules that have a policy which says all of them about such an object. */
function rulesFor(object: ApiObject): Set<string> {
  const ofKind = new RegExp(`(^|/)${object.kind}( |$)`);
  const hasEphemeral = ephemeralContainersOf(object).length > 0;
  const whole = exported.policies.filter(
    ({ policy, omitted }) =>
      !omitted.some(({ targets }) => targets.some((target) => ofKind.test(target))) &&
      (!hasEphemeral || JSON.stringify(policy.spec).includes('pods/ephemeralcontainers')),
  );
  return new Set(whole.map(({ rule }) => rule));
}

/** By audit identifier of the request, what the policies have written into the audit log. */
async function loggedVerdicts(ids: readonly string[]): Promise<Map<string, Verdict>> {
  const logged = new Map<string, Verdict>();
  const read = () => {
    for (const { auditID, annotations = {} } of cluster.auditLog()) logged.set(auditID, violationsIn(annotations));
    return ids.every((id) => logged.has(id));
  };
  // A long log takes a while to read.
  await expect.poll(read, { timeout: 60_000 }).toBe(true);
  return logged;
}

function violationsIn(annotations: { [name: string]: string }): Verdict {
  const texts = Map.groupBy(Object.entries(annotations), ([name]) => /^bylaw-([^/]+)\//.exec(name)?.[1]?.toUpperCase() ?? '');
  texts.delete('');
  return new Map([...texts].map(([rule, entries]) => [rule, sorted(entries.map(([, text]) => text))]));
}

/** Policies join their messages, have the containers of a Pod in another order, and say the same once. */
function sorted(messages: readonly string[]): string[] {
  return [...new Set(messages.flatMap((message) => message.split('; ')))].sort();
}
