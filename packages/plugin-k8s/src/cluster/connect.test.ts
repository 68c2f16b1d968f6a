import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from './connect.js';
import { certificateAuthority } from './testing/authority.test-support.js';
import { collected, connectedTo, runningServer, temporaryFolder, testTiming } from './testing/connected.test-support.js';
import { type Answer, htmlFault, resetFault, silentFault, statusFault } from './testing/faults.test-support.js';
import { servedKind } from './testing/kinds.test-support.js';
import { configMaps } from './testing/objects.test-support.js';
import { connectProxy, socksProxy } from './testing/proxies.test-support.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a connection', () => {
  it('tells the version of the server, and the context that it was made by', async () => {
    const { cluster } = await connectedTo(await runningServer());
    expect(cluster.context).toBe('test');
    expect(await cluster.version()).toBe('v1.34.1');
  });

  it('tells no version where the server keeps it to itself', async () => {
    const server = await runningServer();
    server.fault('/version', statusFault(403, 'Forbidden'));
    const { cluster } = await connectedTo(server);
    expect(await cluster.version()).toBe('unknown');
  });

  it('sends nothing before it is asked for something', async () => {
    const server = await runningServer();
    await connectedTo(server);
    expect(server.requests).toEqual([]);
  });

  it('uses its connections again', async () => {
    const server = await runningServer();
    const ports = new Set<number | undefined>();
    server.fault('/version', (request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"gitVersion":"v1"}');
    });
    const { cluster } = await connectedTo(server);
    for (let i = 0; i < 5; i++) await cluster.version();
    expect(ports.size).toBe(1);
  });

  it('finds an API below a path', async () => {
    const server = await runningServer();
    server.fault(
      '/k8s/clusters/one/version',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"gitVersion":"v1.30.0"}'),
    );
    const { cluster } = await connectedTo(server, { cluster: { server: `${server.url}/k8s/clusters/one/` } });
    expect(await cluster.version()).toBe('v1.30.0');
  });

  it('asks for no compression where the kubeconfig says so', async () => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server, { cluster: { 'disable-compression': true } });
    await cluster.version();
    expect(server.lastHeaders()['accept-encoding']).toBe('identity');
  });

  it('sends whom it acts as', async () => {
    const server = await runningServer();
    const user = { as: 'bob', 'as-uid': '7', 'as-groups': ['x', 'y'], 'as-user-extra': { 'example.com/scopes': ['a', 'b'] } };
    const { cluster } = await connectedTo(server, { user });
    await cluster.version();
    expect(server.lastHeaders()).toMatchObject({
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': 'x, y',
      'impersonate-extra-example.com%2fscopes': 'a, b',
    });
  });

  it('ends what is under way when it is closed', async () => {
    const server = await runningServer();
    const asked = Promise.withResolvers<void>();
    server.fault('/version', () => asked.resolve());
    const { cluster } = await connectedTo(server);
    const version = cluster.version();
    const failed = expect(version).rejects.toThrow('does not answer');
    await asked.promise;
    await cluster.close();
    await failed;
  });
});

describe('credentials', () => {
  it.each(['token', 'certificate'] as const)('let in by a %s', async (what) => {
    const server = await runningServer({ allow: { tokens: ['right'], commonNames: ['alice'] } });
    const { cert, key } = server.client('alice');
    const user = what === 'token' ? { token: 'right' } : { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    const { cluster } = await connectedTo(server, { user });
    expect(await cluster.version()).toBe('v1.34.1');
  });

  it('are named where the server does not take them, and not shown', async () => {
    const server = await runningServer({ allow: { tokens: ['right'] } });
    const { cluster } = await connectedTo(server, { user: { token: 'wrong' } });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-credentials',
      message: 'The cluster does not accept the credentials of the user "tester".',
      hint: expect.not.stringContaining('wrong'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('that have expired are called so', async () => {
    const server = await runningServer({ allow: { commonNames: ['alice'] } });
    const { cert, key } = server.client('alice', { until: new Date('2021-05-01T00:00:00Z') });
    const { cluster } = await connectedTo(server, { user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-credentials',
      message: 'The cluster does not accept the credentials of the user "tester". The client certificate expired on 2021-05-01.',
    });
  });

  it('that do not fit together are refused before they are sent', async () => {
    const server = await runningServer();
    const user = { 'client-certificate-data': base64(server.client('a').cert), 'client-key-data': base64(server.client('b').key) };
    const { cluster } = await connectedTo(server, { user });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'kubeconfig-invalid',
      message: expect.stringContaining('user "tester"'),
    });
  });

  it('are missed where the handshake already asks for a certificate', async () => {
    const server = await runningServer();
    const own = server.authority.issue({ commonName: 'strict', addresses: ['127.0.0.1'] });
    const strict = createHttpsServer({ ...own, ca: server.authority.cert, requestCert: true, rejectUnauthorized: true }).listen(
      0,
      '127.0.0.1',
    );
    await once(strict, 'listening');
    onTestFinished(() => void strict.close());
    const { port } = strict.address() as AddressInfo; // it listens on a port
    const { cluster } = await connectedTo(server, { cluster: { server: `https://127.0.0.1:${port}` } });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-credentials',
      message: expect.stringContaining('requires a client certificate that it accepts'),
    });
  });

  it('that cannot be sent are refused, and not shown', async () => {
    const { cluster } = await connectedTo(await runningServer(), { user: { token: 'two\nlines' } });
    await expect(cluster.version()).rejects.toMatchObject({ code: 'cluster-credentials', message: expect.not.stringContaining('lines') });
  });

  it('of a plugin are asked for again once when they are refused', async () => {
    const server = await runningServer({ allow: { tokens: ['t2'] } });
    const folder = await temporaryFolder();
    const script = `
      const fs = require('fs'), file = ${JSON.stringify(join(folder, 'count'))};
      fs.appendFileSync(file, 'x');
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 't' + fs.readFileSync(file).length } }))`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never',
    };
    const { cluster } = await connectedTo(server, { user: { exec } });
    expect(await cluster.version()).toBe('v1.34.1');
    server.fault('/version', statusFault(401, 'Unauthorized'));
    await expect(cluster.version()).rejects.toMatchObject({ code: 'cluster-credentials' });
    expect(server.requests).toHaveLength(4);
  });

  it('of a Pod are those of its account, and are read again when they rotate', async () => {
    const server = await runningServer({ allow: { tokens: ['second'] } });
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'token'), 'first');
    await writeFile(join(folder, 'ca.crt'), server.authority.cert);
    const { port } = new URL(server.url);
    const env = { HOME: folder, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: port };
    const cluster = await connect({ env, serviceAccountFolder: folder, timing: testTiming() });
    onTestFinished(() => cluster.close());
    await expect(cluster.version()).rejects.toMatchObject({ code: 'cluster-credentials' });
    await writeFile(join(folder, 'token'), 'second');
    expect(await cluster.version()).toBe('v1.34.1');
    expect(cluster.context).toBeNull();
  });

  it('are not sent where everybody could read them', async () => {
    let authorization: string | undefined = 'none asked';
    const url = await httpServer((request, response) => {
      authorization = request.headers.authorization;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"gitVersion":"v1.34.0"}');
    });
    const { cluster } = await connectedTo(await runningServer(), {
      cluster: { server: url, 'certificate-authority-data': undefined },
      user: { token: 't' },
    });
    expect(await cluster.version()).toBe('v1.34.0');
    expect(authorization).toBeUndefined();
  });
});

describe('an ID token', () => {
  const token = (exp: string) => `e30.${Buffer.from(JSON.stringify({ exp: Date.parse(exp) / 1000 })).toString('base64url')}.x`;
  const provider = (config: object) => ({ user: { 'auth-provider': { name: 'oidc', config } } });

  it('is sent as long as it is valid', async () => {
    const valid = token('2026-01-02T03:05:00Z');
    const server = await runningServer({ allow: { tokens: [valid] } });
    const { cluster } = await connectedTo(server, provider({ 'id-token': valid }));
    expect(await cluster.version()).toBe('v1.34.1');
  });

  it.each([
    ['has expired', { 'id-token': token('2025-01-01T00:00:00Z'), 'refresh-token': 'r' }, 'The ID token in the kubeconfig has expired.'],
    ['is not there', {}, 'The kubeconfig contains no ID token.'],
  ])('that %s leads to kubectl, and the refresh token is left alone', async (_, config, message) => {
    const server = await runningServer();
    const { cluster } = await connectedTo(server, provider({ ...config, 'idp-issuer-url': server.url }));
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-credentials',
      message,
      hint: expect.stringContaining('kubectl'),
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a server that cannot be trusted', () => {
  it.each([
    ['has expired', { expired: true }, {}, 'has an expired certificate'],
    [
      'is of another authority',
      {},
      { 'certificate-authority-data': base64(certificateAuthority('other').cert) },
      'has a certificate that cannot be trusted',
    ],
    ['bears another name', { names: ['elsewhere.example'] }, {}, 'has a certificate for a different name'],
  ])('is refused where its certificate %s', async (_, options, entries, message) => {
    const server = await runningServer(options);
    const { cluster, timing } = await connectedTo(server, { cluster: entries });
    await expect(cluster.version()).rejects.toMatchObject({ code: 'cluster-certificate', message: expect.stringContaining(message) });
    expect(server.requests).toEqual([]);
    expect(timing.waits).toEqual([]);
  });

  it('is trusted by the name that the kubeconfig gives it', async () => {
    const server = await runningServer({ names: ['elsewhere.example'] });
    const { cluster } = await connectedTo(server, { cluster: { 'tls-server-name': 'elsewhere.example' } });
    expect(await cluster.version()).toBe('v1.34.1');
  });

  it('is asked all the same where the kubeconfig says not to look', async () => {
    const server = await runningServer({ expired: true, names: ['elsewhere.example'] });
    const { cluster } = await connectedTo(server, {
      cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined },
    });
    expect(await cluster.version()).toBe('v1.34.1');
  });
});

describe('a server that is not there', () => {
  it('is said to be so at once', async () => {
    const server = await runningServer();
    const port = await closedPort();
    const { cluster, timing } = await connectedTo(server, { cluster: { server: `https://127.0.0.1:${port}` } });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: `The API server https://127.0.0.1:${port} does not answer: nothing listens at this address.`,
    });
    expect(timing.waits).toEqual([]);
  });

  it('is waited for once it has answered', async () => {
    const server = await runningServer({ objects: configMaps(1) });
    const { cluster, timing } = await connectedTo(server);
    await cluster.version();
    await server.close();
    await expect(collected(cluster.list(servedKind('configmaps')))).rejects.toMatchObject({ code: 'cluster-unreachable' });
    expect(timing.waits).toHaveLength(4);
  });

  it('is given up where it does not say a word', async () => {
    const server = await runningServer();
    server.fault('/version', silentFault);
    const { cluster } = await connectedTo(server, { limits: { idleMs: 20 } });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringContaining('takes too long to answer'),
    });
  });

  it('is given up where it does not shake hands', async () => {
    const mute = createTcpServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo; // it listens on a port
    const { cluster } = await connectedTo(await runningServer(), {
      cluster: { server: `https://127.0.0.1:${port}` },
      limits: { connectMs: 20 },
    });
    await expect(cluster.version()).rejects.toMatchObject({ code: 'cluster-unreachable' });
  });

  it('is given up where it closes every connection', async () => {
    const server = await runningServer();
    server.fault('/version', resetFault);
    const { cluster } = await connectedTo(server);
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringContaining('closes the connection'),
    });
    expect(server.requests).toHaveLength(5);
  });
});

const redirection: Answer = (_, response) => void response.writeHead(302, { location: 'https://login.example' }).end();

describe('a server that is no API server', () => {
  it.each([
    ['a page', htmlFault()],
    ['a page that is not there', htmlFault(404)],
    ['a way elsewhere', redirection],
  ])('is called so where it answers %s', async (_, fault) => {
    const server = await runningServer();
    server.fault('/', fault);
    const { cluster } = await connectedTo(server);
    await expect(cluster.version()).rejects.toMatchObject({ code: 'not-an-api-server', message: expect.stringContaining(server.url) });
    await expect(cluster.discover()).rejects.toMatchObject({ code: 'not-an-api-server' });
  });

  it('is called so where it speaks without TLS, or with', async () => {
    const server = await runningServer();
    const plain = await httpServer((_, response) => void response.end());
    const { cluster } = await connectedTo(server, { cluster: { server: plain.replace('http:', 'https:') } });
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'not-an-api-server',
      message: expect.stringContaining('does not use the protocol'),
    });
    const { cluster: other } = await connectedTo(server, {
      cluster: { server: server.url.replace('https:', 'http:'), 'certificate-authority-data': undefined },
    });
    await expect(other.version()).rejects.toMatchObject({ code: expect.stringMatching(/^(not-an-api-server|cluster-unreachable)$/) });
  });
});

describe('a proxy', () => {
  it.each([
    ['an HTTP proxy', () => connectProxy()],
    ['an HTTP proxy with a password', () => connectProxy('me:pa%20ss'.replace('%20', '-'))],
    ['a SOCKS proxy', () => socksProxy()],
  ])('leads to the server: %s', async (_, start) => {
    const proxy = await start();
    const server = await runningServer();
    const { port } = new URL(server.url);
    const { cluster } = await connectedTo(server, { cluster: { server: `https://localhost:${port}`, 'proxy-url': proxy.url } });
    expect(await cluster.version()).toBe('v1.34.1');
    expect(await cluster.version()).toBe('v1.34.1');
    expect(proxy.targets).toEqual([`localhost:${port}`]);
  });

  it('of the environment leads to servers elsewhere, and not to this machine', async () => {
    const proxy = await connectProxy();
    const server = await runningServer({ names: ['cluster.example'] });
    const { port } = new URL(server.url);
    const env = { HTTPS_PROXY: proxy.url };
    const { cluster } = await connectedTo(server, { env, cluster: { server: `https://cluster.example:${port}` } });
    expect(await cluster.version()).toBe('v1.34.1');
    expect(proxy.targets).toEqual([`cluster.example:${port}`]);
    const { cluster: near } = await connectedTo(await runningServer(), { env });
    await near.version();
    expect(proxy.targets).toHaveLength(1);
  });

  it.each(['an HTTP proxy that refuses', 'an HTTP proxy that is not there', 'a SOCKS proxy that is not there'])(
    'is named where it does not lead there: %s',
    async (which) => {
      const refusing = await connectProxy('me:secret');
      const gone = `127.0.0.1:${await closedPort()}`;
      const url = which.endsWith('refuses')
        ? refusing.url.replace('secret', 'other')
        : which.startsWith('a SOCKS')
          ? `socks5://${gone}`
          : `http://${gone}`;
      const { cluster } = await connectedTo(await runningServer(), { cluster: { 'proxy-url': url } });
      await expect(cluster.version()).rejects.toMatchObject({
        code: 'cluster-unreachable',
        message: expect.stringMatching(/^The API server \S+ cannot be reached through the proxy 127\.0\.0\.1:\d+\.$/),
      });
    },
  );
});

async function closedPort(): Promise<number> {
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo; // it listens on a port
  closed.close();
  await once(closed, 'close');
  return port;
}

async function httpServer(listener: Parameters<typeof createServer>[1] & object): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}
