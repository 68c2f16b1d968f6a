import { writeFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { join } from 'node:path';
import { systemClock } from '@bylaw/core/clock';
import { KubeConfig } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { credentialSource } from '../credentials/index.js';
import { certificateAuthority } from '../testing/authority.test-support.js';
import { temporaryFolder } from '../testing/connected.test-support.js';
import { findAccess } from './index.js';

const authority = certificateAuthority('some-ca');
const client = authority.issue({ commonName: 'alice' });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const clientData = { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) };
const execPlugin = (status: object) => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  command: process.execPath,
  args: [
    '-e',
    `console.log(${JSON.stringify(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }))})`,
  ],
  env: [],
  interactiveMode: 'Never',
});

it.each<[string, object, object]>([
  ['a token', {}, { token: 'abc' }],
  ['a certificate', { 'certificate-authority-data': base64(authority.cert) }, clientData],
  ['files', { 'certificate-authority': 'ca.crt' }, { 'client-certificate': 'client.crt', 'client-key': './client.key' }],
  ['a password', { 'insecure-skip-tls-verify': true }, { username: 'a', password: 'b' }],
  ['a plugin with a token', { 'tls-server-name': 'other.example' }, { exec: execPlugin({ token: 'from-plugin' }) }],
  ['a plugin with a certificate', {}, { exec: execPlugin({ clientCertificateData: client.cert, clientKeyData: client.key }) }],
  ['another user to act as', {}, { token: 'abc', as: 'bob' }],
  ['a path', { server: 'https://cluster.example/k8s/clusters/one/' }, { token: 'abc' }],
])('reads a kubeconfig with %s as the official client does', async (_, cluster, user) => {
  const folder = await temporaryFolder();
  const kubeconfig = join(folder, 'config');
  await writeFile(join(folder, 'ca.crt'), authority.cert);
  await writeFile(join(folder, 'client.crt'), client.cert);
  await writeFile(join(folder, 'client.key'), client.key);
  await writeFile(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://cluster.example:6443', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );

  expect(await ours(kubeconfig)).toEqual(await theirs(kubeconfig));
});

async function ours(kubeconfig: string) {
  const { server, tls, user } = await findAccess({ kubeconfig, env: {}, serviceAccountFolder: '/nowhere' });
  const source = credentialSource(user, { clock: systemClock, env: {}, interactive: false, pluginMs: 60_000 });
  const { authorization, certificate } = await source.current(new AbortController().signal);
  return {
    server: server.href.replace(/\/$/, ''),
    authorization,
    ca: tls.ca,
    cert: certificate?.cert,
    key: certificate?.key,
    insecure: tls.insecure,
    serverName: tls.serverName,
    as: user.impersonate?.name,
  };
}

async function theirs(path: string) {
  const kubeconfig = new KubeConfig();
  kubeconfig.loadFromFile(path);
  const options: RequestOptions = {};
  await kubeconfig.applyToHTTPSOptions(options);
  const headers = new Map(Object.entries(options.headers ?? {}));
  return {
    server: kubeconfig.getCurrentCluster()?.server,
    authorization: options.auth == null ? headers.get('Authorization') : `Basic ${base64(options.auth)}`,
    ca: textIfGiven(options.ca),
    cert: textIfGiven(options.cert),
    key: textIfGiven(options.key),
    insecure: options.rejectUnauthorized === false,
    serverName: options.servername,
    as: headers.get('Impersonate-User'),
  };
}

/** It gives PEM as bytes. */
function textIfGiven(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
