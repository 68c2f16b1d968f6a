import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { connect, type PeerCertificate, TLSSocket } from 'node:tls';
import { defineEndpoint } from '@bylaw/core/endpoint';
import { json } from '@bylaw/core/http';
import type { InstalledPlugin } from '@bylaw/core/plugin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from './certificate.test-support.js';
import { type TestServices, testServices } from './services.test-support.js';
import { type StartedServer, startServer } from './start-server.js';
import { readTls, type TlsFiles, watchTls } from './tls.js';

let fixture: TestServices;
let files: TlsFiles;

beforeAll(async () => {
  fixture = await testServices();
  files = { cert: join(fixture.folder, 'tls.crt'), key: join(fixture.folder, 'tls.key') };
});

afterAll(() => fixture.remove());

async function write({ cert, key }: { cert: string; key: string }): Promise<void> {
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
}

/** One request over TLS, with the name in the certificate that it was answered under. */
async function ask(url: string): Promise<{ name: PeerCertificate['subject']['CN']; answer: string }> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const name = socket.getPeerCertificate().subject.CN;
  socket.write('GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return { name, answer };
}

describe('TLS', () => {
  it('serves HTTPS, and ends in order', async () => {
    await write(selfSigned('first'));
    const server = await startServer({ services: fixture.services, plugins: [], version: '1', port: 0, threads: 1, tls: files });
    expect(server.url).toMatch(/^https:/);
    const { name, answer } = await ask(server.url);
    expect(name).toBe('first');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    await server.close();
  });

  it('hands over new certificates when the files change, and keeps the old ones while they do not fit', async () => {
    const first = selfSigned('first');
    await write(first);
    const second = selfSigned('second');
    const taken = new Set<string>(); // a file met half written may count as another
    const stop = watchTls(files, await readTls(files), ({ cert }) => taken.add(cert), fixture.services.log, 5);
    await writeFile(files.cert, second.cert);
    await writeFile(files.key, second.key);
    await expect.poll(() => [...taken]).toEqual([second.cert]);
    await writeFile(files.key, 'nonsense');
    await writeFile(files.key, first.key);
    await writeFile(files.cert, first.cert);
    await expect.poll(() => [...taken]).toEqual([second.cert, first.cert]);
    stop();
  });

  describe('with authorities of client certificates', () => {
    const authority = selfSigned('kube-apiserver');
    const clientCa = () => join(fixture.folder, 'clients.crt');
    /** Tells whom the server takes the client for. */
    const whoami: InstalledPlugin = {
      packageName: 'who',
      root: '',
      version: '1',
      plugin: {
        name: 'who',
        endpoints: [
          defineEndpoint({
            method: 'GET',
            path: '/who',
            auth: { summary: 'Anyone.', anyAccept: false, guard: () => ({ auth: 'open' }) },
            id: 'who',
            tag: 'service',
            summary: 'w',
            responses: { 200: { description: 'w', schema: {} } },
            respond: async ({ raw: { socket } }) =>
              json(200, socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : null),
          }),
        ],
      },
    };

    async function who(url: string, client: { cert?: string; key?: string } = {}): Promise<unknown> {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      get(`${url}/who`, { rejectUnauthorized: false, agent: false, ...client }, resolve).on('error', reject);
      return new Response(Readable.toWeb(await promise) as ReadableStream).json(); // the two types of web streams differ in name only
    }

    async function start(): Promise<StartedServer> {
      const { services } = fixture;
      const config = { ...services.config, api: { ...services.config.api, client_ca: clientCa() } };
      return startServer({ services: { ...services, config }, plugins: [whoami], version: '1', port: 0, threads: 1, tls: files });
    }

    it('knows a client by its certificate, and serves all others as strangers', async () => {
      await write(selfSigned('server'));
      await writeFile(clientCa(), authority.cert);
      const server = await start();
      expect(await who(server.url, authority)).toBe('kube-apiserver');
      expect(await who(server.url)).toBeNull();
      expect(await who(server.url, selfSigned('kube-apiserver'))).toBeNull();
      await server.close();
    });

    it('takes new authorities without a restart', async () => {
      await write(selfSigned('server'));
      const next = selfSigned('kube-apiserver');
      await writeFile(clientCa(), authority.cert);
      const taken: (string | undefined)[] = [];
      const both = { ...files, clientCa: clientCa() };
      const stop = watchTls(both, await readTls(both), ({ clientCa: text }) => taken.push(text), fixture.services.log, 5);
      await writeFile(clientCa(), next.cert);
      await expect.poll(() => taken).toEqual([next.cert]);
      stop();
    });

    it('refuses a file without certificates, and a server without TLS', async () => {
      await write(selfSigned('server'));
      for (const text of ['', 'nonsense', authority.key, authority.cert.replace('MI', '!!')]) {
        await writeFile(clientCa(), text);
        await expect(start()).rejects.toMatchObject({ code: 'path-unreadable' });
      }
      await writeFile(clientCa(), authority.cert);
      const { services } = fixture;
      const config = { ...services.config, api: { ...services.config.api, client_ca: clientCa() } };
      await expect(startServer({ services: { ...services, config }, plugins: [], version: '1', port: 0 })).rejects.toMatchObject({
        code: 'usage',
      });
    });
  });

  it('refuses files that are missing, or are not a certificate and its key', async () => {
    await expect(readTls({ ...files, cert: join(fixture.folder, 'nowhere') })).rejects.toMatchObject({ code: 'path-unreadable' });
    await write({ ...selfSigned('one'), key: selfSigned('two').key });
    await expect(readTls(files)).rejects.toMatchObject({ code: 'path-unreadable' });
    for (const text of ['nonsense', '']) {
      await write({ cert: text, key: text });
      await expect(readTls(files)).rejects.toMatchObject({ code: 'path-unreadable' });
    }
  });
});
