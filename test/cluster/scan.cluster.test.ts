import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { bylawAlone, folderOf, ROOT, startBylaw } from '../run-cli.js';
import { type ApiObject, create } from './objects.js';
import { type ClusterRole, grant } from './rbac.js';
import { createShop, deployment, pod } from './shop.js';
import { type ClusterUser, startCluster, type TestCluster } from './start-cluster.js';

/** What the plugin ships. */
const SHIPPED = parseAllDocuments(readFileSync(join(ROOT, 'packages/plugin-k8s/deploy/clusterrole.yaml'), 'utf8'))
  .map((document): ClusterRole => document.toJS())
  .find(({ kind }) => kind === 'ClusterRole') as ClusterRole; // without it no test passes

interface Report {
  findings: { rule_id: string; resource: { kind: string; namespace: string; name: string } }[];
  errors: unknown[];
  summary: { resources: number };
  cluster: { version: string; context: string; resources_by_kind: { [kind: string]: number }; denied: { kind: string; reason: string }[] };
}

let cluster: TestCluster;
let scanner: ClusterUser;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
  await createShop(cluster.admin);
  await grant(cluster.admin, SHIPPED, 'scanner');
  scanner = cluster.user('scanner');
});
afterAll(() => cluster?.stop());

async function scan(user: ClusterUser, ...args: string[]): Promise<{ code: number | string; report: Report; stderr: string }> {
  const { code, stdout, stderr } = await bylawAlone(['scan', '--json', ...args], { env: { KUBECONFIG: user.kubeconfig } });
  return { code, report: JSON.parse(stdout || 'null'), stderr };
}

/** `Deployment shop/web`, of each finding of the rule. */
function places({ findings }: Report, rule: string): string[] {
  const found = findings.filter(({ rule_id }) => rule_id === rule);
  return found.map(({ resource: { kind, namespace, name } }) => `${kind} ${namespace}/${name}`).sort();
}

describe('a scan with the rights of the shipped ClusterRole', () => {
  it('lists all kinds that a rule looks at, and counts what a controller made with the controller', async () => {
    const { code, report } = await scan(scanner);
    expect(code).toBe(1);
    expect(places(report, 'CS-001')).toEqual(['CronJob shop/nightly', 'Deployment shop/web', 'Pod shop/debug']);
    expect(report.errors).toEqual([]);
    expect(report.cluster).toMatchObject({ version: inject('programs').version, context: 'test', denied: [] });
    expect(report.cluster.resources_by_kind).toMatchObject({ CronJob: 1, Deployment: 1, Pod: 1, Job: 0, ReplicaSet: 0 });
  });

  it('finds the same as an administrator does', async () => {
    const admin = cluster.user('root', ['system:masters']);
    expect((await scan(scanner)).report).toEqual((await scan(admin)).report);
  });

  it('asks for nothing but get, list and watch', async () => {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'shop' } };
    const review = await scanner.client.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { body });
    const rules: { verbs: string[]; apiGroups: string[] }[] = review.body.status.resourceRules;
    // What every user may do: ask about itself.
    const own = rules.filter(({ apiGroups }) => !apiGroups.some((group) => /^(authentication|authorization)\.k8s\.io$/.test(group)));
    expect(new Set(own.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
  });

  it.each([
    ['POST', '/api/v1/namespaces/shop/pods'],
    ['PUT', '/api/v1/namespaces/shop/pods/debug'],
    ['DELETE', '/apis/apps/v1/namespaces/shop/deployments/web'],
    ['DELETE', '/api/v1/namespaces/shop/secrets'],
    ['POST', '/api/v1/namespaces/shop/serviceaccounts/default/token'],
    ['GET', '/api/v1/namespaces/shop/pods/debug/log'],
    ['GET', '/api/v1/namespaces/shop/pods/debug/exec?command=sh'],
    ['GET', '/api/v1/namespaces/shop/events'],
    ['GET', '/metrics'],
  ])('is refused %s %s', async (method, path) => {
    const sent = method === 'GET' || method === 'DELETE' ? {} : { body: pod('debug') };
    expect((await scanner.client.send(method, path, sent)).status).toBe(403);
  });
});

describe('a scan of a part', () => {
  it('names the kind that it may not list, says so by its exit code, and evaluates what that kind would have stood for', async () => {
    const rules = SHIPPED.rules.map((rule) => ({ ...rule, resources: rule.resources.filter((resource) => resource !== 'cronjobs') }));
    await grant(cluster.admin, { ...SHIPPED, metadata: { name: 'without-cronjobs' }, rules }, 'partial');
    const partial = cluster.user('partial');
    const { code, report } = await scan(partial);
    expect([code, report.cluster.denied]).toEqual([2, [{ kind: 'CronJob', reason: expect.stringContaining('forbidden') }]]);
    expect(places(report, 'CS-001')).toEqual(['Deployment shop/web', 'Job shop/nightly-1', 'Pod shop/debug']);
    const text = await bylawAlone(['scan'], { env: { KUBECONFIG: partial.kubeconfig } });
    expect([text.code, text.stdout]).toEqual([2, expect.stringContaining('CronJob')]);
  });

  it('keeps to its namespaces', async () => {
    await create(cluster.admin, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' } });
    const made = await create(cluster.admin, '/apis/apps/v1/namespaces/bank/deployments', deployment('vault'));
    const { report } = await scan(scanner, '-n', 'bank');
    expect(places(report, 'CS-001')).toEqual(['Deployment bank/vault']);
    await cluster.admin.send('DELETE', `/apis/apps/v1/namespaces/bank/deployments/${made.metadata.name}`);
  });

  it('says that it was refused everything where nothing is granted', async () => {
    const { code, report } = await scan(cluster.user('nobody'));
    expect(code).toBe(2);
    expect(report.findings).toEqual([]);
    expect(report.cluster.denied.length).toBeGreaterThan(10);
  });
});

describe('a scan of many', () => {
  it('pages through all of them', async () => {
    const names = Array.from({ length: 1_250 }, (_, index) => `entry-${index}`);
    while (names.length > 0) {
      const bodies = names.splice(0, 25).map((name): ApiObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }));
      await Promise.all(bodies.map((body) => create(cluster.admin, '/api/v1/namespaces/shop/configmaps', body)));
    }
    const { report } = await scan(scanner, '--kind', 'ConfigMap', '-n', 'shop');
    expect(report.cluster.resources_by_kind).toEqual({ ConfigMap: 1_250 });
  });
});

describe('a scan that watches', () => {
  it('tells each finding that comes and goes, until it is stopped', async () => {
    const child = startBylaw(['scan', '--watch', '--json', '-n', 'shop'], { env: { KUBECONFIG: scanner.kubeconfig } });
    const told: { type: string; finding?: { rule_id: string; resource: { name: string } } }[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
    const changes = () =>
      told
        .filter(({ type, finding }) => type !== 'found' && finding?.rule_id === 'CS-001')
        .map(({ type, finding }) => `${type} ${finding?.resource.name}`);
    await expect.poll(() => told.some(({ type }) => type === 'scanned')).toBe(true);
    const deployments = '/apis/apps/v1/namespaces/shop/deployments';
    await create(cluster.admin, deployments, deployment('api'));
    await expect.poll(changes).toEqual(['introduced api']);
    const mended = deployment('api', { containers: [{ name: 'web', image: 'registry.example/web:1.0' }] });
    await cluster.admin.send('PUT', `${deployments}/api`, { body: mended });
    await expect.poll(changes).toEqual(['introduced api', 'resolved api']);
    await create(cluster.admin, '/api/v1/namespaces/shop/pods', pod('late'));
    await expect.poll(changes).toEqual(['introduced api', 'resolved api', 'introduced late']);
    await cluster.admin.send('DELETE', '/api/v1/namespaces/shop/pods/late?gracePeriodSeconds=0');
    await expect.poll(changes).toEqual(['introduced api', 'resolved api', 'introduced late', 'resolved late']);
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(child.exitCode).toBe(1);
  });
});

describe('a scan that cannot begin', () => {
  it('says that a certificate of the API server is of an unknown authority', async () => {
    const other = JSON.parse(readFileSync(scanner.kubeconfig, 'utf8'));
    delete other.clusters[0].cluster['certificate-authority-data'];
    const folder = folderOf({ config: JSON.stringify(other) });
    const { code, stderr } = await bylawAlone(['scan'], { env: { KUBECONFIG: join(folder, 'config') } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('certificate')]);
  });

  it('says that the credentials are not taken', async () => {
    const other = JSON.parse(readFileSync(scanner.kubeconfig, 'utf8'));
    other.users[0].user = { token: 'not-a-token-of-this-cluster' };
    const file = join(folderOf(), 'config');
    writeFileSync(file, JSON.stringify(other));
    const { code, stdout, stderr } = await bylawAlone(['scan'], { env: { KUBECONFIG: file } });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('does not accept the credentials')]);
    expect(stderr).not.toContain('not-a-token');
  });
});
