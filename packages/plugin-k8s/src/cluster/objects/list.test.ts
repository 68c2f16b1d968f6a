import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListDenied } from '../cluster.js';
import { collected, connectedTo, runningServer } from '../testing/connected.test-support.js';
import { bodyFault, cutFault, htmlFault, resetFault, statusFault } from '../testing/faults.test-support.js';
import { servedKind } from '../testing/kinds.test-support.js';
import { anObject, configMaps, runningDeployment } from '../testing/objects.test-support.js';

const CONFIG_MAPS = servedKind('configmaps');
const PATH = '/api/v1/configmaps';
const names = (pages: { objects: readonly { metadata?: { name?: string } }[] }[]) =>
  pages.map(({ objects }) => objects.map((each) => each.metadata?.name));

describe('listing', () => {
  it('asks for pages of 500, and goes on until there are no more', async () => {
    const server = await runningServer({ objects: configMaps(1200) });
    const { cluster } = await connectedTo(server);

    const pages = await collected(cluster.list(CONFIG_MAPS));

    expect(pages.map(({ objects }) => objects.length)).toEqual([500, 500, 200]);
    expect(new Set(names(pages).flat()).size).toBe(1200);
    expect(server.requests[0]).toBe(`GET ${PATH}?limit=500`);
    expect(server.requests).toHaveLength(3);
  });

  it('gives one page without objects where there are none, so that a watch can start', async () => {
    const { cluster } = await connectedTo(await runningServer());

    expect(await collected(cluster.list(CONFIG_MAPS))).toEqual([{ objects: [], resourceVersion: '1000' }]);
  });

  it('lists one namespace where it is told to, and the whole kind where there are no namespaces', async () => {
    const server = await runningServer({ objects: [...configMaps(2, 'a'), ...configMaps(3, 'b'), anObject('v1', 'Node', 'n')] });
    const { cluster } = await connectedTo(server);

    expect(names(await collected(cluster.list(CONFIG_MAPS, { namespace: 'b' })))).toEqual([['map-00000', 'map-00001', 'map-00002']]);
    expect(names(await collected(cluster.list(servedKind('nodes'), { namespace: 'b' })))).toEqual([['n']]);
    expect(server.requests).toEqual(['GET /api/v1/namespaces/b/configmaps?limit=500', 'GET /api/v1/nodes?limit=500']);
  });

  it('never leaves the path of the kind, whatever a namespace is called', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server);

    for (const namespace of ['../../version', 'a/b?limit=1#', '%2e%2e'])
      expect(names(await collected(cluster.list(CONFIG_MAPS, { namespace }))).flat()).toEqual([]);
    await expect(collected(cluster.list(CONFIG_MAPS, { namespace: '..' }))).rejects.toThrow(ListDenied);

    expect(server.requests.map((request) => request.split('?')[0])).toEqual([
      'GET /api/v1/namespaces/..%2F..%2Fversion/configmaps',
      'GET /api/v1/namespaces/a%2Fb%3Flimit%3D1%23/configmaps',
      'GET /api/v1/namespaces/%252e%252e/configmaps',
    ]);
  });

  it('gives objects their version and kind back, and leaves out the bookkeeping of the API server', async () => {
    const { cluster } = await connectedTo(await runningServer({ objects: runningDeployment('web', 'shop') }));

    const [page] = await collected(cluster.list(servedKind('deployments')));

    expect(page?.objects[0]).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', uid: 'deployment-shop-web' },
    });
    expect(page?.objects[0]?.metadata).not.toHaveProperty('managedFields');
  });

  it('takes compressed answers', async () => {
    const server = await runningServer({ objects: configMaps(3) });
    server.fault(
      PATH,
      bodyFault(gzipSync('{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"x"}}]}'), { 'content-encoding': 'gzip' }),
    );
    const { cluster } = await connectedTo(server);

    expect(names(await collected(cluster.list(CONFIG_MAPS)))).toEqual([['x']]);
    expect(server.lastHeaders()['accept-encoding']).toBe('gzip');
  });

  it('takes what Go writes for an empty list', async () => {
    const server = await runningServer();
    server.fault(PATH, bodyFault('{"kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":null}'));
    const { cluster } = await connectedTo(server);

    expect(await collected(cluster.list(CONFIG_MAPS))).toEqual([{ objects: [], resourceVersion: '7' }]);
  });
});

describe('a list that outlives its version', () => {
  it('goes on behind the last object with the token that the server gives, and tells the first version', async () => {
    const server = await runningServer({ objects: configMaps(5) });
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 2 } });
    const list = cluster.list(CONFIG_MAPS)[Symbol.asyncIterator]();
    const first = await list.next();
    server.store.put(anObject('v1', 'ConfigMap', 'map-00000a', { namespace: 'default' })); // behind the place of the list
    server.store.put(anObject('v1', 'ConfigMap', 'map-99999', { namespace: 'default' }));
    server.compact();

    const rest = await collected({ [Symbol.asyncIterator]: () => list });

    expect(names(rest)).toEqual([
      ['map-00002', 'map-00003'],
      ['map-00004', 'map-99999'],
    ]);
    expect(rest.map(({ resourceVersion }) => resourceVersion)).toEqual([first.value?.resourceVersion, first.value?.resourceVersion]);
  });

  it('starts again where there is no such token, and gives no object twice', async () => {
    const server = await runningServer({ objects: configMaps(5) });
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 2 } });
    const list = cluster.list(CONFIG_MAPS)[Symbol.asyncIterator]();
    await list.next();
    server.compact('no-token');

    const rest = await collected({ [Symbol.asyncIterator]: () => list });

    expect(names(rest).flat()).toEqual(['map-00002', 'map-00003', 'map-00004']);
  });

  it('gives no object twice, and all that were there all the time, whatever happens in between', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 2 } });
    const name = fc.integer({ min: 0, max: 9 }).map((i) => `map-${i}`);
    const change = fc.oneof(
      fc.record({ do: fc.constantFrom('put' as const, 'remove' as const), name }),
      fc.record({ do: fc.constantFrom('compact' as const, 'compact without a token' as const) }),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name),
        fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }),
        async (first, betweenPages) => {
          run += 1;
          const namespace = `run-${run}`;
          const map = (each: string) => anObject('v1', 'ConfigMap', each, { namespace });
          const there = new Set(first);
          const stayed = new Set(first);
          for (const each of first) server.store.put(map(each));
          const listed: unknown[] = [];
          let page = 0;
          for await (const { objects } of cluster.list(CONFIG_MAPS, { namespace })) {
            listed.push(...objects.map(({ metadata }) => metadata?.name));
            for (const step of betweenPages[page++] ?? []) {
              if (!('name' in step)) server.compact(step.do === 'compact' ? undefined : 'no-token');
              else if (step.do === 'put') {
                server.store.put(map(step.name));
                there.add(step.name);
              } else if (there.delete(step.name)) {
                server.store.remove(map(step.name));
                stayed.delete(step.name);
              }
            }
          }
          expect(new Set(listed).size).toBe(listed.length);
          expect([...stayed].filter((each) => !listed.includes(each))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is given up where it has no order by which to tell what was given', async () => {
    const server = await runningServer({ objects: configMaps(5) });
    server.fault(
      PATH,
      bodyFault('{"metadata":{"resourceVersion":"7","continue":"t"},"items":[{"metadata":{"name":"b"}},{"metadata":{"name":"a"}}]}'),
      1,
    );
    server.fault(PATH, statusFault(410, 'Expired'));
    const { cluster } = await connectedTo(server);

    await expect(collected(cluster.list(CONFIG_MAPS))).rejects.toThrow('no order in which the list can continue');
  });

  it('is given up where the server loses its place again and again', async () => {
    const server = await runningServer({ objects: configMaps(5) });
    server.fault(`${PATH}?limit=2&continue`, statusFault(410, 'Expired', { metadata: { continue: 'never' } }));
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 2 } });

    await expect(collected(cluster.list(CONFIG_MAPS))).rejects.toThrow(ListDenied);
  });

  it('is given up where its pages do not move on', async () => {
    const server = await runningServer();
    server.fault(PATH, bodyFault('{"metadata":{"resourceVersion":"7","continue":"t"},"items":[]}'));
    const { cluster } = await connectedTo(server);

    await expect(collected(cluster.list(CONFIG_MAPS))).rejects.toThrow('its pages never end');
  });
});

describe('a list that fails', () => {
  it.each([
    [
      'may not be listed',
      statusFault(403, 'Forbidden', { message: 'configmaps is forbidden: User "x" cannot list' }),
      'Forbidden: configmaps is forbidden: User "x" cannot list',
    ],
    ['is not there', statusFault(404, 'NotFound'), 'NotFound: the server says NotFound'],
    ['cannot be listed', statusFault(405, 'MethodNotAllowed'), 'MethodNotAllowed: the server says MethodNotAllowed'],
    ['is no list', bodyFault('[]'), 'the answer is not a list of objects'],
    ['is a page for people', htmlFault(), 'the answer is not a list of objects'],
    [
      'has a message that is too long and plays tricks',
      statusFault(403, 'Forbidden', { message: `\u001b[2J${'x'.repeat(500)}` }),
      `Forbidden: ${'x'.repeat(288)}…`,
    ],
  ])('says so at once where the kind %s', async (_, fault, reason) => {
    const server = await runningServer();
    server.fault(PATH, fault);
    const { cluster, timing } = await connectedTo(server);

    await expect(collected(cluster.list(CONFIG_MAPS))).rejects.toEqual(new ListDenied(reason));
    expect(timing.waits).toEqual([]);
  });

  it.each([
    ['500', statusFault(500, 'InternalError')],
    ['503', statusFault(503, 'ServiceUnavailable')],
    ['504', htmlFault(504)],
    ['broken JSON', bodyFault('{"metadata":{')],
    ['a reset', resetFault],
    ['an answer that is cut off', cutFault],
    ['broken compression', bodyFault('no gzip', { 'content-encoding': 'gzip' })],
  ])('is asked for again after %s, with pauses that grow', async (_, fault) => {
    const server = await runningServer({ objects: configMaps(1) });
    server.fault(PATH, fault, 3);
    const { cluster, timing } = await connectedTo(server);

    expect(names(await collected(cluster.list(CONFIG_MAPS)))).toEqual([['map-00000']]);
    expect(timing.waits).toEqual([375, 750, 1500]);
  });

  it('waits as long as the server asks for, but not for ever', async () => {
    const server = await runningServer({ objects: configMaps(1) });
    for (const retryAfter of ['3', 'Fri, 02 Jan 2026 03:04:10 GMT', '86400', 'soon'])
      server.fault(PATH, statusFault(429, 'TooManyRequests', { retryAfter }), 1);
    const { cluster, timing } = await connectedTo(server);

    await collected(cluster.list(CONFIG_MAPS));

    expect(timing.waits).toEqual([3000, 5000, 60_000, 3000]);
  });

  it('is given up after five tries', async () => {
    const server = await runningServer();
    server.fault(PATH, statusFault(500, 'InternalError'));
    server.fault('/api/v1/secrets', resetFault);
    const { cluster } = await connectedTo(server);

    await expect(collected(cluster.list(CONFIG_MAPS))).rejects.toEqual(new ListDenied('InternalError: the server says InternalError'));
    expect(server.requests).toHaveLength(5);
    await expect(collected(cluster.list(servedKind('secrets')))).rejects.toMatchObject({ code: 'cluster-unreachable' });
    expect(server.requests).toHaveLength(10);
  });

  it('ends at once when it is aborted, with the reason of whoever did', async () => {
    const server = await runningServer({ objects: configMaps(3) });
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 1 } });
    const abort = new AbortController();
    const list = cluster.list(CONFIG_MAPS, { signal: abort.signal })[Symbol.asyncIterator]();
    await list.next();
    abort.abort(new Error('enough'));

    await expect(list.next()).rejects.toThrow('enough');
  });

  it('ends in the middle of an answer when it is aborted', async () => {
    const server = await runningServer();
    const abort = new AbortController();
    server.fault(PATH, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"metadata"', () => abort.abort(new Error('enough')));
    });
    const { cluster } = await connectedTo(server);

    await expect(collected(cluster.list(CONFIG_MAPS, { signal: abort.signal }))).rejects.toThrow('enough');
  });
});

describe('what is too much', () => {
  const large = (name: string, characters: number) =>
    anObject('v1', 'ConfigMap', name, { namespace: 'default', data: { text: 'x'.repeat(characters) } });

  it('is asked for in smaller pages', async () => {
    const server = await runningServer({ objects: Array.from({ length: 20 }, (_, i) => large(`map-${i + 10}`, 10_000)) });
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 16, answerBytes: 100_000 } });

    const pages = await collected(cluster.list(CONFIG_MAPS));

    expect(names(pages).flat()).toHaveLength(20);
    expect(server.requests.map((request) => new URL(request.slice(4), server.url).searchParams.get('limit'))).toEqual([
      '16',
      ...Array(10).fill('2'),
    ]);
  });

  it('is refused where one object alone is too large; what was listed before it stays', async () => {
    const server = await runningServer({ objects: [large('a', 10), large('b', 3_000_000)] });
    const { cluster } = await connectedTo(server, { limits: { answerBytes: 2 * 1024 * 1024 } });
    const seen: string[] = [];

    const listing = (async () => {
      for await (const { objects } of cluster.list(CONFIG_MAPS)) seen.push(...objects.map(({ metadata }) => String(metadata?.name)));
    })();

    await expect(listing).rejects.toEqual(new ListDenied('an object is larger than 2 MiB'));
    expect(seen).toEqual(['a']);
  });

  it('is refused where it is small only as long as it is compressed', async () => {
    const server = await runningServer();
    server.fault(PATH, bodyFault(gzipSync(`{"metadata":{},"items":[${' '.repeat(20_000_000)}]}`), { 'content-encoding': 'gzip' }));
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 1 } });

    await expect(collected(cluster.list(CONFIG_MAPS))).rejects.toEqual(new ListDenied('an object is larger than 16 MiB'));
  });

  it('takes an object of 1.5 MB, the most that etcd does', async () => {
    const { cluster } = await connectedTo(await runningServer({ objects: [large('a', 1_500_000)] }));

    const [page] = await collected(cluster.list(CONFIG_MAPS));

    expect(JSON.stringify(page).length).toBeGreaterThan(1_500_000);
  });

  it('cuts an object that nests so deep that it could not be copied, and keeps the others', async () => {
    const deep = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
    const server = await runningServer();
    server.fault(
      PATH,
      bodyFault(`{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"deep"},"data":${deep}},{"metadata":{"name":"flat"}}]}`),
    );
    const { cluster } = await connectedTo(server);

    const [page] = await collected(cluster.list(CONFIG_MAPS));

    expect(page?.objects.map(({ metadata }) => metadata?.name)).toEqual(['deep', 'flat']);
    expect(JSON.stringify(structuredClone(page)).split('"a"').length).toBeGreaterThan(150);
  });
});
