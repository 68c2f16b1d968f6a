import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ROOT, serveBylaw } from '../run-cli.js';
import { type Answer, apiClient } from './api-client.js';
import { WEBHOOK_CLIENT } from './api-server-flags.js';
import { type ApiObject, create, tryStrictly } from './objects.js';
import { deployment, pod } from './shop.js';
import { startCluster, type TestCluster } from './start-cluster.js';

const CONFIG = {
  api: { client_ca: 'authority.crt' },
  webhook: {
    client_names: [WEBHOOK_CLIENT],
    modes: [
      { namespaces: ['lenient'], mode: 'warn' },
      { namespaces: ['silent'], mode: 'audit' },
    ],
    annotation_exceptions: ['trusted'],
  },
};
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** Has findings, but none that denies. */
const PLAIN = { containers: [{ name: 'web', image: 'registry.example/web:1.0', resources: { limits: { memory: '64Mi' } } }] };

let cluster: TestCluster;
let server: Awaited<ReturnType<typeof serveBylaw>>;
let registered = 0;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
  for (const name of ['shop', 'lenient', 'silent', 'trusted']) {
    await create(cluster.admin, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  // Made before there is a webhook.
  await create(cluster.admin, deployments('shop'), deployment('old'));
  server = await serve();
  await register(server.url);
});
afterAll(async () => {
  await server?.stop();
  await cluster?.stop();
});

function serve(port = '0'): ReturnType<typeof serveBylaw> {
  const { cert, key } = cluster.issue({ commonName: 'bylaw', addresses: ['127.0.0.1'] });
  const files = { 'bylaw.yaml': JSON.stringify(CONFIG), 'authority.crt': cluster.authority, 'tls.crt': cert, 'tls.key': key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cluster.folder, name), text);
  return serveBylaw({ cwd: cluster.folder, args: ['--port', port, '--tls-cert', 'tls.crt', '--tls-key', 'tls.key'] });
}

/** What `bylaw webhook manifests` prints. */
async function printed(...flags: string[]): Promise<ApiObject[]> {
  const args = [join(ROOT, 'bin', 'run.js'), 'webhook', 'manifests', '--image', 'registry.example/bylaw:1.0', ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return parseAllDocuments(stdout).map((document): ApiObject => document.toJS());
}

/** Has the API server ask the webhook as the printed configuration says, in place of any before. Resolves when it does. */
async function register(url: string, ...flags: string[]): Promise<void> {
  registered += 1;
  const configuration = (await printed(...flags)).find(isConfiguration);
  // There is no network of Services here.
  const webhooks = configuration?.webhooks.map(({ name, clientConfig, ...webhook }) => ({
    ...webhook,
    name: `${nickname()}.${name}`,
    clientConfig: { url: `${url}${clientConfig.service.path}`, caBundle: btoa(cluster.authority) },
  }));
  await cluster.admin.send('DELETE', `${CONFIGURATIONS}/bylaw`);
  await cluster.admin.send('POST', CONFIGURATIONS, { body: { ...configuration, metadata: { name: 'bylaw' }, webhooks } });
  while (!(await tryPod('shop')).text.includes(nickname())) await new Promise((resolve) => setTimeout(resolve, 50));
}

interface Configuration extends ApiObject {
  webhooks: { name: string; clientConfig: { service: { path: string } } }[];
}

function isConfiguration(object: ApiObject): object is Configuration {
  return object.kind === 'ValidatingWebhookConfiguration';
}

/** In the name of each webhook, so that an answer tells which configuration it is from. */
function nickname(): string {
  return `try-${registered}`;
}

function tryPod(namespace: string, spec?: object, metadata: object = {}): Promise<Answer> {
  const object = pod('try', spec);
  const body = { ...object, metadata: { ...object.metadata, ...metadata } };
  return cluster.admin.send('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, { body });
}

function deployments(namespace: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

describe('the webhook behind a real API server', () => {
  it('denies, and says by which rule, why, and how to mend it', async () => {
    const { status, body } = await cluster.admin.send('POST', '/api/v1/namespaces/shop/pods', { body: pod('evil') });
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining(`admission webhook "${nickname()}.validate.bylaw.dev" denied the request`),
    ]);
    expect(body.message).toContain('- CS-001 CRITICAL');
    expect(body.message).toContain('Remove privileged');
    expect((await cluster.admin.send('GET', '/api/v1/namespaces/shop/pods/evil')).status).toBe(404);
  });

  it('denies the template of a Deployment', async () => {
    const { status, body } = await cluster.admin.send('POST', deployments('shop'), { body: deployment('evil') });
    expect([status, body.message]).toEqual([403, expect.stringContaining('CS-001')]);
  });

  it('lets through what has lesser findings, and warns', async () => {
    const { status, warnings } = await tryPod('shop', PLAIN);
    expect([status, warnings[0]]).toEqual([201, expect.stringMatching(/^[A-Z]{2}-\d+ MEDIUM: /)]);
    for (const warning of warnings) expect(warning).toMatch(/^[ -~]{1,256}$/);
  });

  it('creates what it lets through', async () => {
    const made = await cluster.admin.send('POST', '/api/v1/namespaces/shop/pods', { body: pod('good', PLAIN) });
    expect([made.status, made.warnings.length > 0]).toEqual([201, true]);
    expect((await cluster.admin.send('GET', '/api/v1/namespaces/shop/pods/good')).status).toBe(200);
  });

  it('lets an object that was there be changed, as long as the change brings no new finding', async () => {
    const path = `${deployments('shop')}/old`;
    const patch = (spec: object) =>
      cluster.admin.send('PATCH', path, {
        body: { spec: { template: { spec } } },
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
      });
    const harmless = await patch({ terminationGracePeriodSeconds: 5 });
    expect([harmless.status, harmless.warnings.join()]).toEqual([200, expect.stringContaining('CS-001')]);
    const worse = await patch({ hostPID: true });
    expect([worse.status, worse.body.message]).toEqual([403, expect.stringContaining('hostPID')]);
    expect(worse.body.message).not.toContain('CS-001');
  });

  it('lets objects be scaled and removed, whatever they are', async () => {
    const path = `${deployments('shop')}/old`;
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'old', namespace: 'shop' }, spec: { replicas: 3 } };
    expect((await cluster.admin.send('PUT', `${path}/scale`, { body: scale })).status).toBe(200);
    expect((await cluster.admin.send('DELETE', path)).status).toBe(200);
  });

  it('evaluates containers that are added to a running Pod', async () => {
    await cluster.admin.send('POST', '/api/v1/namespaces/shop/pods', { body: pod('host', PLAIN) });
    const ephemeralContainers = [{ name: 'sh', image: 'registry.example/sh:1.0', securityContext: { privileged: true } }];
    const { status, body } = await cluster.admin.send('PATCH', '/api/v1/namespaces/shop/pods/host/ephemeralcontainers', {
      body: { spec: { ephemeralContainers } },
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
    });
    expect([status, body.message]).toEqual([403, expect.stringContaining('CS-001')]);
  });

  it('only warns in a namespace of that mode, and is silent but for the audit log in another', async () => {
    const lenient = await tryPod('lenient');
    expect([lenient.status, lenient.warnings[0]]).toEqual([201, expect.stringContaining('CS-001')]);
    const silent = await tryPod('silent');
    expect([silent.status, silent.warnings]).toEqual([201, []]);
    const annotationsOf = () => cluster.auditLog().find(({ requestURI }) => requestURI.includes('/namespaces/silent/'))?.annotations ?? {};
    await expect.poll(() => JSON.stringify(annotationsOf())).toContain('CS-001');
    expect(Object.keys(annotationsOf())).toContainEqual(expect.stringContaining(`${nickname()}.`));
  });

  it('is not asked about exempt namespaces', async () => {
    const { status, warnings } = await tryPod('kube-system');
    expect([status, warnings]).toEqual([201, []]);
  });

  it('takes exceptions from objects only where the configuration lets them carry any', async () => {
    const annotations = { 'bylaw.dev/ignore': 'CS-001=the author says so' };
    const [container] = PLAIN.containers;
    const privileged = { containers: [{ ...container, securityContext: { privileged: true } }] };
    expect((await tryPod('shop', privileged, { annotations })).status).toBe(403);
    expect((await tryPod('trusted', privileged, { annotations })).status).toBe(201);
  });

  it('believes the controllers of Kubernetes whose Pod it is, and nobody else', async () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '1', controller: true }];
    expect((await tryPod('shop', undefined, { ownerReferences })).status).toBe(403);
    const controller = cluster.user('system:serviceaccount:kube-system:replicaset-controller', ['system:masters']).client;
    const body = { ...pod('owned'), metadata: { name: 'owned', ownerReferences } };
    expect((await controller.send('POST', '/api/v1/namespaces/shop/pods?dryRun=All', { body })).status).toBe(201);
  });

  it('lets through an object as large as the API server takes', async () => {
    const body: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: { text: 'x'.repeat(1_000_000) } };
    expect((await cluster.admin.send('POST', '/api/v1/namespaces/shop/configmaps', { body })).status).toBe(201);
  });
});

describe('the printed manifests', () => {
  it.each([[[]], [['--fail-closed', '--namespace-labels', '--secrets', '--mode', 'warn']]])(
    'are taken by a real API server, without a warning, with %j',
    async (flags) => {
      const [namespace, ...objects] = await printed(...flags);
      // What is in the namespace is refused without it.
      await cluster.admin.send('POST', '/api/v1/namespaces', { body: namespace });
      for (const object of objects) {
        const { status, warnings, text } = await tryStrictly(cluster.admin, object);
        // cert-manager is not here.
        if (object.apiVersion === 'cert-manager.io/v1') expect(status).toBe(404);
        else expect([status, warnings], text).toEqual([201, []]);
      }
    },
  );
});

describe('labels of namespaces', () => {
  it('choose the mode where that is switched on, and only there', async () => {
    const metadata = { name: 'labelled', labels: { 'bylaw.dev/mode': 'warn' } };
    await create(cluster.admin, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    expect((await tryPod('labelled')).status).toBe(403);
    await register(server.url, '--namespace-labels');
    const { status, warnings } = await tryPod('labelled');
    expect([status, warnings[0]]).toEqual([201, expect.stringContaining('CS-001')]);
  });
});

describe('without a webhook that answers', () => {
  it('all is refused or all let through, as the configuration of the API server says', async () => {
    await register(server.url, '--fail-closed');
    const { port } = new URL(server.url);
    await server.stop();
    const refused = await tryPod('shop', PLAIN);
    expect([refused.status, refused.body.message]).toEqual([500, expect.stringContaining('failed calling webhook')]);
    expect((await tryPod('kube-system', PLAIN)).status).toBe(201);
    server = await serve(port);
    await expect.poll(async () => (await tryPod('shop', PLAIN)).status).toBe(201);
    await register(server.url);
    await server.stop();
    expect((await tryPod('shop')).status).toBe(201);
    server = await serve(port);
    await expect.poll(async () => (await tryPod('shop')).status).toBe(403);
  });
});

describe('someone else who speaks to the webhook', () => {
  it.each([
    ['no certificate', undefined],
    ['the certificate of another user of the cluster', 'ann'],
  ])('is not answered for %s', async (_, commonName) => {
    const client = apiClient(Number(new URL(server.url).port), cluster.authority, commonName ? cluster.issue({ commonName }) : undefined);
    onTestFinished(() => client.close());
    expect((await client.send('POST', '/api/v1/webhook', { body: {} })).status).toBe(401);
  });
});
