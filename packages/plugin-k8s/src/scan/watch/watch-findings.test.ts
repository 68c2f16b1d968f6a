import { EventEmitter, once } from 'node:events';
import type { RuleDetail } from '@bylaw/core/rule';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Cluster, KubernetesObject, ObjectChange } from '../../cluster/cluster.js';
import type { ApiServer } from '../../cluster/testing/api-server.test-support.js';
import { connectedTo, runningServer, testTiming } from '../../cluster/testing/connected.test-support.js';
import { statusFault } from '../../cluster/testing/faults.test-support.js';
import { anObject, configMaps, runningDeployment } from '../../cluster/testing/objects.test-support.js';
import type { Timing } from '../../cluster/timing.js';
import { engineOf, ruleOn } from '../rule.test-support.js';
import { openScan, type ScanRequest } from '../scan.js';
import { type FindingsByObject, findingCollector } from './keyed-findings.js';
import { watchFindings } from './watch-findings.js';

interface Watch {
  /** The next change: `+CS-001 Pod shop/web`. */
  next(): Promise<string>;
  /** So many changes, in any order. */
  some(count: number): Promise<string[]>;
  standing: FindingsByObject;
  stop(): Promise<IteratorResult<unknown, unknown>>;
  /** Resolves when it is told of a loss. */
  lost: Promise<string>;
}

/** A scan of the server that goes on as a watch. */
async function watching(
  server: ApiServer,
  rules: RuleDetail[],
  { timing = testTiming(), onChange = () => {} }: { timing?: Timing; onChange?: (change: ObjectChange) => void } = {},
): Promise<Watch> {
  const request: ScanRequest = {};
  const { cluster } = await connectedTo(server);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const lost = Promise.withResolvers<string>();
  const tools = {
    cluster: tapped(cluster, onChange),
    engine: engineOf(rules),
    signal: stopping.signal,
    timing,
    onLost: (error: Error) => lost.resolve(error.message),
  };
  const standing: FindingsByObject = new Map();
  const { onBaselineKeys, take } = findingCollector(standing);
  const open = await openScan({ ...request, onBaselineKeys }, tools);
  for await (const event of open.events()) take(event);
  const changes = watchFindings(open, standing, request, tools);
  const next = async () => {
    const { done, value } = await changes.next();
    if (done) throw new Error('the watch has ended');
    const { rule_id, resource } = value.finding;
    return `${value.type === 'introduced' ? '+' : '-'}${rule_id} ${resource.kind} ${resource.namespace}/${resource.name}`;
  };
  return {
    next,
    some: async (count) => {
      const all: string[] = [];
      while (all.length < count) all.push(await next());
      return all.sort();
    },
    standing,
    lost: lost.promise,
    stop: () => {
      stopping.abort();
      return changes.next();
    },
  };
}

/** The same cluster, which passes a change on once it has been taken. */
function tapped(cluster: Cluster, onChange: (change: ObjectChange) => void): Cluster {
  return {
    ...cluster,
    async *watch(kind, options) {
      for await (const change of cluster.watch(kind, options)) {
        yield change;
        onChange(change);
      }
    },
  };
}

const HOST = ruleOn('CS-001', ['PodSpec'], { expression: 'podSpec.?hostPID.orValue(false) != true' });
const pod = (name: string, spec = {}): KubernetesObject =>
  anObject('v1', 'Pod', name, { namespace: 'shop', spec: { containers: [], ...spec } });

describe('a watch', () => {
  it('tells findings as they come and go: with a new object, a change, and a removal', async () => {
    const server = await runningServer({ objects: [pod('old', { hostPID: true })] });
    const watch = await watching(server, [HOST]);
    expect(watch.standing.size).toBe(1);
    const first = watch.next();
    await server.watched('pods');
    server.store.put(pod('new', { hostPID: true }));
    expect(await first).toBe('+CS-001 Pod shop/new');
    server.store.put(pod('new'));
    expect(await watch.next()).toBe('-CS-001 Pod shop/new');
    server.store.remove(pod('old'));
    expect(await watch.next()).toBe('-CS-001 Pod shop/old');
    expect(watch.standing.size).toBe(0);
  });

  it('says nothing of changes that change no finding, such as those of a status', async () => {
    const server = await runningServer({ objects: [pod('a', { hostPID: true })] });
    const watch = await watching(server, [HOST]);
    const next = watch.next();
    await server.watched('pods');
    server.store.put({ ...pod('a', { hostPID: true }), status: { phase: 'Running' } });
    server.store.put(pod('b', { hostPID: true }));
    expect(await next).toBe('+CS-001 Pod shop/b');
  });

  it('keeps a finding whose place moves in a list', async () => {
    const rule = ruleOn('CS-002', ['Pod'], {
      logic: [{ targets: ['Pod'], each: 'containers', expression: 'container.?stdin.orValue(false) != true', path: '/stdin' }],
    });
    const server = await runningServer({ objects: [pod('a', { containers: [{ name: 'app', stdin: true }] })] });
    const watch = await watching(server, [rule]);
    const next = watch.next();
    await server.watched('pods');
    server.store.put(pod('a', { containers: [{ name: 'first' }, { name: 'app', stdin: true }] }));
    server.store.put(pod('b', { containers: [{ name: 'app', stdin: true }] }));
    expect(await next).toBe('+CS-002 Pod shop/b');
  });

  it('tells what changed between the scan and its own beginning', async () => {
    const server = await runningServer({ objects: [pod('a', { hostPID: true }), pod('b', { hostPID: true })] });
    const watch = await watching(server, [HOST]);
    server.store.remove(pod('a', {}));
    server.store.put(pod('b'));
    expect(await watch.some(2)).toEqual(['-CS-001 Pod shop/a', '-CS-001 Pod shop/b']);
  });

  it('counts a workload once, from its beginning on', async () => {
    const server = await runningServer();
    const watch = await watching(server, [ruleOn('CS-001', ['PodSpec'])]);
    for (const object of runningDeployment('web', 'shop', 3).reverse()) server.store.put(object);
    expect(await watch.next()).toBe('+CS-001 Deployment shop/web');
    server.store.put(pod('bare'));
    expect(await watch.next()).toBe('+CS-001 Pod shop/bare');
  });

  it('lets what is told before its controller wait for it', async () => {
    const server = await runningServer();
    const [deployment, replicaSet, replica] = runningDeployment('web', 'shop', 1);
    if (!deployment || !replicaSet || !replica) throw new Error('no Deployment');
    const rounds = new EventEmitter();
    const timing: Timing = {
      ...testTiming(),
      wait: async () => {
        rounds.emit('waiting');
        await once(rounds, 'settled');
      },
    };
    const watch = await watching(server, [ruleOn('CS-001', ['PodSpec'])], {
      timing,
      onChange: (change) => rounds.emit('object' in change ? change.object.kind : 'expired'),
    });
    const first = watch.next();
    await server.watched('pods');
    const firstRound = once(rounds, 'waiting');
    server.store.put(replica);
    await firstRound;
    const secondRound = once(rounds, 'waiting');
    rounds.emit('settled');
    await secondRound;
    const owners = Promise.all([once(rounds, 'Deployment'), once(rounds, 'ReplicaSet')]);
    server.store.put(replicaSet);
    server.store.put(deployment);
    await owners;
    rounds.emit('settled');
    expect(await first).toBe('+CS-001 Deployment shop/web');
    expect([...watch.standing.keys()]).toHaveLength(1);
  });

  it('evaluates an object whose controller never shows', async () => {
    const server = await runningServer();
    const watch = await watching(server, [ruleOn('CS-001', ['PodSpec'])]);
    const first = watch.next();
    await server.watched('pods');
    const [, , orphan] = runningDeployment('web', 'shop', 1);
    if (orphan) server.store.put(orphan);
    expect(await first).toMatch(/^\+CS-001 Pod shop\/web-/);
  });

  it('goes on where the server has forgotten the past', async () => {
    const server = await runningServer({ objects: [pod('a', { hostPID: true })] });
    const watch = await watching(server, [HOST]);
    const next = watch.next();
    await server.watched('pods');
    server.compact();
    server.store.remove(pod('a'));
    server.endWatches('cut');
    expect(await next).toBe('-CS-001 Pod shop/a');
  });

  it('takes a flood of objects in bounded parts', async () => {
    const server = await runningServer({ objects: configMaps(5) });
    const watch = await watching(server, [ruleOn('SP-001', ['ConfigMap'])]);
    const next = watch.some(1300);
    await server.watched('configmaps');
    for (const object of configMaps(1305)) server.store.put(object);
    expect(await next).toHaveLength(1300);
    expect(watch.standing.size).toBe(1305);
  });

  it('ends without an error when it is told to', async () => {
    const watch = await watching(await runningServer(), [HOST]);
    const next = watch.next().catch((error: Error) => error.message);
    expect(await watch.stop()).toEqual({ done: true, value: undefined });
    expect(await next).toBe('the watch has ended');
  });

  it('ends with an error when the credentials are no longer taken', async () => {
    const server = await runningServer();
    const watch = await watching(server, [HOST]);
    const next = watch.next();
    await server.watched('pods');
    server.fault('/', statusFault(401, 'Unauthorized'));
    server.endWatches();
    await expect(next).rejects.toMatchObject({ code: 'cluster-credentials' });
  });

  it('goes on with all other kinds when one may no longer be listed', async () => {
    const server = await runningServer();
    const watch = await watching(server, [HOST, ruleOn('SP-001', ['Secret'])]);
    const next = watch.next();
    await server.watched('secrets');
    await server.watched('pods');
    server.forbid('secrets');
    server.endWatches();
    expect(await watch.lost).toContain('Secret is no longer watched');
    server.store.put(pod('a', { hostPID: true }));
    expect(await next).toBe('+CS-001 Pod shop/a');
  });
});

describe('a watch of rules that look at the set', () => {
  const unlabelled = ruleOn('SP-003', ['Secret +set'], {
    set: { Namespace: ['/metadata/labels'] },
    expression: 'resources.lookup("Namespace", "", objectNamespace).?metadata.?labels[?"safe"].orValue("") == "yes"',
  });
  const namespace = (name: string, labels = {}): KubernetesObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  const secret = (name: string) => anObject('v1', 'Secret', 's', { namespace: name });

  it('evaluates again what they evaluate when what they read has changed, and only then', async () => {
    const server = await runningServer({ objects: [namespace('a', { safe: 'yes' }), namespace('b'), secret('a'), secret('b')] });
    const watch = await watching(server, [unlabelled]);
    const first = watch.next();
    await server.watched('secrets');
    const lists = () => server.requests.filter((request) => request.startsWith('GET /api/v1/secrets?limit')).length;
    const before = lists();
    server.store.put({ ...namespace('a', { safe: 'yes' }), status: { phase: 'Active' } });
    server.store.put(secret('c'));
    expect(await first).toBe('+SP-003 Secret c/s');
    expect(lists()).toBe(before);
    server.store.put(namespace('a'));
    expect(await watch.next()).toBe('+SP-003 Secret a/s');
    server.store.put(namespace('b', { safe: 'yes' }));
    expect(await watch.next()).toBe('-SP-003 Secret b/s');
    server.store.put(namespace('c', { safe: 'yes' }));
    expect(await watch.next()).toBe('-SP-003 Secret c/s');
  });

  it('tells what changed in the set between the scan and its own beginning', async () => {
    const server = await runningServer({ objects: [namespace('a', { safe: 'yes' }), secret('a')] });
    const watch = await watching(server, [unlabelled]);
    server.store.put(namespace('a'));
    expect(await watch.next()).toBe('+SP-003 Secret a/s');
  });
});
