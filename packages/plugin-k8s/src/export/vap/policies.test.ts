import { isFileGroup, type JsonObject } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';
import { exportPolicies } from './export-policies.js';
import { checkFunction } from './lower/functions.js';
import { asAdmitted, exampleCases, messagesOf, OPTIONS, violationsIn } from './policy.test-support.js';
import { readTerm } from './term/read-term.js';
import { operandsOf, type Term } from './term/term.js';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });

/** With settings under which every rule applies to something. */
const SETTINGS = { k8s: { allowed_registries: ['registry.example.com', 'ghcr.io/acme'] } };
const { policies, skipped } = exportPolicies(catalogue.rules, catalogue, SETTINGS, OPTIONS);

describe('the policies of the rules', () => {
  it('say nine of ten rules that look at one object at a time', () => {
    const alone = catalogue.rules.filter(({ targets }) => targets.some((target) => !target.endsWith('+set') && !isOfFile(target)));
    expect(policies.length).toBeGreaterThan(alone.length * 0.9);
    expect(policies.length + skipped.length).toBe(catalogue.rules.length);
  });

  it('are the same for the same rules', () => {
    expect(exportPolicies(catalogue.rules, catalogue, SETTINGS, OPTIONS)).toEqual({ policies, skipped });
  });

  it.each(policies.map((one) => [one.rule, one.policy, one.binding] as const))('%s keeps the bounds of the API', (_, policy, binding) => {
    expect(policy.metadata.name).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,251}[a-z0-9])?$/);
    expect(binding.spec.policyName).toBe(policy.metadata.name);
    // etcd takes 1.5 MiB, a parser of the API server 100,000 characters and 250 levels.
    expect(JSON.stringify(policy).length).toBeLessThan(64 * 1024);
    for (const { expression } of policy.spec.variables) expect(expression.length).toBeLessThan(32 * 1024);
    for (const { message, messageExpression } of policy.spec.validations) {
      expect(message).not.toMatch(/[\r\n]/);
      expect(messageExpression.length).toBeLessThan(5 * 1024);
    }
    for (const { valueExpression } of policy.spec.auditAnnotations) expect(valueExpression.length).toBeLessThan(5 * 1024);
    expect(new Set(policy.spec.matchConditions.map(({ name }) => name)).size).toBe(policy.spec.matchConditions.length);
  });

  it.each(policies.map((one) => [one.rule, one.policy] as const))(
    '%s calls only what Kubernetes 1.30 has, and variables that are there',
    (_, policy) => {
      const known = new Set<string>();
      for (const { name, expression } of policy.spec.variables) {
        check(readTerm(expression), known);
        known.add(name);
      }
      // Of a match condition the API server refuses variables.
      for (const { expression } of policy.spec.matchConditions) check(readTerm(expression), new Set());
      for (const { expression, messageExpression } of policy.spec.validations) {
        check(readTerm(expression), known);
        check(readTerm(messageExpression), known);
      }
    },
  );
});

/** Whether a target is a configuration file, such as `kubeadm.k8s.io/ClusterConfiguration`. */
function isOfFile(target: string): boolean {
  const [group = '', kind] = target.split('/');
  return kind !== undefined && isFileGroup(group);
}

function check(term: Term, variables: ReadonlySet<string>): void {
  if (term.is === 'call') checkFunction(term, new Map());
  if (term.is === 'name')
    expect(['podSpec', 'podMetadata', 'config', 'constants', 'live', 'objectNamespace', 'cel']).not.toContain(term.name);
  if (term.is === 'bind') throw new Error('a bind is left');
  if (term.is === 'member' && term.of.is === 'name' && term.of.name === 'variables') expect(variables).toContain(term.name);
  for (const operand of operandsOf(term)) check(operand, variables);
}

describe('a policy says of the examples of its rule what the engine says', () => {
  const cases = exampleCases(catalogue);

  it.each(catalogue.rules.map((rule) => [rule.id]))('%s', async (id) => {
    for (const one of cases.filter(({ rule }) => rule.id === id)) {
      const object = asAdmitted(one.object);
      const expected = await messagesOf(one.rule, catalogue, object, one.config);
      const said = (violationsIn(one.policy, object) ?? []).join('; ');
      for (const message of expected) expect(asSaid(said), JSON.stringify(object)).toContain(asSaid(message));
      if (expected.length === 0) expect(said, JSON.stringify(object)).toBe('');
    }
  });
});

/** The API server writes the items of a list without quotes, and line breaks as they are. */
function asSaid(message: string): string {
  return message.replaceAll('"', '').replaceAll('\\n', '\n');
}

describe('what a policy does not look at', () => {
  const policyOfRule = (id: string) => policies.find(({ rule }) => rule === id)?.policy ?? fail();
  const pod = (spec: object, metadata: object = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { containers: [{ name: 'app', securityContext: { privileged: true } }], ...spec },
  });

  it('is what the controllers of workloads make: it was evaluated with its owner', () => {
    expect(violationsIn(policyOfRule('CS-001'), pod({}))).toEqual(['container app runs privileged']);
    expect(violationsIn(policyOfRule('CS-001'), pod({}), { username: OPTIONS.controllers[0] ?? '' })).toBeUndefined();
  });

  it('is an update of what it does not read, as of labels and finalizers', () => {
    const labelled = pod({}, { labels: { a: 'b' }, finalizers: [] });
    expect(violationsIn(policyOfRule('CS-001'), labelled, { oldObject: pod({}) })).toBeUndefined();
    expect(violationsIn(policyOfRule('CS-001'), pod({ hostPID: true }), { oldObject: pod({}) })).toEqual(['container app runs privileged']);
  });

  it('is an owner that anybody can write on a Pod', () => {
    const owned = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'x', uid: '1', controller: true }] };
    const volumes = [{ name: 'a', hostPath: { path: '/var/lib/kubelet/device-plugins' } }];
    expect(violationsIn(policyOfRule('CS-056'), pod({ volumes }, owned))).toHaveLength(1);
    expect(violationsIn(policyOfRule('CS-096'), pod({}, owned))).toHaveLength(1);
  });
});

describe('a policy fails closed', () => {
  it('but where it searches texts of any length, which can cost more than the API server allows', () => {
    const open = policies.filter(({ policy }) => policy.spec.failurePolicy === 'Ignore').map(({ rule }) => rule);
    expect(open).toEqual(['SP-009', 'SP-012', 'SP-017', 'SP-043', 'SP-044']);
  });
});

function fail(): never {
  throw new Error('there is no such policy');
}
