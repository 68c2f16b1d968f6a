import type { Worker } from 'node:worker_threads';
import { endpointTool } from '@bylaw/core/endpoint/host';
import { requestCheck } from '@bylaw/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runningServer } from '../../cluster/testing/connected.test-support.js';
import { type Answer, statusFault } from '../../cluster/testing/faults.test-support.js';
import { anObject, runningDeployment } from '../../cluster/testing/objects.test-support.js';
import { SCAN_REPORT } from './scan-body.js';
import { SCANS, scanCluster } from './scan-endpoint.js';
import { scanningServer } from './services.test-support.js';

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

describe('POST /api/v1/scan', () => {
  it('answers what is found in the cluster of the server, and what was looked at', async () => {
    const { post } = await scanningServer(await runningServer({ objects: [NAMESPACE, ...runningDeployment('web', 'shop')] }));
    const { status, json } = await post({ rules: ['CS-002', 'SP-013'] });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      findings: [{ rule_id: 'CS-002', resource: { kind: 'Deployment', namespace: 'shop', name: 'web' }, location: null }],
      errors: [],
      summary: { resources: 1, rules: 2 },
      cluster: { version: 'v1.34.1', context: 'test', namespaces: null, denied: [], rules_not_applied: [] },
    });
    expect(requestCheck(SCAN_REPORT)(json)).toEqual([]);
  });

  it('takes namespaces, kinds and filters', async () => {
    const { post } = await scanningServer(await runningServer({ objects: [NAMESPACE, ...runningDeployment('web', 'shop')] }));
    const { json } = await post({ namespaces: ['shop'], kinds: ['pods'], severities: ['high'], include_passed: true });
    expect(json).toMatchObject({ cluster: { namespaces: ['shop'], resources_by_kind: { Pod: 1 } } });
    expect((json['findings'] as { severity: string }[]).every(({ severity }) => severity === 'HIGH')).toBe(true);
  });

  it('tells a partial scan as such', async () => {
    const cluster = await runningServer();
    cluster.forbid('secrets');
    const { post } = await scanningServer(cluster);
    expect((await post({ categories: ['SP'] })).json).toMatchObject({
      errors: [{ code: 'kind-not-listed' }],
      summary: { errors: 1 },
      cluster: { denied: [{ kind: 'Secret', reason: expect.stringContaining('forbidden') }] },
    });
  });

  it.each([
    ['no JSON', 'x', 400, 'invalid-json'],
    ['an unknown member', { kubeconfig: '/root/.kube/config' }, 422, 'schema'],
    ['no namespace at all', { namespaces: [] }, 422, 'schema'],
    ['a namespace that cannot be one', { namespaces: ['../../nodes'] }, 422, 'schema'],
    ['settings that no pack has', { packs: { k8s: { allowed_registries: 1 } } }, 422, 'schema'],
    ['an unknown rule', { rules: ['CS-999'] }, 422, 'rule-unknown'],
    ['an unknown kind', { kinds: ['Deploymnt'] }, 422, 'kind-unknown'],
    ['an unknown namespace', { namespaces: ['shpo'] }, 422, 'namespace-unknown'],
    ['a context that is not allowed', { context: 'production' }, 422, 'context-not-allowed'],
  ])('refuses %s, and repeats nothing of it', async (_, body, status, code) => {
    const { post } = await scanningServer(await runningServer({ objects: [NAMESPACE] }));
    const answer = await post(body);
    expect(answer).toMatchObject({ status, json: { code } });
    expect(answer.text).not.toMatch(/Deploymnt|shpo|production|CS-999|root/);
  });

  it('scans other contexts where the configuration names them', async () => {
    const { post } = await scanningServer(await runningServer(), 'scan: {contexts: [test]}\n');
    expect(await post({ context: 'test', rules: ['CS-001'] })).toMatchObject({ status: 200, json: { cluster: { context: 'test' } } });
  });

  it('says whose fault it is where the cluster cannot be scanned, and not how it is reached', async () => {
    const cluster = await runningServer();
    const { post, lines } = await scanningServer(cluster);
    cluster.fault('/', statusFault(401, 'Unauthorized'));
    const refused = await post({});
    expect(refused).toMatchObject({ status: 502, json: { code: 'cluster-refused' } });
    await cluster.close();
    const gone = await post({});
    expect(gone).toMatchObject({ status: 502, json: { code: 'cluster-unreachable' } });
    expect(refused.json).not.toHaveProperty('detail');
    expect(gone.json).not.toHaveProperty('detail');
    expect(lines.join('')).toContain('"code":"cluster-unreachable"');
  });

  it('says that the server has no cluster', async () => {
    const { post } = await scanningServer({ kubeconfig: () => '{' });
    expect(await post({})).toMatchObject({ status: 503, json: { code: 'no-cluster' } });
  });
});

describe('the scans of a server', () => {
  it('go on one at a time; the next caller is told to come back, and let in after that', async () => {
    const cluster = await runningServer({ objects: [anObject('v1', 'Secret', 's', { namespace: 'shop' })] });
    const { post } = await scanningServer(cluster);
    const asked = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    const late: Answer = (request, response) => {
      asked.resolve();
      void open.promise.then(() => statusFault(403, 'Forbidden')(request, response));
    };
    cluster.fault('/api/v1/secrets', late, 1);
    const first = post({ rules: ['SP-013'] });
    await asked.promise;
    const second = await post({ rules: ['SP-013'] });
    expect(second).toMatchObject({ status: 503, json: { code: 'overloaded' } });
    expect(second.headers.get('retry-after')).toBe('10');
    open.resolve();
    expect((await first).status).toBe(200);
    expect((await post({ rules: ['SP-013'] })).json).toMatchObject({ errors: [], summary: { resources: 1 } });
  });

  it('end at their deadline, or with their thread, and the next one is let in', async () => {
    const cluster = await runningServer();
    const { post, services } = await scanningServer(cluster);
    const starts: Worker[] = [];
    const onWorker = (worker: Worker) => void starts.push(worker);
    process.on('worker', onWorker);
    onTestFinished(() => void process.off('worker', onWorker));
    services.threads.open(SCANS, { deadlineMs: 10_000 });
    const askedSilently = () => {
      const asked = Promise.withResolvers<void>();
      cluster.fault('/api/v1/secrets', () => asked.resolve(), 1);
      return asked.promise;
    };
    void askedSilently();
    const late = await post({ rules: ['SP-013'] });
    expect(late).toMatchObject({ status: 503, json: { code: 'evaluation-timeout' } });
    expect(late.headers.get('retry-after')).toBe('10');
    const asked = askedSilently();
    const broken = post({ rules: ['SP-013'] });
    await asked;
    await starts.at(-1)?.terminate();
    expect(await broken).toMatchObject({ status: 500 });
    expect((await post({ rules: ['SP-013'] })).status).toBe(200);
  });

  it('end when the caller leaves, or the server stops', async () => {
    const cluster = await runningServer();
    const { services } = await scanningServer(cluster);
    let asked = Promise.withResolvers<void>();
    cluster.fault('/api/v1/secrets', () => asked.resolve());
    const leaving = new AbortController();
    const scan = async (signal: AbortSignal) => endpointTool(scanCluster, services)?.answer({ rules: ['SP-013'] }, signal);
    const left = scan(leaving.signal);
    await asked.promise;
    leaving.abort(new Error('the caller has left'));
    await expect(left).rejects.toThrow('the caller has left');
    asked = Promise.withResolvers();
    const stopped = scan(new AbortController().signal);
    await asked.promise;
    void services.threads.close();
    await expect(stopped).rejects.toThrow('the server is stopping');
  });
});
