import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cluster, KubernetesObject } from './cluster.js';
import { type InformerEvent, inform } from './informer.js';
import { connectedTo, runningServer } from './testing/connected.test-support.js';
import { statusFault } from './testing/faults.test-support.js';
import { servedKind } from './testing/kinds.test-support.js';
import { anObject, configMaps } from './testing/objects.test-support.js';

const CONFIG_MAPS = servedKind('configmaps');
const map = (name: string, members: object = {}) => anObject('v1', 'ConfigMap', name, { namespace: 'default', ...members });

/** An informer that keeps the name and the data, read event by event. */
function informed(cluster: Cluster) {
  const abort = new AbortController();
  const keep = ({ metadata, data }: KubernetesObject) => `${metadata?.name} ${JSON.stringify(data)}`;
  const events = inform(cluster, CONFIG_MAPS, { signal: abort.signal, keep });
  return { abort, next: async () => told((await events.next()).value ?? undefined) };
}

function told(event: InformerEvent<string> | undefined): string | undefined {
  if (!event || event.type === 'synced') return event?.type;
  return event.type === 'modified' ? `modified ${event.before} to ${event.kept}` : `${event.type} ${event.kept}`;
}

describe('an informer', () => {
  it('tells what there is, then that this was all, then every change', async () => {
    const server = await runningServer({ objects: [map('a', { data: { v: '1' } }), map('b')] });
    const { cluster } = await connectedTo(server, { limits: { pageObjects: 1 } });
    const { next, abort } = informed(cluster);
    expect([await next(), await next(), await next()]).toEqual(['added a {"v":"1"}', 'added b undefined', 'synced']);
    const change = next();
    await server.watched('configmaps');
    server.store.put(map('a', { data: { v: '2' } }));
    server.store.remove(map('b'));
    server.store.put(map('c'));
    expect([await change, await next(), await next()]).toEqual([
      'modified a {"v":"1"} to a {"v":"2"}',
      'removed b undefined',
      'added c undefined',
    ]);
    const end = next();
    abort.abort();
    expect(await end).toBeUndefined();
  });

  it('lists again where changes were lost, and tells only what differs', async () => {
    const server = await runningServer({ objects: configMaps(4) });
    const { cluster } = await connectedTo(server);
    const { next, abort } = informed(cluster);
    for (let i = 0; i < 5; i++) await next();
    const change = next();
    await server.watched('configmaps');
    server.fault('/api/v1/configmaps?watch', statusFault(410, 'Expired'), 1);
    server.endWatches();
    server.store.remove(map('map-00001'));
    server.store.put(map('map-00002', { data: { i: 'new' } }));
    server.store.remove(map('map-00003'));
    server.store.put(map('map-00003', { metadata: { name: 'map-00003', namespace: 'default', uid: 'another' } }));
    server.compact();

    expect([await change, await next(), await next(), await next()]).toEqual([
      'modified map-00002 {"i":"2"} to map-00002 {"i":"new"}',
      'removed map-00003 {"i":"3"}',
      'added map-00003 undefined',
      'removed map-00001 {"i":"1"}',
    ]);
    abort.abort();
  });

  it('ends with the error of a kind that may not be listed, and without one when it is aborted', async () => {
    const server = await runningServer();
    server.forbid('configmaps');
    const { cluster } = await connectedTo(server);
    await expect(informed(cluster).next()).rejects.toMatchObject({ name: 'ListDenied' });
    const early = informed(cluster);
    early.abort.abort();
    expect(await early.next()).toBeUndefined();
  });

  it('knows what is there, whatever happens and whatever is lost', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), name: fc.constantFrom('a', 'b', 'c'), value: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ do: fc.constant('lose' as const) }),
    );
    return fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const abort = new AbortController();
        const there = new Map<string, KubernetesObject>();
        const seen = new Map<string, KubernetesObject>();
        const keep = (object: KubernetesObject) => object;
        for await (const event of inform(
          replay(steps, there, () => abort.abort()),
          CONFIG_MAPS,
          { signal: abort.signal, keep },
        )) {
          if (event.type === 'synced') continue;
          const name = event.kept.metadata?.name ?? '';
          if (event.type === 'added') expect(seen.has(name)).toBe(false);
          if (event.type === 'modified') expect(seen.get(name)).toBe(event.before);
          if (event.type === 'removed') expect(seen.get(name)).toBe(event.kept);
          if (event.type === 'removed') seen.delete(name);
          else seen.set(name, event.kept);
        }
        expect([...seen.values()].map(identity).sort()).toEqual([...there.values()].map(identity).sort());
      }),
      { numRuns: 1000 },
    );
  });
});

type Step = { do: 'put'; name: string; value: number } | { do: 'remove'; name: string } | { do: 'lose' };

/** A cluster in which one thing happens after the other; what happens while changes are lost is seen by the next list only. */
function replay(steps: readonly Step[], there: Map<string, KubernetesObject>, end: () => void): Cluster {
  let at = 0;
  let version = 0;
  const apply = (step: Step): { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubernetesObject } | undefined => {
    version += 1;
    if (step.do === 'lose') return undefined;
    const before = there.get(step.name);
    if (step.do === 'remove') {
      there.delete(step.name);
      return before && { type: 'DELETED', object: before };
    }
    const metadata = { name: step.name, uid: before?.metadata?.uid ?? `uid-${version}`, resourceVersion: String(version) };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: step.value } };
    there.set(step.name, object);
    return { type: before ? 'MODIFIED' : 'ADDED', object };
  };
  return {
    context: null,
    version: async () => 'v1',
    discover: async () => ({ kinds: [], failed: [] }),
    close: async () => {},
    async *list() {
      yield { objects: [...there.values()], resourceVersion: String(version) };
    },
    async *watch() {
      for (let step = steps[at]; step; step = steps[at]) {
        at += 1;
        if (step.do === 'lose') {
          const next = steps[at];
          if (next) apply(next);
          at += 1;
          return yield { type: 'expired' };
        }
        const change = apply(step);
        if (change) yield change;
      }
      end();
    },
  };
}

function identity({ metadata }: KubernetesObject): string {
  return `${metadata?.name} ${metadata?.uid} ${String(metadata?.resourceVersion)}`;
}
