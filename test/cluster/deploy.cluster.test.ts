import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { bylawAlone, folderOf, ROOT } from '../run-cli.js';
import { serveCustomKinds } from './custom-kinds.js';
import { type ApiObject, collectionOf, create, tryStrictly } from './objects.js';
import { createShop } from './shop.js';
import { type ClusterUser, startCluster, type TestCluster } from './start-cluster.js';

const DEPLOY = join(ROOT, 'packages/plugin-k8s/deploy');
const SCHEMAS = join(ROOT, 'packages/plugin-k8s/src/export/policyreport/testing/crd-schemas.json');

let cluster: TestCluster;
let admin: ClusterUser;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
  admin = cluster.user('root', ['system:masters']);
  await createShop(cluster.admin);
});
afterAll(() => cluster?.stop());

describe('what the plugin ships for clusters', () => {
  it('is taken by a real API server, field by field and without a warning', async () => {
    // The namespace comes first, as in the command that the file names.
    for (const file of readdirSync(DEPLOY).sort().reverse()) {
      for (const object of parseAllDocuments(readFileSync(join(DEPLOY, file), 'utf8')).map((document): ApiObject => document.toJS())) {
        const { status, warnings, text } = await tryStrictly(cluster.admin, object);
        expect([status, warnings], text).toEqual([201, []]);
        await create(cluster.admin, String(await collectionOf(cluster.admin, object)), object);
      }
    }
  });

  it('lets its account scan all that an administrator could', async () => {
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const account = '/api/v1/namespaces/bylaw-system/serviceaccounts/bylaw-scan';
    const { body } = await cluster.admin.send('POST', `${account}/token`, { body: request });
    const config = JSON.parse(readFileSync(admin.kubeconfig, 'utf8'));
    config.users[0].user = { token: body.status.token };
    const file = join(folderOf(), 'config');
    writeFileSync(file, JSON.stringify(config));
    const [scanned, root] = await Promise.all(
      [file, admin.kubeconfig].map((KUBECONFIG) => bylawAlone(['scan', '--json'], { env: { KUBECONFIG } })),
    );
    expect(scanned?.stderr).toBe('');
    expect(scanned).toEqual(root);
  });
});

describe('policy reports', () => {
  it.each(['wgpolicy', 'openreports'])('of the API %s are taken as they are', async (api) => {
    const args = ['export', 'policyreport', '--cluster', '--api', api, '--timestamps'];
    const { code, stdout } = await bylawAlone(args, { env: { KUBECONFIG: admin.kubeconfig } });
    expect(code).toBe(0);
    const reports = parseAllDocuments(stdout).map((document): ApiObject => document.toJS());
    expect(reports.length).toBeGreaterThan(0);
    const { schemas } = JSON.parse(readFileSync(SCHEMAS, 'utf8'));
    await serveCustomKinds(cluster.admin, reports, ({ apiVersion, kind }) => structural(schemas[`${apiVersion}/${kind}`]));
    for (const report of reports) {
      const { status, warnings, text, body } = await tryStrictly(cluster.admin, report);
      expect([status, warnings], text).toEqual([201, []]);
      expect(body).toMatchObject(report);
    }
  });
});

/** As in a CustomResourceDefinition: the API server prunes what is not named, and may not be told to refuse it. */
function structural(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === 'additionalProperties' && value === false ? undefined : value)));
}
