import { describe, expect, it } from 'vitest';
import type { WebhookConfig } from '../../config/webhook-section.js';
import type { AdmissionRequest } from './admission-review.js';
import { review } from './review.js';
import {
  CONTAINER,
  catalogueWith,
  deploymentOf,
  PRIVILEGED,
  podOf,
  requestOf,
  reviewerOf,
  type TestObject,
  updateOf,
} from './review.test-support.js';

const answer = (request: AdmissionRequest, settings: Partial<WebhookConfig> = {}) =>
  review(request, undefined, reviewerOf(settings)).response;

describe('what is created', () => {
  it('is denied for what reaches the threshold, with rule, place and remedy; what is below is a warning', () => {
    const { allowed, status, warnings, auditAnnotations, uid } = answer(requestOf(deploymentOf([PRIVILEGED])));
    expect({ allowed, uid }).toEqual({ allowed: false, uid: 'd4a5c1f0-0000-4000-8000-000000000001' });
    expect(status).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(status?.message).toMatch(
      /^1 rule forbids this Deployment:\n- CS-001 CRITICAL Containers do not run privileged: .*\(at \/spec\/template\/spec\/containers\/0\/securityContext\/privileged\)\. Remove privileged/,
    );
    expect(warnings?.[0]).toMatch(/^CS-002 MEDIUM: /);
    expect(auditAnnotations).toMatchObject({
      mode: 'enforce',
      decision: 'denied',
      rules: 'CS-001',
      findings: expect.stringMatching(/^CRITICAL=1 MEDIUM=\d/),
    });
  });

  it('is allowed where nothing reaches it, with warnings', () => {
    const { allowed, status, warnings } = answer(requestOf(podOf([CONTAINER])));
    expect({ allowed, status }).toEqual({ allowed: true, status: undefined });
    expect(warnings?.length).toBeGreaterThan(0);
  });

  it.each<[Partial<WebhookConfig>, boolean]>([
    [{ deny_on: 'CRITICAL' }, true],
    [{ deny_on: 'HIGH' }, false],
    [{ deny_on: 'LOW' }, false],
    [{ deny_on: 'NONE' }, true],
  ])('follows the threshold: with %j a HIGH finding is allowed: %s', (settings, allowed) => {
    const given = answer(requestOf(podOf([CONTAINER], {}, { hostPID: true })), settings);
    expect(given.allowed).toBe(allowed);
    if (allowed) expect(given.warnings?.[0]).toMatch(/^CS-003 HIGH/);
  });

  it('is allowed with a warning if no rule covers its kind', () => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'leader' } };
    expect(answer(requestOf(lease))).toMatchObject({
      allowed: true,
      warnings: ['No rule covers Lease: this object was not checked.'],
      auditAnnotations: { decision: 'warned', unchecked: 'Lease' },
    });
    expect(answer(requestOf(lease), { mode: 'audit' })).toMatchObject({ auditAnnotations: { unchecked: 'Lease' } });
    expect(answer(requestOf(lease), { mode: 'audit' })).not.toHaveProperty('warnings');
  });

  it('warns of nothing below the other threshold', () => {
    expect(answer(requestOf(podOf([CONTAINER])), { warn_on: 'HIGH' }).warnings).toBeUndefined();
    expect(answer(requestOf(podOf([CONTAINER])), { warn_on: 'NONE', deny_on: 'NONE' }).warnings).toBeUndefined();
  });

  it('is evaluated in the namespace that the API server names, but a Namespace is in none', () => {
    const evaluation = { exceptions: [{ rule: 'CS-001', reason: 'r', namespace: 'infra' }] };
    const pod = { ...podOf([PRIVILEGED]), metadata: { generateName: 'web-' } };
    expect(review(requestOf(pod, { namespace: 'infra' }), undefined, reviewerOf({}, evaluation)).response).toMatchObject({
      allowed: true,
      auditAnnotations: { suppressed: '1' },
    });
    expect(review(requestOf(pod, { namespace: 'shop' }), undefined, reviewerOf({}, evaluation)).response.allowed).toBe(false);
    const rule = catalogueWith({ id: 'XX-001', severity: 'HIGH', targets: ['Namespace'], expression: 'objectNamespace != "own"' });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'own' } };
    expect(review(requestOf(namespace, { namespace: 'own' }), undefined, reviewerOf({}, {}, rule)).response.allowed).toBe(true);
  });

  it('is the same whether it is a dry run, which the log tells', () => {
    const { response, log } = review(requestOf(podOf([PRIVILEGED]), { dryRun: true }), undefined, reviewerOf());
    expect(response).toEqual(answer(requestOf(podOf([PRIVILEGED]))));
    expect(log).toEqual({
      decision: 'denied',
      mode: 'enforce',
      operation: 'CREATE',
      kind: 'Pod',
      namespace: 'shop',
      name: 'web',
      dry_run: true,
      rules: 'CS-001',
      findings: expect.any(String),
    });
  });

  it('never has its secrets repeated', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, stringData: { password: 'hunter2-hunter2' } };
    const env = [{ name: 'AWS_SECRET_ACCESS_KEY', value: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz' }];
    for (const object of [secret, podOf([{ ...CONTAINER, env }])]) {
      const given = JSON.stringify(review(requestOf(object), undefined, reviewerOf({ deny_on: 'INFO' })));
      expect(given).not.toMatch(/hunter2|wJalr/);
    }
  });
});

describe('the mode', () => {
  const modes: WebhookConfig['modes'] = [
    { namespaces: ['dev-*', 'sandbox'], mode: 'warn' },
    { namespaces: ['kube-*'], mode: 'audit' },
  ];

  it.each([
    ['shop', 'enforce'],
    ['dev-a', 'warn'],
    ['sandbox', 'warn'],
    ['kube-system', 'audit'],
    ['', 'enforce'],
  ])('of the namespace %j is %s', (namespace, mode) => {
    expect(answer(requestOf(podOf([PRIVILEGED]), { namespace }), { modes }).auditAnnotations?.mode).toBe(mode);
  });

  it('warn allows all, and warns of what would be denied first', () => {
    const { allowed, warnings, auditAnnotations } = answer(requestOf(podOf([PRIVILEGED])), { mode: 'warn' });
    expect(allowed).toBe(true);
    expect(warnings?.[0]).toMatch(/^CS-001 CRITICAL: /);
    expect(auditAnnotations).toMatchObject({ decision: 'warned', rules: 'CS-001' });
  });

  it('audit allows all, and leaves word in the logs only', () => {
    const { response, log } = review(requestOf(podOf([PRIVILEGED])), undefined, reviewerOf({ mode: 'audit' }));
    expect(response).toMatchObject({ allowed: true, auditAnnotations: { mode: 'audit', decision: 'allowed', rules: 'CS-001' } });
    expect(response.warnings).toBeUndefined();
    expect(log).toMatchObject({ decision: 'allowed', rules: 'CS-001' });
  });

  it('that the address asks for wins', () => {
    expect(review(requestOf(podOf([PRIVILEGED])), 'warn', reviewerOf({ mode: 'enforce' })).response.allowed).toBe(true);
    expect(review(requestOf(podOf([PRIVILEGED])), 'enforce', reviewerOf({ mode: 'audit' })).response.allowed).toBe(false);
  });
});

describe('what brings no manifest', () => {
  const pod = podOf([PRIVILEGED]);
  it.each<[string, Partial<AdmissionRequest>, string]>([
    ['a deletion', { operation: 'DELETE', object: undefined }, 'a DELETE request contains no manifest'],
    ['a connection', { operation: 'CONNECT', subResource: 'exec' }, 'a CONNECT request contains no manifest'],
    ['a scale', { operation: 'UPDATE', subResource: 'scale' }, 'the subresource scale contains no manifest'],
    ['a status', { operation: 'UPDATE', subResource: 'status' }, 'the subresource status contains no manifest'],
    ['a binding', { subResource: 'binding' }, 'the subresource binding contains no manifest'],
    ['an eviction', { subResource: 'eviction' }, 'the subresource eviction contains no manifest'],
  ])('is allowed, and says why it was not evaluated: %s', (_what, more, skipped) => {
    expect(answer(requestOf(pod, more))).toEqual({
      uid: 'd4a5c1f0-0000-4000-8000-000000000001',
      allowed: true,
      auditAnnotations: { mode: 'enforce', decision: 'allowed', skipped },
    });
  });
});

describe('an update', () => {
  const before = deploymentOf([PRIVILEGED]);
  const scaled = { ...before, spec: { ...(before.spec as object), replicas: 5 } };

  it('is allowed where it brings nothing new, and warns of what was there', () => {
    const { allowed, warnings, auditAnnotations } = answer(updateOf(before, scaled));
    expect(allowed).toBe(true);
    expect(warnings?.[0]).toMatch(/^CS-001 CRITICAL: /);
    expect(Number(auditAnnotations?.known)).toBeGreaterThan(1);
  });

  it('is denied for what it brings: another container, or the same finding in other words', () => {
    const other = { ...PRIVILEGED, name: 'other' };
    const { status } = answer(updateOf(before, deploymentOf([PRIVILEGED, other])));
    expect(status?.message).toMatch(/containers\/1\/securityContext/);
    expect(status?.message).not.toMatch(/containers\/0/);
    const image = { path: '/image', message: '"from " + container.image' };
    const rule = catalogueWith({ id: 'XX-001', severity: 'HIGH', targets: ['Pod'], each: 'containers', expression: 'false', ...image });
    const from = (name: string) => podOf([{ ...CONTAINER, image: name }]);
    const moved = (old: string, next: string) => review(updateOf(from(old), from(next)), undefined, reviewerOf({}, {}, rule)).response;
    expect(moved('a', 'a').allowed).toBe(true);
    expect(moved('a', 'b').allowed).toBe(false);
    // A container keeps its findings wherever it is in the list.
    expect(
      answer(updateOf(before, deploymentOf([CONTAINER, PRIVILEGED].map((one, i) => ({ ...one, name: ['new', 'app'][i] }))))).allowed,
    ).toBe(true);
  });

  it('is denied for what was there, too, where only_new_findings is off', () => {
    expect(answer(updateOf(before, scaled), { only_new_findings: false }).allowed).toBe(false);
  });

  it.each<[string, object]>([
    ['labels', { metadata: { name: 'web', namespace: 'shop', labels: { a: 'b' }, annotations: { c: 'd' } } }],
    ['status', { status: { replicas: 1 } }],
  ])('of %s only is never denied for what was there', (_what, change) => {
    expect(answer(updateOf(before, { ...before, ...change }), { only_new_findings: false }).allowed).toBe(true);
  });

  it('of metadata only is denied for what it brings', () => {
    const rule = catalogueWith({ id: 'XX-001', severity: 'HIGH', targets: ['Pod'], expression: '"team" in object.metadata.labels' });
    const labelled = podOf([CONTAINER], { labels: { team: 'a' } });
    const evaluated = (old: TestObject, object: TestObject) =>
      review(updateOf(old, object), undefined, reviewerOf({}, {}, rule)).response.allowed;
    expect(evaluated(labelled, podOf([CONTAINER], { labels: {} }))).toBe(false);
    expect(evaluated(podOf([CONTAINER], { labels: {} }), podOf([CONTAINER], { labels: { b: 'c' } }))).toBe(true);
  });

  it('that takes an exception away counts as new', () => {
    const ignored = podOf([PRIVILEGED], { annotations: { 'bylaw.dev/ignore': 'CS-001=needed' } });
    const settings = { annotation_exceptions: ['shop'] };
    expect(answer(requestOf(ignored), settings).allowed).toBe(true);
    expect(answer(updateOf(ignored, podOf([PRIVILEGED])), settings).allowed).toBe(false);
  });

  it('of an object that is being deleted may end its deletion, and do nothing else', () => {
    const deleted = { deletionTimestamp: '2026-11-21T00:00:00Z', finalizers: ['x/y'] };
    const old = deploymentOf([PRIVILEGED], deleted);
    const freed = deploymentOf([PRIVILEGED], { ...deleted, finalizers: [] });
    expect(answer(updateOf(old, freed), { only_new_findings: false }).auditAnnotations?.skipped).toMatch(/being deleted/);
    expect(answer(updateOf(deploymentOf([CONTAINER], deleted), old)).allowed).toBe(false);
  });

  it.each(['ephemeralcontainers', 'resize'])('through %s is evaluated', (subResource) => {
    const old = podOf([CONTAINER]);
    const debugged = podOf([CONTAINER], {}, { ephemeralContainers: [{ ...PRIVILEGED, name: 'debug' }] });
    const { status } = answer(updateOf(old, debugged, { subResource }));
    expect(status?.message).toContain('(at /spec/ephemeralContainers/0/securityContext/privileged)');
    expect(
      answer(
        updateOf(podOf([PRIVILEGED]), podOf([PRIVILEGED], {}, { ephemeralContainers: [{ ...CONTAINER, name: 'd' }] }), { subResource }),
      ).allowed,
    ).toBe(true);
  });
});

describe('what a controller makes', () => {
  const controller = { username: 'system:serviceaccount:kube-system:replicaset-controller' };
  const owner = (kind: string, apiVersion = 'apps/v1') => ({
    ownerReferences: [{ apiVersion, kind, name: 'web', uid: 'u', controller: true }],
  });
  const owned = podOf([PRIVILEGED], owner('ReplicaSet'));

  it('of a workload that was evaluated is not evaluated again', () => {
    expect(answer(requestOf(owned, controller))).toMatchObject({
      allowed: true,
      auditAnnotations: { skipped: expect.stringMatching(/a Kubernetes controller/) },
    });
    expect(answer(requestOf(owned, controller), { judge_owned: true }).allowed).toBe(false);
    expect(answer(requestOf(owned, controller), { controllers: [] }).allowed).toBe(false);
  });

  it('is evaluated when anyone else says that he is one', () => {
    expect(answer(requestOf(owned)).allowed).toBe(false);
    expect(answer(requestOf(owned, { username: 'system:serviceaccount:shop:replicaset-controller' })).allowed).toBe(false);
  });

  it.each([
    ['of another kind', owner('Rollout', 'argoproj.io/v1alpha1')],
    ['of a kind that only has the name of a workload', owner('Deployment', 'example.com/v1')],
    ['that is not the controller', { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u' }] }],
    ['that is none', {}],
    ['of a wrong form', { ownerReferences: 'ReplicaSet' }],
  ])('is evaluated where its owner is one %s', (_what, metadata) => {
    expect(answer(requestOf(podOf([PRIVILEGED], metadata), controller)).allowed).toBe(false);
  });

  it('is believed about its owner by rules; nobody else is', () => {
    const spared = catalogueWith({
      id: 'XX-001',
      severity: 'HIGH',
      targets: ['Pod'],
      expression: 'object.?metadata.?ownerReferences.hasValue()',
    });
    const evaluated = (more: Partial<AdmissionRequest>) =>
      review(requestOf(owned, more), undefined, reviewerOf({ judge_owned: true }, {}, spared)).response;
    expect(evaluated(controller).allowed).toBe(true);
    expect(evaluated({}).allowed).toBe(false);
  });
});

describe('exceptions', () => {
  const ignored = podOf([PRIVILEGED], { annotations: { 'bylaw.dev/ignore': 'CS-001=needed; CS-002' } });

  it('on the object count only in the namespaces that the configuration names', () => {
    expect(answer(requestOf(ignored)).allowed).toBe(false);
    expect(answer(requestOf(ignored), { annotation_exceptions: ['infra', 'shop-*'] }).allowed).toBe(false);
    const { allowed, auditAnnotations, warnings } = answer(requestOf(ignored), { annotation_exceptions: ['sh?p'] });
    expect({ allowed, suppressed: auditAnnotations?.suppressed }).toEqual({ allowed: true, suppressed: '1' });
    expect(warnings?.at(-1)).toMatch(/CS-002 has no reason and is ignored/);
  });

  it('do not count for the namespace that the object names, when the API server names another', () => {
    const lying = { ...ignored, metadata: { ...ignored.metadata, namespace: 'infra' } };
    expect(answer(requestOf(lying, { namespace: 'shop' }), { annotation_exceptions: ['infra'] }).allowed).toBe(false);
  });
});

describe('what cannot be evaluated', () => {
  const throwing = catalogueWith({ id: 'XX-001', severity: 'HIGH', targets: ['Pod'], expression: 'object.spec.nothing == 1' });
  const deep = () => {
    let value: object = {};
    for (let depth = 0; depth < 200; depth++) value = { value };
    return { apiVersion: 'example.com/v1', kind: 'Deep', metadata: { name: 'a' }, value };
  };

  it('by a rule that would deny, is denied unless the configuration says otherwise', () => {
    const evaluated = (settings: Partial<WebhookConfig>) =>
      review(requestOf(podOf([CONTAINER])), undefined, reviewerOf(settings, {}, throwing)).response;
    expect(evaluated({}).status?.message).toMatch(/XX-001 HIGH A title: The rule could not be evaluated/);
    expect(evaluated({ unjudged: 'allowed' })).toMatchObject({ allowed: true, warnings: [expect.stringMatching(/^XX-001 HIGH/)] });
    expect(evaluated({ deny_on: 'CRITICAL' }).allowed).toBe(true);
  });

  it('at all, is denied unless the configuration or the mode says otherwise', () => {
    expect(answer(requestOf(deep()))).toMatchObject({
      allowed: false,
      status: { code: 403, message: expect.stringMatching(/^This object cannot be checked: .*nested more than/) },
      auditAnnotations: { unjudged: expect.any(String) },
    });
    const warned = { allowed: true, warnings: [expect.stringMatching(/^This object was allowed without a check/)] };
    expect(answer(requestOf(deep()), { unjudged: 'allowed' })).toMatchObject(warned);
    expect(answer(requestOf(deep()), { mode: 'warn' })).toMatchObject(warned);
    expect(answer(requestOf(deep()), { mode: 'audit' })).not.toHaveProperty('warnings');
  });
});
