import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Cluster, connect, inform, type KubernetesObject, type ServedKind } from '../../packages/plugin-k8s/src/cluster/index.js';
import { folderOf } from '../run-cli.js';
import { create } from './objects.js';
import { clusterRole, grant } from './rbac.js';
import { createShop } from './shop.js';
import { startCluster, type TestCluster } from './start-cluster.js';

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
  await createShop(cluster.admin);
});
afterAll(() => cluster?.stop());

async function connection(): Promise<Cluster> {
  const { kubeconfig } = cluster.user('root', ['system:masters']);
  const connected = await connect({ kubeconfig, env: {} });
  onTestFinished(() => connected.close());
  return connected;
}

async function servedKind(connected: Cluster, name: string): Promise<ServedKind> {
  const { kinds } = await connected.discover();
  const found = kinds.find(({ kind }) => kind === name);
  if (!found) throw new Error(`${name} is not served`);
  return found;
}

function configMap(name: string, data: object = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function names(objects: readonly KubernetesObject[]): unknown[] {
  return objects.map(({ metadata }) => metadata?.name);
}

describe('the connection to a real API server', () => {
  it('can list every kind that it says can be listed', async () => {
    const connected = await connection();
    const { kinds, failed } = await connected.discover();
    expect(failed).toEqual([]);
    const listed = kinds.filter(({ verbs }) => verbs.includes('list'));
    expect(listed.length).toBeGreaterThan(40);
    for (const kind of listed) {
      for await (const { objects } of connected.list(kind)) {
        for (const object of objects) expect(object).toMatchObject({ kind: kind.kind, apiVersion: expect.stringContaining(kind.version) });
      }
    }
  });

  it('knows a workload by the account that Kubernetes mounts into it', async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader' } };
    await create(cluster.admin, '/api/v1/namespaces/shop/serviceaccounts', account);
    const role = clusterRole('reads-pods', [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    await grant(cluster.admin, role, 'system:serviceaccount:shop:reader');
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { body } = await cluster.admin.send('POST', '/api/v1/namespaces/shop/serviceaccounts/reader/token', { body: request });
    const folder = folderOf({ token: body.status.token, 'ca.crt': cluster.authority, namespace: 'shop' });
    const { hostname, port } = new URL(cluster.url);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const connected = await connect({ env, serviceAccountFolder: folder });
    onTestFinished(() => connected.close());
    const pages = await Array.fromAsync(connected.list(await servedKind(connected, 'Pod'), { namespace: 'shop' }));
    expect(names(pages.flatMap(({ objects }) => objects))).toEqual(['debug', 'nightly-1-k9k', 'web-5d8f-x2x']);
    expect(connected.context).toBeNull();
  });

  it('goes on with a list whose revision was forgotten: nothing comes twice, nothing that stayed is missing', async () => {
    const all = Array.from({ length: 1_250 }, (_, index) => `entry-${String(index).padStart(4, '0')}`);
    for (let at = 0; at < all.length; at += 25) {
      await Promise.all(all.slice(at, at + 25).map((name) => create(cluster.admin, CONFIG_MAPS, configMap(name))));
    }
    const connected = await connection();
    const first = await cluster.admin.send('GET', `${CONFIG_MAPS}?limit=500`);
    const pages = connected.list(await servedKind(connected, 'ConfigMap'), { namespace: 'shop' })[Symbol.asyncIterator]();
    const listed: unknown[] = names((await pages.next()).value.objects);
    await cluster.admin.send('DELETE', `${CONFIG_MAPS}/entry-1200`);
    await cluster.admin.send('DELETE', `${CONFIG_MAPS}/entry-0001`);
    await cluster.compact();
    const goesOn = `${CONFIG_MAPS}?limit=500&continue=${first.body.metadata.continue}`;
    await expect.poll(async () => (await cluster.admin.send('GET', goesOn)).status).toBe(410);
    for (let page = await pages.next(); !page.done; page = await pages.next()) listed.push(...names(page.value.objects));
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((name) => name !== 'entry-0001')).toEqual(all.filter((name) => name !== 'entry-0001' && name !== 'entry-1200'));
  });

  it('is asked to list again where the revision of a watch was forgotten', async () => {
    await cluster.compact();
    const connected = await connection();
    const options = { resourceVersion: '1', signal: new AbortController().signal };
    // The API server keeps no events in memory, so it has to ask etcd for old ones.
    const changes = connected.watch(await servedKind(connected, 'Event'), options)[Symbol.asyncIterator]();
    expect(await changes.next()).toEqual({ done: false, value: { type: 'expired' } });
    await changes.return?.();
  });

  it('tells what is made, changed and removed, also while the API server was away', async () => {
    const connected = await connection();
    const stop = new AbortController();
    const told: string[] = [];
    const kind = await servedKind(connected, 'Secret');
    const watched = (async () => {
      for await (const event of inform(connected, kind, { signal: stop.signal, keep: ({ metadata }) => metadata?.name })) {
        told.push(event.type === 'synced' ? event.type : `${event.type} ${event.kept}`);
      }
    })();
    const secrets = '/api/v1/namespaces/shop/secrets';
    const secret = (name: string, value: string) => ({ ...configMap(name), kind: 'Secret', data: { value: btoa(value) } });
    await expect.poll(() => told).toEqual(['synced']);
    await create(cluster.admin, secrets, secret('one', '1'));
    await cluster.admin.send('PUT', `${secrets}/one`, { body: secret('one', '2') });
    await expect.poll(() => told).toEqual(['synced', 'added one', 'modified one']);
    await cluster.restart();
    await create(cluster.admin, secrets, secret('two', '1'));
    await cluster.admin.send('DELETE', `${secrets}/one`);
    await expect.poll(() => told.slice(3)).toEqual(['added two', 'removed one']);
    stop.abort();
    await watched;
  });
});
