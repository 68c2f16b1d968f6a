import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clusterRole, grant } from './rbac.js';
import { startCluster, type TestCluster } from './start-cluster.js';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
});
afterAll(() => cluster?.stop());

describe('the API server under test', () => {
  it('is the release that go.mod names', async () => {
    const { body } = await cluster.admin.send('GET', '/version');
    expect(body.gitVersion).toBe(inject('programs').version);
  });

  it('serves ValidatingAdmissionPolicy and ValidatingWebhookConfiguration', async () => {
    const { body } = await cluster.admin.send('GET', '/apis/admissionregistration.k8s.io/v1');
    const kinds = body.resources.map((resource: { kind: string }) => resource.kind);
    expect(kinds).toEqual(expect.arrayContaining(['ValidatingAdmissionPolicy', 'ValidatingWebhookConfiguration']));
  });

  it('knows users by their certificates, and grants them what RBAC says', async () => {
    const { client } = cluster.user('ann');
    const before = await client.send('GET', '/api/v1/namespaces/default/pods');
    expect([before.status, before.body.message]).toEqual([403, expect.stringContaining('User "ann" cannot list resource "pods"')]);
    await grant(cluster.admin, clusterRole('reads-pods', [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]), 'ann');
    expect((await client.send('GET', '/api/v1/namespaces/default/pods')).status).toBe(200);
  });

  it('refuses who is unknown', async () => {
    expect((await cluster.anyone.send('GET', '/api/v1/pods')).status).toBe(403);
    expect((await cluster.anyone.send('GET', '/api/v1/pods', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  it('shows warnings as a client gets them', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
    };
    const answer = await cluster.admin.send('POST', '/api/v1/namespaces/default/pods?dryRun=All', { body: pod });
    expect([answer.status, answer.warnings]).toEqual([201, [expect.stringContaining('hides previous definition of "A"')]]);
  });

  it('forgets old revisions when told to', async () => {
    for (const name of ['one', 'two', 'three']) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      expect((await cluster.admin.send('POST', '/api/v1/namespaces/default/configmaps', { body })).status).toBe(201);
    }
    const first = await cluster.admin.send('GET', '/api/v1/namespaces/default/configmaps?limit=1');
    await cluster.compact();
    const path = `/api/v1/namespaces/default/configmaps?limit=1&continue=${first.body.metadata.continue}`;
    await expect.poll(async () => (await cluster.admin.send('GET', path)).status).toBe(410);
  });
});
