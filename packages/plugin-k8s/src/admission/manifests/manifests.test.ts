import { createEvaluator } from '@bylaw/core/cel';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { reportOf } from '@bylaw/core/report';
import { getPointer, type JsonObject, type JsonValue } from '@bylaw/core/resource';
import { describe, expect, it } from 'vitest';
import { SHIPPED } from '../review/review.test-support.js';
import { webhookManifests } from './manifests.js';
import type { ManifestOptions } from './options.js';
import { MATCH_CONDITIONS } from './webhook-configuration.js';
import { webhookRules } from './webhook-rules.js';

const OPTIONS: ManifestOptions = {
  namespace: 'bylaw-system',
  createNamespace: true,
  image: `registry.example.com/bylaw:0.1.0@sha256:${'7f3a'.repeat(16)}`,
  replicas: 2,
  mode: 'enforce',
  denyOn: 'HIGH',
  failClosed: false,
  namespaceLabels: false,
  secrets: false,
};

const CONTROLLER = 'system:serviceaccount:kube-system:deployment-controller';

function manifests(more: Partial<ManifestOptions> = {}): JsonObject[] {
  return webhookManifests({ ...OPTIONS, ...more }, SHIPPED) as JsonObject[]; // plain JSON
}

function allOf(kind: string, more: Partial<ManifestOptions> = {}): JsonObject[] {
  return manifests(more).filter((object) => object.kind === kind);
}

/** A value of the only object of a kind. */
function value(kind: string, pointer: string, more: Partial<ManifestOptions> = {}): JsonValue | undefined {
  const found = allOf(kind, more);
  expect(found).toHaveLength(1);
  return getPointer(found[0] ?? {}, pointer);
}

/** A certificate as the PEM in base64 that the API server expects, as far as a rule can tell. */
const CA_BUNDLE = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');

const CONTAINER = '/spec/template/spec/containers/0';
const CONFIGURATION = 'ValidatingWebhookConfiguration';

describe('the manifests of the webhook', () => {
  it.each<[string, Partial<ManifestOptions>]>([
    ['as they are', {}],
    ['that fail closed', { failClosed: true }],
    ['with modes by label, and secrets', { namespaceLabels: true, secrets: true }],
    ['with a bundle of authorities, in another namespace', { caBundle: CA_BUNDLE, namespace: 'policy', createNamespace: false }],
  ])('pass our own rules: %s', async (_what, more) => {
    const engine = createEngine({ catalogue: SHIPPED, clock: fixedClock('2026-11-21') });
    const { findings, errors } = await reportOf(engine.evaluate({ inputs: [{ file: 'm', values: manifests(more) }], threads: 0 }));
    expect(errors).toEqual([]);
    expect(findings.filter(({ status }) => status !== 'suppressed').map(({ rule_id, message }) => `${rule_id} ${message}`)).toEqual([]);
  });

  it('are the same for the same options', () => {
    expect(JSON.stringify(manifests())).toBe(JSON.stringify(manifests()));
  });

  it('hold together: names, ports, labels and accounts fit', () => {
    const name = value('Service', '/metadata/name');
    expect(value(CONFIGURATION, '/webhooks/0/clientConfig/service')).toEqual({
      name,
      namespace: 'bylaw-system',
      port: 443,
      path: '/api/v1/webhook',
    });
    expect(value('Service', '/spec/ports/0')).toMatchObject({ port: 443, targetPort: value('Deployment', `${CONTAINER}/ports/0/name`) });
    expect(value('Deployment', `${CONTAINER}/args`)).toContain(String(value('Deployment', `${CONTAINER}/ports/0/containerPort`)));
    const labels = value('Deployment', '/spec/template/metadata/labels');
    expect(labels).toMatchObject(Object(value('Service', '/spec/selector')));
    expect(labels).toMatchObject(Object(value('Deployment', '/spec/selector/matchLabels')));
    expect(labels).toMatchObject(Object(value('PodDisruptionBudget', '/spec/selector/matchLabels')));
    expect(value('Deployment', '/spec/template/spec/serviceAccountName')).toBe(value('ServiceAccount', '/metadata/name'));
    expect(value('Deployment', '/spec/template/spec/priorityClassName')).toBe(value('PriorityClass', '/metadata/name'));
    const serving = allOf('Certificate').find((certificate) => getPointer(certificate, '/spec/isCA') === undefined) ?? {};
    expect(getPointer(serving, '/spec/dnsNames/0')).toBe(`${name}.bylaw-system.svc`);
    const secretName = getPointer(serving, '/spec/secretName');
    expect(value('Deployment', '/spec/template/spec/volumes')).toContainEqual({ name: 'tls', secret: { secretName, defaultMode: 0o440 } });
  });

  it('replace the Pods when the configuration changes', () => {
    const checksum = (more: Partial<ManifestOptions>) => value('Deployment', '/spec/template/metadata/annotations', more);
    expect(checksum({})).toEqual(checksum({ replicas: 5 }));
    expect(checksum({})).not.toEqual(checksum({ mode: 'warn' }));
  });

  it('look at the registry each time for an image that has no digest', () => {
    const policy = (image: string) => value('Deployment', `${CONTAINER}/imagePullPolicy`, { image });
    expect([policy(OPTIONS.image), policy('registry.example.com/bylaw:0.1.0')]).toEqual(['IfNotPresent', 'Always']);
  });

  it('leave out the namespace, and what is about all of it, where it is there already', () => {
    const names = manifests({ createNamespace: false }).map((object) => `${object.kind} ${getPointer(object, '/metadata/name')}`);
    expect(names).not.toContain('Namespace bylaw-system');
    expect(names).not.toContain('NetworkPolicy default-deny');
    expect(names).toContain('NetworkPolicy bylaw-webhook');
  });
});

describe('the API server', () => {
  const file = (more: Partial<ManifestOptions> = {}) => value('ConfigMap', '/data/bylaw.yaml', more);

  it('goes on without the webhook, unless it is to fail closed', () => {
    const webhook = { sideEffects: 'None', matchPolicy: 'Equivalent', timeoutSeconds: 5 };
    expect(value(CONFIGURATION, '/webhooks/0')).toMatchObject({ ...webhook, failurePolicy: 'Ignore' });
    expect(file()).toContain('fail: allowed');
    expect(value(CONFIGURATION, '/webhooks/0', { failClosed: true })).toMatchObject({ ...webhook, failurePolicy: 'Fail' });
    expect(file({ failClosed: true })).toContain('fail: denied');
  });

  it('never asks it about kube-system and its own namespace', () => {
    expect(value(CONFIGURATION, '/webhooks/0/namespaceSelector/matchExpressions', { namespace: 'policy' })).toEqual([
      { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'kube-node-lease', 'policy'] },
    ]);
  });

  it('asks it about what the rules look at, and not about Secrets unless it is told to', () => {
    const resources = (secrets: boolean) =>
      webhookRules(SHIPPED, { secrets }).flatMap(({ apiGroups, resources }) => resources.map((resource) => `${resource}.${apiGroups[0]}`));
    expect(value(CONFIGURATION, '/webhooks/0/rules')).toEqual(webhookRules(SHIPPED, { secrets: false }));
    expect(resources(false)).toEqual(
      expect.arrayContaining(['pods.', 'pods/ephemeralcontainers.', 'pods/resize.', 'deployments.apps', 'cronjobs.batch']),
    );
    expect(resources(true).filter((name) => !resources(false).includes(name))).toEqual(['secrets.']);
    // Neither heartbeats nor events: a webhook that fails closed would stop the cluster.
    expect(resources(true).filter((name) => /^(?:leases|events|nodes|\*)\.(?:(?:coordination|events)\.k8s\.io)?$/.test(name))).toEqual([]);
  });

  it('asks it in the mode of the label, where namespaces may choose', () => {
    const part = (pointer: string) => [0, 1, 2].map((at) => value(CONFIGURATION, `/webhooks/${at}${pointer}`, { namespaceLabels: true }));
    expect(part('/name')).toEqual(['enforce.bylaw.dev', 'warn.bylaw.dev', 'audit.bylaw.dev']);
    expect(part('/clientConfig/service/path')).toEqual(['/api/v1/webhook/enforce', '/api/v1/webhook/warn', '/api/v1/webhook/audit']);
    expect(part('/namespaceSelector/matchExpressions/1')).toEqual([
      { key: 'bylaw.dev/mode', operator: 'NotIn', values: ['warn', 'audit'] },
      { key: 'bylaw.dev/mode', operator: 'In', values: ['warn'] },
      { key: 'bylaw.dev/mode', operator: 'In', values: ['audit'] },
    ]);
    expect(file({ namespaceLabels: true })).toContain('open_paths: [/api/v1/webhook/enforce, /api/v1/webhook/warn, /api/v1/webhook/audit]');
  });

  it('trusts what cert-manager injects, or the bundle that is given', () => {
    const annotations = (more: Partial<ManifestOptions>) => value(CONFIGURATION, '/metadata/annotations', more);
    const bundle = (more: Partial<ManifestOptions>) => value(CONFIGURATION, '/webhooks/0/clientConfig/caBundle', more);
    expect(annotations({})).toMatchObject({ 'cert-manager.io/inject-ca-from': 'bylaw-system/bylaw-webhook' });
    expect(bundle({})).toBeUndefined();
    expect(annotations({ caBundle: 'LS0t' })).not.toHaveProperty(['cert-manager.io/inject-ca-from']);
    expect(bundle({ caBundle: 'LS0t' })).toBe('LS0t');
    expect([...allOf('Issuer', { caBundle: 'LS0t' }), ...allOf('Certificate', { caBundle: 'LS0t' })]).toEqual([]);
  });

  it.each<[string, object, boolean]>([
    ['a user creates', { request: request('CREATE', 'alice'), object: {}, oldObject: null }, true],
    ['a node mirrors a static Pod', { request: request('CREATE', 'system:node:a', ['system:nodes']), object: {}, oldObject: null }, false],
    [
      'a controller notes its progress',
      { request: request('UPDATE', CONTROLLER), object: { spec: { a: 1 }, status: 1 }, oldObject: { spec: { a: 1 } } },
      false,
    ],
    [
      'a controller changes what is wanted',
      { request: request('UPDATE', CONTROLLER), object: { spec: { a: 1 } }, oldObject: { spec: { a: 2 } } },
      true,
    ],
    [
      'a controller changes an object without a spec',
      { request: request('UPDATE', CONTROLLER), object: { data: {} }, oldObject: { data: {} } },
      true,
    ],
    ['a user changes labels only', { request: request('UPDATE', 'alice'), object: { spec: {} }, oldObject: { spec: {} } }, true],
  ])('asks, or not, when %s', (_what, scope, asked) => {
    const options = { variables: ['request', 'object', 'oldObject'], maxNodes: 200, maxNesting: 1 };
    const holds = ({ expression }: { expression: string }) =>
      createEvaluator()
        .compile(expression, options)
        .evaluate({ ...scope });
    expect(MATCH_CONDITIONS.every(holds)).toBe(asked);
    expect(value(CONFIGURATION, '/webhooks/0/matchConditions')).toEqual(MATCH_CONDITIONS);
  });
});

function request(operation: string, username: string, groups: string[] = []): object {
  return { operation, userInfo: { username, groups } };
}
