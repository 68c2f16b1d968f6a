import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cluster, ObjectChange } from '../cluster.js';
import { collected, connectedTo, runningServer } from '../testing/connected.test-support.js';
import { htmlFault, resetFault, statusFault } from '../testing/faults.test-support.js';
import { servedKind } from '../testing/kinds.test-support.js';
import { anObject } from '../testing/objects.test-support.js';
import { eventLines } from './event-lines.js';

const CONFIG_MAPS = servedKind('configmaps');
const WATCH = '/api/v1/configmaps?watch';
const map = (name: string, data?: object) => anObject('v1', 'ConfigMap', name, { namespace: 'default', ...(data && { data }) });
const told = (change: ObjectChange | undefined) =>
  change && (change.type === 'expired' ? 'expired' : `${change.type} ${change.object.metadata?.name}`);

/** A watch from a version on, read change by change. */
function watching(cluster: Cluster, resourceVersion = '1000') {
  const abort = new AbortController();
  const lost: string[] = [];
  const watch = cluster.watch(CONFIG_MAPS, { resourceVersion, signal: abort.signal, onLost: ({ message }) => lost.push(message) });
  const changes = watch[Symbol.asyncIterator]();
  return { abort, lost, next: async () => told((await changes.next()).value) };
}

describe('watching', () => {
  it('tells what is added, modified and removed, without the bookkeeping of the API server', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server);
    const { next, abort } = watching(cluster);
    const first = next();
    await server.watched('configmaps');
    server.store.put(map('a'));
    server.store.put(anObject('v1', 'Secret', 'other', { namespace: 'default' }));
    server.store.put(map('a', { changed: 'yes' }));
    server.store.remove(map('a'));

    expect([await first, await next(), await next()]).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect(server.requests[0]).toBe(`GET ${WATCH}=true&allowWatchBookmarks=true&resourceVersion=1000&timeoutSeconds=450`);
    const end = next();
    abort.abort();
    expect(await end).toBeUndefined();
  });

  it('tells the changes of one namespace where it is told to', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server);
    const abort = new AbortController();
    const changes = cluster.watch(CONFIG_MAPS, { resourceVersion: '1000', namespace: 'b', signal: abort.signal })[Symbol.asyncIterator]();
    const first = changes.next();
    await server.watched('configmaps');
    server.store.put(anObject('v1', 'ConfigMap', 'x', { namespace: 'a' }));
    server.store.put(anObject('v1', 'ConfigMap', 'y', { namespace: 'b' }));
    expect(told((await first).value)).toBe('ADDED y');
    abort.abort();
  });

  it.each([undefined, 'cut'] as const)(
    'goes on where it was after it ended, and loses nothing of what happened between: %s',
    async (how) => {
      const server = await runningServer();
      const { cluster, timing } = await connectedTo(server);
      const { next, abort } = watching(cluster);
      const first = next();
      await server.watched('configmaps');
      server.store.put(map('a'));
      expect(await first).toBe('ADDED a');
      server.endWatches(how);
      server.store.put(map('b'));

      expect(await next()).toBe('ADDED b');
      expect(server.requests[1]).toContain('resourceVersion=1001');
      expect(timing.waits).toEqual([]);
      abort.abort();
    },
  );

  it('goes on at the last bookmark where there was no change of its kind', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server);
    const { next, abort } = watching(cluster);
    const first = next();
    await server.watched('configmaps');
    server.store.put(anObject('v1', 'Secret', 's', { namespace: 'default' }));
    server.bookmark();
    server.store.touch();
    server.endWatches();
    await server.watched('configmaps');
    server.store.put(map('a'));

    expect(await first).toBe('ADDED a');
    expect(server.requests[1]).toContain('resourceVersion=1001');
    abort.abort();
  });

  it.each([
    ['in the stream', false],
    ['at once', true],
  ])('tells that the server has forgotten the version, %s', async (_, atOnce) => {
    const server = await runningServer();
    server.compact();
    if (atOnce) server.fault(WATCH, statusFault(410, 'Expired'));
    const { cluster } = await connectedTo(server);
    const { next } = watching(cluster, '999');
    expect([await next(), await next()]).toEqual(['expired', undefined]);
  });

  it('tells why the server cannot be reached, and goes on after pauses that grow', async () => {
    const server = await runningServer();
    server.fault(WATCH, resetFault, 1);
    server.fault(WATCH, statusFault(503, 'ServiceUnavailable'), 1);
    server.fault(WATCH, statusFault(429, 'TooManyRequests', { retryAfter: '9' }), 1);
    server.fault(WATCH, (_, response) => void response.writeHead(200).end('{"type":"ADDED","obj'), 1);
    server.fault(WATCH, (_, response) => void response.writeHead(200).end('nonsense\n'), 1);
    const { cluster, timing } = await connectedTo(server);
    const { next, lost, abort } = watching(cluster);
    const first = next();
    await server.watched('configmaps');
    server.store.put(map('a'));

    expect(await first).toBe('ADDED a');
    expect(lost).toEqual([
      expect.stringContaining('closes the connection'),
      expect.stringContaining('cannot answer: ServiceUnavailable'),
      expect.stringContaining('cannot answer: TooManyRequests'),
    ]);
    expect(timing.waits).toEqual([375, 750, 9000, 3000, 6000]);
    abort.abort();
  });

  it('goes on after an error that is not about its version', async () => {
    const server = await runningServer();
    server.fault(
      WATCH,
      (_, response) => void response.writeHead(200).end('{"type":"ERROR","object":{"kind":"Status","code":500,"message":"no"}}\n'),
      1,
    );
    const { cluster } = await connectedTo(server);
    const { next, abort } = watching(cluster);
    const first = next();
    await server.watched('configmaps');
    server.store.put(map('a'));
    expect(await first).toBe('ADDED a');
    abort.abort();
  });

  it.each([
    ['it may not watch', statusFault(403, 'Forbidden'), { name: 'ListDenied', reason: 'Forbidden: the server says Forbidden' }],
    ['there is no such kind', htmlFault(404), { name: 'ListDenied', reason: 'HTTP 404' }],
    ['it is not known', statusFault(401, 'Unauthorized'), { code: 'cluster-credentials' }],
  ])('ends where %s', async (_, fault, error) => {
    const server = await runningServer();
    server.fault(WATCH, fault);
    const { cluster } = await connectedTo(server);
    await expect(watching(cluster).next()).rejects.toMatchObject(error);
  });

  it('ends without an error when it is aborted before it is open, or in a pause', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server);
    const early = watching(cluster);
    early.abort.abort();
    expect(await early.next()).toBeUndefined();

    const paused = watching(cluster);
    server.fault(WATCH, (_, response) => {
      paused.abort.abort();
      response.destroy();
    });
    expect(await paused.next()).toBeUndefined();
    expect(paused.lost).toEqual([]);
  });
});

describe('the lines of a watch', () => {
  it('are the same however the bytes arrive', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 20 })),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (texts, sizes) => {
          const lines = texts.map((text) => JSON.stringify(text));
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          async function* chunks() {
            for (let at = 0, i = 0; at < bytes.length; i++) {
              const size = sizes[i % sizes.length] ?? 1;
              yield bytes.subarray(at, at + size);
              at += size;
            }
          }
          expect(await collected(eventLines(chunks(), 1000))).toEqual(lines);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are bounded', async () => {
    async function* endless() {
      for (;;) yield Buffer.from('x'.repeat(100));
    }
    await expect(collected(eventLines(endless(), 1000))).rejects.toThrow(RangeError);
  });
});
