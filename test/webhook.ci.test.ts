import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { certificateAuthority } from '../packages/plugin-k8s/src/cluster/testing/authority.test-support.js';
import { bylaw, folderOf, serveBylaw } from './run-cli.js';

const IMAGE = `registry.example.com/bylaw:0.1.0@sha256:${'7f3a'.repeat(16)}`;
const authority = certificateAuthority('webhook');

describe('bylaw webhook manifests', () => {
  it('prints manifests that pass `bylaw evaluate`, and a server by them answers the API server and nobody else', async () => {
    const cwd = folderOf();
    const { code, stdout } = await bylaw(['webhook', 'manifests', '--image', IMAGE, '--output', 'webhook.yaml'], { cwd });
    expect([code, stdout]).toEqual([0, '']);
    expect(await bylaw(['evaluate', 'webhook.yaml', '--fail-on', 'info'], { cwd })).toMatchObject({ code: 0 });

    const objects = parseAllDocuments(readFileSync(join(cwd, 'webhook.yaml'), 'utf8')).map((document) => document.toJS());
    const config = objects.find(({ kind }) => kind === 'ConfigMap').data['bylaw.yaml'];
    const { args } = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
    const { cert, key } = authority.issue({ commonName: 'server', addresses: ['127.0.0.1'] });
    const folder = folderOf({ 'config/bylaw.yaml': config, 'tls/tls.crt': cert, 'tls/tls.key': key });
    const here = args.slice(1).map((arg: string) => arg.replace('0.0.0.0', '127.0.0.1').replace('8443', '0').replace('/etc/bylaw', folder));
    const server = await serveBylaw({ cwd: folder, args: here });
    onTestFinished(server.stop);

    const path = objects.at(-1).webhooks[0].clientConfig.service.path;
    expect(await send(server.url, 'POST', `${path}?timeout=5s`, review())).toMatchObject({
      status: 200,
      body: { response: { allowed: false } },
    });
    expect(await send(server.url, 'GET', '/api/v1/health')).toMatchObject({ status: 200 });
    expect(await send(server.url, 'GET', '/api/v1/rules')).toMatchObject({ status: 401 });
    expect(await send(server.url, 'POST', '/api/v1/webhook/warn', review())).toMatchObject({ status: 401 });
  });

  it('puts the certificates of a bundle into the configuration, and nothing else of the file', async () => {
    const { key } = authority.issue({ commonName: 'x' });
    const cwd = folderOf({
      'ca.crt': `${key}# ours\n${authority.cert}`,
      'none.crt': key,
      'broken.crt': authority.cert.replace('MI', '!!'),
    });
    const flags = ['webhook', 'manifests', '--image', IMAGE, '--json', '--ca-bundle'];
    const { code, stdout } = await bylaw([...flags, 'ca.crt'], { cwd });
    expect(code).toBe(0);
    const { items } = JSON.parse(stdout);
    expect(Buffer.from(items.at(-1).webhooks[0].clientConfig.caBundle, 'base64').toString()).toBe(authority.cert);
    expect(stdout).not.toContain('inject-ca-from');
    for (const [file, what] of [
      ['none.crt', 'must contain certificates'],
      ['nowhere.crt', 'Cannot read the file'],
    ] as const)
      expect(await bylaw([...flags, file], { cwd })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(what) });
  });

  it.each([
    [['--image', 'a b'], '--image must be'],
    [['--image', IMAGE, '--namespace', 'Not/One'], '--namespace must be'],
    [[], 'image'],
  ])('refuses %j', async (flags, what) => {
    expect(await bylaw(['webhook', 'manifests', ...flags])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(what) });
  });
});

function review(): string {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'a', image: 'a', securityContext: { privileged: true } }] },
  };
  const of = { uid: 'u', operation: 'CREATE', kind: { group: '', version: 'v1', kind: 'Pod' }, namespace: 'shop', object };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: of });
}

async function send(url: string, method: string, path: string, body?: string): Promise<{ status: number | undefined; body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const sent = request(`${url}${path}`, { method, headers, ca: authority.cert, agent: false }).end(body);
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  return { status: answer?.statusCode, body: answer && (await json(answer)) };
}
