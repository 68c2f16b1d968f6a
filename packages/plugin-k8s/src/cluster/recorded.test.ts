import { describe, expect, it } from 'vitest';
import type { ListDenied, ObjectChange, ServedKind } from './cluster.js';
import { collected, connectedTo, runningServer } from './testing/connected.test-support.js';
import { servedKind } from './testing/kinds.test-support.js';
import { answerOf, type Exchange, recorded, replayingServer } from './testing/replay.test-support.js';

const CONFIG_MAPS = servedKind('configmaps');

/** The recorded answer that is not a success, with that code in its body. */
function refusal(code: number): Exchange {
  const found = recorded('refusals').find(({ status, body }) => status === code && typeof body === 'object');
  if (!found) throw new Error(`no answer ${code} was recorded`);
  return found;
}

describe('what a real API server answers', () => {
  it('tells the same kinds in both forms of discovery', async () => {
    const aggregated = await (await connectedTo(await replayingServer('aggregated-discovery'))).cluster.discover();
    const legacy = await (await connectedTo(await replayingServer('legacy-discovery'))).cluster.discover();
    const named = ({ group, version, kind, resource, namespaced, verbs }: ServedKind) =>
      `${resource}.${version}.${group} ${kind} ${namespaced} ${verbs.toSorted()}`;

    expect(aggregated.kinds.map(named)).toEqual(legacy.kinds.map(named));
    expect(aggregated.failed).toEqual([]);
    expect(aggregated.kinds.length).toBeGreaterThan(60);
    expect(aggregated.kinds.find(({ resource }) => resource === 'horizontalpodautoscalers')).toMatchObject({
      version: 'v2',
      namespaced: true,
    });
    expect(aggregated.kinds.find(({ resource }) => resource === 'nodes')).toMatchObject({ group: '', version: 'v1', namespaced: false });
  });

  it('tells its version', async () => {
    const { cluster } = await connectedTo(await replayingServer('legacy-discovery'));
    expect(await cluster.version()).toMatch(/^v1\.\d+\.\d+$/);
  });

  it('lists in pages, which come together', async () => {
    const { cluster } = await connectedTo(await replayingServer('lists'), { limits: { pageObjects: 2 } });
    const pages = await collected(cluster.list(CONFIG_MAPS, { namespace: 'shop' }));
    expect(pages.map(({ objects }) => objects.map(({ metadata }) => metadata?.name))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
  });

  it('gives objects with their owners, and its bookkeeping is left out', async () => {
    const { cluster } = await connectedTo(await replayingServer('lists'));
    for (const resource of ['deployments', 'replicasets', 'pods', 'cronjobs', 'namespaces']) {
      const kind = servedKind(resource);
      const [page] = await collected(cluster.list(kind));
      expect(page?.objects.length).toBeGreaterThan(0);
      for (const object of page?.objects ?? []) {
        expect(object.kind).toBe(kind.kind);
        expect(object.metadata).not.toHaveProperty('managedFields');
      }
      if (resource === 'replicasets')
        expect(page?.objects[0]?.metadata?.ownerReferences).toMatchObject([{ kind: 'Deployment', controller: true }]);
    }
  });

  it('goes on with a list by the token that comes with 410', async () => {
    const server = await runningServer();
    const [first] = recorded('lists').filter(({ path }) => path.endsWith('configmaps?limit=2'));
    const gone = recorded('refusals').find(({ status }) => status === 410);
    if (!first || !gone) throw new Error('no such list was recorded');
    const path = '/api/v1/namespaces/shop/configmaps';
    server.fault(
      `${path}?limit=2&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEs`,
      answerOf({ ...first, body: { kind: 'ConfigMapList', metadata: { resourceVersion: '300' }, items: [] } }),
    );
    server.fault(`${path}?limit=2&continue`, answerOf(gone));
    server.fault(path, answerOf(first));
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 2 } });

    const pages = await collected(cluster.list(CONFIG_MAPS, { namespace: 'shop' }));

    expect(pages.map(({ objects }) => objects.length)).toEqual([2, 0]);
    expect(pages[1]?.resourceVersion).toBe(pages[0]?.resourceVersion);
  });

  it.each([
    [403, 'Forbidden: secrets is forbidden: User "nobody" cannot list resource "secrets" in API group "" at the cluster scope'],
    [404, 'NotFound: the server could not find the requested resource'],
    [405, 'MethodNotAllowed: the server does not allow this method on the requested resource'],
  ])('says why it does not list: %i', async (code, reason) => {
    const server = await runningServer();
    server.fault('/', answerOf(refusal(code)));
    const { cluster } = await connectedTo(server);
    await expect(collected(cluster.list(servedKind('secrets')))).rejects.toMatchObject({ reason } satisfies Partial<ListDenied>);
  });

  it('does not take a token that it does not know', async () => {
    const server = await runningServer();
    server.fault('/', answerOf(refusal(401)));
    const { cluster } = await connectedTo(server, { user: { token: 'nobody-s-token' } });
    await expect(cluster.discover()).rejects.toMatchObject({ code: 'cluster-credentials' });
  });

  it('tells what changes', async () => {
    const [watch] = recorded('watches');
    const since = new URL(watch?.path ?? '', 'https://server').searchParams.get('resourceVersion') ?? '';
    const { cluster } = await connectedTo(await replayingServer('watches'));
    const abort = new AbortController();
    const changes: ObjectChange[] = [];
    for await (const change of cluster.watch(CONFIG_MAPS, { namespace: 'shop', resourceVersion: since, signal: abort.signal })) {
      changes.push(change);
      if (changes.length === 3) abort.abort();
    }
    expect(changes.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  it('tells nothing any more once the watch was ended, though more has arrived', async () => {
    const [watch] = recorded('watches');
    const since = new URL(watch?.path ?? '', 'https://server').searchParams.get('resourceVersion') ?? '';
    const { cluster } = await connectedTo(await replayingServer('watches'));
    const abort = new AbortController();
    let told = 0;
    for await (const _ of cluster.watch(CONFIG_MAPS, { namespace: 'shop', resourceVersion: since, signal: abort.signal })) {
      told += 1;
      abort.abort();
    }
    expect(told).toBe(1);
  });

  it('tells that a version is too old to watch from', async () => {
    const server = await runningServer();
    const [expired] = recorded('refusals').filter(({ body }) => Array.isArray(body));
    if (!expired) throw new Error('no such watch was recorded');
    server.fault('/', answerOf(expired));
    const { cluster } = await connectedTo(server);
    const watch = cluster.watch(servedKind('events'), { resourceVersion: '1', signal: new AbortController().signal });
    expect(await collected(watch)).toEqual([{ type: 'expired' }]);
  });
});
