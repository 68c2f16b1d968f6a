import type { EvaluationEvent, Finding } from '@bylaw/core/evaluate';
import type { RuleDetail } from '@bylaw/core/rule';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../cluster/cluster.js';
import type { ApiServer } from '../cluster/testing/api-server.test-support.js';
import { connectedTo, runningServer } from '../cluster/testing/connected.test-support.js';
import { htmlFault, statusFault } from '../cluster/testing/faults.test-support.js';
import { KINDS } from '../cluster/testing/kinds.test-support.js';
import { anObject, configMaps, runningDeployment } from '../cluster/testing/objects.test-support.js';
import { engineOf, ruleOn } from './rule.test-support.js';
import { type ScanRequest, scan } from './scan.js';
import type { ScannedCluster } from './scanned-cluster.js';

interface Scanned {
  findings: Finding[];
  /** `Deployment shop/web`, in the order of the report. */
  names: string[];
  end: Extract<EvaluationEvent, { type: 'end' }>;
  cluster: ScannedCluster;
}

async function scanned(server: ApiServer, rules: RuleDetail[], request: ScanRequest = {}): Promise<Scanned> {
  const { cluster } = await connectedTo(server);
  const findings: Finding[] = [];
  for await (const event of scan(request, { cluster, engine: engineOf(rules) }))
    if (event.type === 'findings') findings.push(...event.batch.findings());
    else {
      const names = findings.map(
        ({ resource: { kind, namespace, name } }) => `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`,
      );
      return { findings, names, end: event, cluster: event.more?.['cluster'] as ScannedCluster };
    }
  throw new Error('no end');
}

const namespace = (name: string, labels = {}): KubernetesObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });

const PODS = ruleOn('CS-001', ['PodSpec']);
const SECRETS = ruleOn('SP-001', ['Secret']);

describe('a scan', () => {
  it('evaluates what the rules look at, a workload once, and says what it looked at', async () => {
    const server = await runningServer({
      objects: [...runningDeployment('web', 'shop', 3), anObject('v1', 'Pod', 'bare', { namespace: 'shop' })],
    });
    const { names, findings, end, cluster } = await scanned(server, [PODS, SECRETS]);
    expect(names).toEqual(['Deployment shop/web', 'Pod shop/bare']);
    expect(findings.every(({ location }) => location === null)).toBe(true);
    expect(end).toMatchObject({ errors: [], summary: { resources: 2, findings: 2, errors: 0 } });
    expect(cluster).toEqual({
      version: 'v1.34.1',
      context: 'test',
      namespaces: null,
      resources_by_kind: {
        CronJob: 0,
        DaemonSet: 0,
        Deployment: 1,
        PodTemplate: 0,
        Secret: 0,
        StatefulSet: 0,
        Job: 0,
        ReplicaSet: 0,
        ReplicationController: 0,
        Pod: 1,
      },
      denied: [],
      kinds_not_covered: expect.arrayContaining(['ClusterRole', 'Service']),
      rules_not_applied: [],
    });
    expect(end.about).toEqual([
      'Cluster test (v1.34.1), all namespaces, 10 kinds.',
      expect.stringMatching(
        /^No selected rule covers \d+ kinds that the cluster serves: ClusterRole, ClusterRoleBinding, .* and \d+ more\.$/,
      ),
    ]);
  });

  it('asks for nothing that no rule looks at, and only reads', async () => {
    const server = await runningServer();
    await scanned(server, [SECRETS]);
    expect(server.requests.filter((request) => request.includes('limit='))).toEqual(['GET /api/v1/secrets?limit=500']);
    expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
  });

  it('gives the same findings each time, page by page, in the order of kinds and names', async () => {
    const server = await runningServer({ objects: [...configMaps(1200), ...runningDeployment('a', 'x'), ...runningDeployment('b', 'x')] });
    const rules = [PODS, ruleOn('SP-002', ['ConfigMap'])];
    const first = await scanned(server, rules);
    expect(first.names).toHaveLength(1202);
    expect(first.names.slice(-2)).toEqual(['Deployment x/a', 'Deployment x/b']);
    expect((await scanned(server, rules)).findings).toEqual(first.findings);
  });

  it('evaluates each object as live', async () => {
    const server = await runningServer({ objects: [anObject('v1', 'Secret', 's', { namespace: 'shop' })] });
    expect((await scanned(server, [ruleOn('SP-001', ['Secret'], { expression: 'live' })])).findings).toEqual([]);
  });

  it('evaluates Pods by themselves where their controllers are not scanned, or may not be listed', async () => {
    const server = await runningServer({ objects: runningDeployment('web', 'shop', 2) });
    expect((await scanned(server, [PODS], { kinds: ['Pod'] })).names).toHaveLength(2);
    server.forbid('replicasets.apps');
    expect((await scanned(server, [PODS])).names).toEqual([
      'Deployment shop/web',
      'Pod shop/web-5d8c7b9f6-x0',
      'Pod shop/web-5d8c7b9f6-x1',
    ]);
  });

  it('refuses names that it does not know, before it lists anything', async () => {
    const server = await runningServer({ objects: [namespace('shop')] });
    await expect(scanned(server, [PODS], { filter: { rules: ['CS-999'] } })).rejects.toMatchObject({ code: 'rule-unknown' });
    await expect(scanned(server, [PODS], { kinds: ['Pd'] })).rejects.toMatchObject({ code: 'kind-unknown', hint: 'Did you mean Pod?' });
    await expect(scanned(server, [PODS], { namespaces: ['shpo'] })).rejects.toMatchObject({
      code: 'namespace-unknown',
      hint: 'Did you mean shop?',
    });
    expect(server.requests.join()).not.toContain('/pods?');
  });
});

describe('a scan of some namespaces', () => {
  const objects = ['a', 'b', 'c'].flatMap((name) => [namespace(name), anObject('v1', 'Secret', 's', { namespace: name })]);

  it('lists them one by one, and nothing outside of them', async () => {
    const server = await runningServer({ objects });
    const { names, cluster } = await scanned(server, [SECRETS, ruleOn('CS-002', ['Namespace'])], { namespaces: ['c', 'a', 'c'] });
    expect(names).toEqual(['Secret a/s', 'Secret c/s']);
    expect(cluster).toMatchObject({ namespaces: ['a', 'c'], resources_by_kind: { Secret: 2 } });
    expect(server.requests.filter((request) => request.includes('secrets'))).toEqual([
      'GET /api/v1/namespaces/a/secrets?limit=500',
      'GET /api/v1/namespaces/c/secrets?limit=500',
    ]);
  });

  it('believes in namespaces where these cannot be listed', async () => {
    const server = await runningServer({ objects });
    server.forbid('namespaces');
    expect((await scanned(server, [SECRETS], { namespaces: ['a', 'nowhere'] })).names).toEqual(['Secret a/s']);
  });

  it('leaves out rules that would have to look elsewhere, and says so', async () => {
    const server = await runningServer({ objects });
    const reading = ruleOn('SP-003', ['Secret +set'], { set: { Namespace: ['/metadata/labels'] } });
    const { names, cluster, end } = await scanned(server, [reading, SECRETS], { namespaces: ['a'] });
    expect(names).toEqual(['Secret a/s']);
    expect(cluster).toMatchObject({ denied: [], rules_not_applied: ['SP-003'] });
    expect(end.summary).toMatchObject({ rules: 1, errors: 0 });
    expect(end.about).toContain('1 rule not applied, because not all required kinds were listed: SP-003.');
  });
});

describe('rules that look at the set', () => {
  const unlabelled = ruleOn('SP-003', ['Secret +set'], {
    set: { Namespace: ['/metadata/labels'] },
    expression: 'resources.lookup("Namespace", "", objectNamespace).?metadata.?labels[?"safe"].orValue("") == "yes"',
  });
  const objects = [
    namespace('a', { safe: 'yes' }),
    namespace('b'),
    anObject('v1', 'Secret', 's', { namespace: 'a' }),
    anObject('v1', 'Secret', 's', { namespace: 'b' }),
  ];

  it('see what a first pass has read; kinds that are not read are listed once', async () => {
    const server = await runningServer({ objects });
    expect((await scanned(server, [unlabelled])).names).toEqual(['Secret b/s']);
    expect(server.requests.filter((request) => request.includes('limit='))).toEqual([
      'GET /api/v1/namespaces?limit=500',
      'GET /api/v1/secrets?limit=500',
    ]);
  });

  it('see it also where the caller names other kinds', async () => {
    const server = await runningServer({ objects });
    expect((await scanned(server, [unlabelled], { kinds: ['Secret'] })).names).toEqual(['Secret b/s']);
  });

  it('are not applied where what they read cannot be listed: they would accuse the innocent', async () => {
    const server = await runningServer({ objects });
    server.forbid('namespaces');
    const { names, cluster, end } = await scanned(server, [unlabelled, ruleOn('SP-004', ['Secret'])]);
    expect(names).toEqual(['Secret a/s', 'Secret b/s']);
    expect(cluster.rules_not_applied).toEqual(['SP-003']);
    expect(cluster.denied).toEqual([{ kind: 'Namespace', reason: expect.stringContaining('forbidden') }]);
    expect(end.summary).toMatchObject({ rules: 1, errors: 1 });
  });
});

describe('a partial scan', () => {
  it('names the kinds that cannot be listed, each with its reason, and evaluates all others', async () => {
    const server = await runningServer({ objects: runningDeployment('web', 'shop') });
    server.forbid('secrets');
    server.fault('/apis/batch/v1/jobs', htmlFault());
    const { names, end, cluster } = await scanned(server, [PODS, SECRETS]);
    expect(names).toEqual(['Deployment shop/web']);
    expect(cluster.denied.map(({ kind }) => kind)).toEqual(['Job', 'Secret']);
    expect(cluster.resources_by_kind).not.toHaveProperty('Secret');
    expect(end.errors).toEqual([
      { code: 'kind-not-listed', message: expect.stringMatching(/^Job could not be listed: ./), location: null },
      {
        code: 'kind-not-listed',
        message: expect.stringMatching(/^Secret could not be listed: .*cannot list resource "secrets"/),
        location: null,
      },
    ]);
    expect(end.summary.errors).toBe(2);
    expect(end.about?.[1]).toMatch(/^This scan is partial: 2 kinds could not be listed\./);
  });

  it('names a kind once, however many namespaces it cannot be listed in', async () => {
    const server = await runningServer({ objects: [namespace('a'), namespace('b')] });
    server.forbid('secrets');
    const { cluster } = await scanned(server, [SECRETS], { namespaces: ['a', 'b'] });
    expect(cluster.denied).toEqual([{ kind: 'Secret', reason: expect.stringMatching(/^in namespace a: /) }]);
  });

  it('names a group whose server does not answer, where a rule is about it', async () => {
    const kinds = [...KINDS, ...KINDS.slice(-1).map((kind) => ({ ...kind, group: 'acme.test', kind: 'Thing', resource: 'things' }))];
    const server = await runningServer({ kinds, stale: ['acme.test'] });
    expect((await scanned(server, [SECRETS])).cluster.denied).toEqual([]);
    const { cluster, end } = await scanned(server, [ruleOn('CS-003', ['acme.test/Thing'])]);
    expect(cluster.denied).toEqual([{ kind: 'acme.test/*', reason: expect.any(String) }]);
    expect(end.errors).toHaveLength(1);
  });

  it('says that the cluster stopped answering, and evaluates what was listed until then', async () => {
    const server = await runningServer({ objects: [...configMaps(3), anObject('v1', 'Secret', 's', { namespace: 'shop' })] });
    server.fault('/api/v1/secrets', statusFault(401, 'Unauthorized'));
    const { names, end, cluster } = await scanned(server, [ruleOn('SP-002', ['ConfigMap']), SECRETS, PODS]);
    expect(names).toHaveLength(3);
    expect(end.errors).toEqual([
      { code: 'scan-interrupted', message: expect.stringContaining('What was listed before is still evaluated.'), location: null },
    ]);
    expect(end.summary.errors).toBe(1);
    expect(cluster.denied).toEqual(expect.arrayContaining([{ kind: 'Secret', reason: 'the cluster stopped answering' }]));
  });

  it('fails as a whole where the cluster stops answering before anything could be evaluated', async () => {
    const server = await runningServer();
    server.fault('/api/v1/namespaces', statusFault(401, 'Unauthorized'));
    const reading = ruleOn('SP-003', ['Secret +set'], { set: { Namespace: ['/metadata/labels'] } });
    await expect(scanned(server, [reading])).rejects.toMatchObject({ code: 'cluster-credentials' });
  });

  it('stops at once where its caller leaves', async () => {
    const server = await runningServer({ objects: configMaps(2000) });
    const { cluster } = await connectedTo(server);
    const stop = new AbortController();
    const run = scan({}, { cluster, engine: engineOf([ruleOn('SP-002', ['ConfigMap'])]), signal: stop.signal });
    await run.next();
    stop.abort(new Error('the caller has left'));
    await expect(Array.fromAsync(run)).rejects.toThrow('the caller has left');
  });
});

describe('objects that are odd', () => {
  it('are evaluated as far as they can be, and give errors that name them', async () => {
    const server = await runningServer({
      objects: [
        anObject('v1', 'Pod', 'a', { namespace: 'shop', spec: { containers: 'none' } }),
        anObject('v1', 'Pod', '__proto__', { namespace: 'shop', spec: JSON.parse('{"__proto__": {"hostPID": true}}') }),
        anObject('v1', 'Pod', 'big', { namespace: 'shop', spec: { containers: [], huge: 'x'.repeat(1_500_000) } }),
      ],
    });
    const { names, end } = await scanned(server, [PODS]);
    expect(names).toEqual(['Pod shop/__proto__', 'Pod shop/a', 'Pod shop/big']);
    expect(end.errors).toEqual([{ code: 'malformed', message: expect.stringMatching(/^Pod shop\/a: /), location: null }]);
  });
});
