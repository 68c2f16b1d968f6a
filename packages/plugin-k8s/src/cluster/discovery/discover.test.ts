import { describe, expect, it } from 'vitest';
import { connectedTo, runningServer } from '../testing/connected.test-support.js';
import { bodyFault, statusFault } from '../testing/faults.test-support.js';
import { KINDS } from '../testing/kinds.test-support.js';

const IN_ORDER = KINDS.toSorted((a, b) => (`${a.group} ${a.resource}` < `${b.group} ${b.resource}` ? -1 : 1));

describe('discovery', () => {
  it.each([
    ['v2', 2],
    ['v2beta1', 2],
    ['legacy', 17],
  ] as const)('finds every kind by the documents of the form %s, without subresources, in %i requests', async (discovery, requests) => {
    const server = await runningServer({ discovery });
    const { cluster } = await connectedTo(server);
    expect(await cluster.discover()).toEqual({ kinds: IN_ORDER, failed: [] });
    expect(server.requests).toHaveLength(requests);
  });

  it.each(['v2', 'legacy'] as const)('names a group whose server does not answer, and finds all others: %s', async (discovery) => {
    const server = await runningServer({ discovery, stale: ['batch', 'example.test'] });
    const { cluster } = await connectedTo(server);
    const { kinds, failed } = await cluster.discover();
    expect(kinds).toEqual(IN_ORDER.filter(({ group }) => group !== 'batch' && group !== 'example.test'));
    expect(failed.map(({ group_version }) => group_version)).toEqual(['batch/v1', 'example.test/v1beta1']);
  });

  it('does not wait long for a group that fails', async () => {
    const server = await runningServer({ discovery: 'legacy' });
    server.fault('/apis/batch/v1', statusFault(503, 'ServiceUnavailable'));
    const { cluster, timing } = await connectedTo(server);
    expect((await cluster.discover()).failed).toEqual([
      { group_version: 'batch/v1', reason: 'ServiceUnavailable: the server says ServiceUnavailable' },
    ]);
    expect(timing.waits).toHaveLength(1);
  });

  it('takes each kind in the version that the server prefers, and in another one where that has it not', async () => {
    const verbs = ['get', 'list', 'watch'];
    const server = await runningServer({
      kinds: [
        { group: 'a.example', version: 'v1', kind: 'New', resource: 'news', namespaced: true, verbs },
        { group: 'a.example', version: 'v1alpha1', kind: 'New', resource: 'news', namespaced: true, verbs },
        { group: 'a.example', version: 'v1alpha1', kind: 'Old', resource: 'olds', namespaced: false, verbs: ['get'] },
      ],
    });
    const { cluster } = await connectedTo(server);
    expect((await cluster.discover()).kinds).toEqual([
      { group: 'a.example', version: 'v1', kind: 'New', resource: 'news', namespaced: true, verbs },
      { group: 'a.example', version: 'v1alpha1', kind: 'Old', resource: 'olds', namespaced: false, verbs: ['get'] },
    ]);
  });

  it('takes the preferred version before the order of the older documents', async () => {
    const server = await runningServer({ discovery: 'legacy', kinds: [] });
    const versions = ['v1', 'v2'].map((version) => ({ groupVersion: `a.example/${version}`, version }));
    server.fault('/apis?', bodyFault('{}'));
    server.fault('/apis/a.example', (request, response) => {
      const resources = [
        { name: 'things', kind: 'Thing', namespaced: true, verbs: ['list'] },
        { name: 'things/scale', kind: 'Scale' },
      ];
      bodyFault(JSON.stringify({ kind: 'APIResourceList', groupVersion: request.url?.slice(6), resources }))(request, response);
    });
    server.fault('/apis', bodyFault(JSON.stringify({ groups: [{ name: 'a.example', versions, preferredVersion: versions[1] }] })));
    const { cluster } = await connectedTo(server);
    expect((await cluster.discover()).kinds).toEqual([
      { group: 'a.example', version: 'v2', kind: 'Thing', resource: 'things', namespaced: true, verbs: ['list'] },
    ]);
  });

  it('passes over what is no resource', async () => {
    const server = await runningServer();
    const resources = [
      null,
      7,
      {},
      { resource: 'x' },
      { resource: 'proxies', responseKind: null },
      { resource: 'pods', responseKind: { kind: 'Pod' }, scope: 'Namespaced', verbs: ['list', 1] },
    ];
    const items = [
      null,
      {},
      { metadata: {}, versions: [{}, { version: 'v1', resources }] },
      { metadata: { name: 'a.example' }, versions: null },
    ];
    server.fault('/api', bodyFault(JSON.stringify({ kind: 'APIGroupDiscoveryList', items })), 1);
    server.fault('/apis', bodyFault(JSON.stringify({ kind: 'APIGroupDiscoveryList', items: null })));
    const { cluster } = await connectedTo(server);
    expect(await cluster.discover()).toEqual({
      kinds: [{ group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true, verbs: ['list'] }],
      failed: [],
    });
  });

  it.each([
    [
      'may not ask',
      statusFault(403, 'Forbidden', { message: 'forbidden: User "system:anonymous" cannot get path "/apis"' }),
      'cluster-credentials',
    ],
    ['finds nothing there', statusFault(404, 'NotFound'), 'not-an-api-server'],
    ['finds a server that fails', statusFault(500, 'InternalError'), 'cluster-unreachable'],
    ['finds another document', bodyFault('[1]'), 'not-an-api-server'],
    ['finds no JSON', bodyFault('nonsense'), 'not-an-api-server'],
  ])('says so where a user %s', async (_, fault, code) => {
    const server = await runningServer();
    server.fault('/apis', fault);
    const { cluster } = await connectedTo(server);
    await expect(cluster.discover()).rejects.toMatchObject({ code });
  });
});
