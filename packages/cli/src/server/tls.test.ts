import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from './certificate.test.support.js';
import { type TestServices, testServices } from './services.test.support.js';
import { startServer } from './start-server.js';
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

  it('refuses files that are missing, or are no certificate and its key', async () => {
    await expect(readTls({ ...files, cert: join(fixture.folder, 'nowhere') })).rejects.toMatchObject({ code: 'path-unreadable' });
    await write({ ...selfSigned('one'), key: selfSigned('two').key });
    await expect(readTls(files)).rejects.toMatchObject({ code: 'path-unreadable' });
    for (const text of ['nonsense', '']) {
      await write({ cert: text, key: text });
      await expect(readTls(files)).rejects.toMatchObject({ code: 'path-unreadable' });
    }
  });
});
