/**
 * Records what a real API server answers, for the tests that do not have one:
 *
 *   npm run script -- test/cluster/record.ts && npm run format
 *
 * Writes `packages/plugin-k8s/src/cluster/testing/recorded/*.json`, whose README says more.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from './objects.js';
import { buildPrograms } from './programs.js';
import { createShop } from './shop.js';
import { startCluster, type TestCluster } from './start-cluster.js';

interface Exchange {
  method: 'GET';
  path: string;
  accept: string;
  status: number;
  headers: Headers;
  /** A document; of a watch, the list of its events. */
  body: unknown;
}

interface Headers {
  [name: string]: string;
}

const FOLDER = fileURLToPath(new URL('../../packages/plugin-k8s/src/cluster/testing/recorded', import.meta.url));
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';

const cluster = await startCluster(await buildPrograms((line) => console.error(line)));
try {
  await createShop(cluster.admin);
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await create(cluster.admin, CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { [name]: '1' } });
  }
  save('aggregated-discovery', [await get('/api', AGGREGATED), await get('/apis', AGGREGATED)]);
  save('legacy-discovery', await legacyDiscovery());
  save('lists', await lists());
  save('watches', await watches());
  save('refusals', await refusals(cluster));
} finally {
  await cluster.stop();
}

async function legacyDiscovery(): Promise<Exchange[]> {
  const groups = await cluster.admin.send('GET', '/apis');
  const versions: { groupVersion: string }[] = groups.body.groups.flatMap((group: { versions: object[] }) => group.versions);
  const paths = ['/version', '/api', '/api/v1', '/apis', ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`)];
  return Promise.all(paths.map((path) => get(path)));
}

async function lists(): Promise<Exchange[]> {
  const whole = ['/api/v1/namespaces', '/api/v1/pods', '/apis/apps/v1/deployments', '/apis/apps/v1/replicasets', '/apis/batch/v1/cronjobs'];
  const exchanges = await Promise.all(whole.map((path) => get(`${path}?limit=500`)));
  let token = '';
  do {
    const page = await get(`${CONFIG_MAPS}?limit=2${token && `&continue=${token}`}`);
    exchanges.push(page);
    // A list of the API server.
    token = (page.body as { metadata: { continue?: string } }).metadata.continue ?? '';
  } while (token);
  return exchanges;
}

/** What happened since a list, and a bookmark at the end. */
async function watches(): Promise<Exchange[]> {
  const { body } = await cluster.admin.send('GET', CONFIG_MAPS);
  await create(cluster.admin, CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'f' } });
  const changed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'f' }, data: { f: '2' } };
  await cluster.admin.send('PUT', `${CONFIG_MAPS}/f`, { body: changed });
  await cluster.admin.send('DELETE', `${CONFIG_MAPS}/f`);
  const since = `resourceVersion=${body.metadata.resourceVersion}`;
  return [await get(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3&${since}`)];
}

/** 401, 403, 404, 405, 406 and both forms of 410: of a continued list, and of a watch (of a kind without a cache). */
async function refusals({ user, anyone, admin, compact }: TestCluster): Promise<Exchange[]> {
  const first = await admin.send('GET', `${CONFIG_MAPS}?limit=2`);
  await create(admin, CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'g' } });
  await compact();
  const goesOn = `${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue}`;
  while ((await admin.send('GET', goesOn)).status !== 410) await new Promise((resolve) => setTimeout(resolve, 100));
  return [
    await get('/api/v1/secrets?limit=500', 'application/json', anyone, { authorization: 'Bearer nobody-s-token' }),
    await get('/api/v1/secrets?limit=500', 'application/json', user('nobody').client),
    await get('/api/v1/namespaces/shop/nothings'),
    await get('/apis/nothing.example/v1'),
    await get('/apis/authorization.k8s.io/v1/subjectaccessreviews'),
    await get('/api/v1/pods', 'application/xml'),
    await get(goesOn),
    await get('/api/v1/events?watch=1&resourceVersion=1&timeoutSeconds=3'),
  ];
}

async function get(path: string, accept = 'application/json', client = cluster.admin, more: Headers = {}): Promise<Exchange> {
  const answer = await client.send('GET', path, { headers: { accept, ...more } });
  const kept = ['content-type', 'retry-after', 'warning', 'www-authenticate'];
  const headers = Object.fromEntries(kept.flatMap((name) => (answer.headers[name] ? [[name, String(answer.headers[name])]] : [])));
  const lines = answer.text.split('\n').filter((line) => line !== '');
  const body = path.includes('watch=1') && answer.status === 200 ? lines.map((line) => JSON.parse(line)) : (answer.body ?? answer.text);
  return { method: 'GET', path, accept, status: answer.status, headers, body };
}

function save(name: string, exchanges: readonly Exchange[]): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(exchanges, null, 2)}\n`);
}
