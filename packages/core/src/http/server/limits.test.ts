import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../log.js';
import { type HttpRequest, json, type Route } from '../route.js';
import { createRouter } from '../router.js';
import { exchange, rawConnection } from './raw-http.test-support.js';
import { type HttpLimits, type RunningServer, serveHttp } from './serve.js';

const log = createLog({ level: 'silent' });
const running: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(handler: Route['handler'], limits: Partial<HttpLimits> = {}): Promise<RunningServer> {
  const router = createRouter();
  const described = {
    auth: 'open',
    tag: 'test',
    summary: 'A route of this test.',
    responses: { 200: { description: 'Fine.', schema: {} } },
  } as const;
  router.add({ ...described, method: 'POST', path: '/size', id: 'size', body: {}, handler });
  router.add({ ...described, method: 'GET', path: '/ping', id: 'ping', handler: () => json(200, { pong: true }) });
  const server = await serveHttp({
    router,
    host: '127.0.0.1',
    port: 0,
    log,
    problemsUrl: 'https://p.test',
    keys: [],
    limits: { checkMs: 20, ...limits },
  });
  running.push(server);
  return server;
}

const size = ({ body }: HttpRequest) => json(200, { size: body.length });
const head = (fields: string) => `POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('the limit of a body', () => {
  it('lets in exactly the limit, announced or chunked, and refuses one byte more', async () => {
    const { url } = await start(size, { maxBodyBytes: 10 });
    const send = (length: number) =>
      fetch(`${url}/size`, { method: 'POST', body: 'a'.repeat(length), headers: { 'Content-Type': 'application/json' } });
    expect(await (await send(10)).json()).toEqual({ size: 10 });
    expect((await send(11)).status).toBe(413);
    const chunked = (length: number) =>
      exchange(url, `${head('Transfer-Encoding: chunked\r\nConnection: close')}${chunk('a'.repeat(length))}0\r\n\r\n`);
    expect(await chunked(10)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await chunked(11)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('refuses an announced length without waiting for the body, and ends the connection', async () => {
    const { url } = await start(size, { maxBodyBytes: 10 });
    const answer = await exchange(url, `${head('Content-Length: 99999999999')}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('"detail":"The limit is 10 bytes."');
  });

  it('answers a client that keeps sending an endless chunked body, and cuts it off', async () => {
    const { url } = await start(size, { maxBodyBytes: 1000 });
    const connection = await rawConnection(url);
    connection.write(head('Transfer-Encoding: chunked'));
    const more = () => connection.socket.writable && connection.socket.write(chunk('a'.repeat(500)), () => setImmediate(more));
    more();
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('tells a client that waits for 100-continue before it sends anything', async () => {
    const { url } = await start(size, { maxBodyBytes: 10 });
    expect(await exchange(url, head('Content-Length: 11\r\nExpect: 100-continue'))).toMatch(/^HTTP\/1\.1 413 /);
    const connection = await rawConnection(url);
    connection.write(head('Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close'));
    await connection.until(/^HTTP\/1\.1 100 /);
    connection.write('{}');
    expect(await connection.closed()).toContain('{"size":2}');
  });

  it('answers 503 when all bodies together are over what the server holds, and gives the memory back', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await start(
      async (request) => {
        if (request.body[0] === 'w'.charCodeAt(0)) await held;
        return size(request);
      },
      { maxHeldBytes: 200 },
    );
    // One client has half of it, and the first 64 KiB of a body do not count.
    const send = (body: string) =>
      fetch(`${url}/size`, { method: 'POST', body: body + ' '.repeat(64 * 1024), headers: { 'Content-Type': 'application/json' } });
    const first = send('w'.repeat(80));
    await expect.poll(async () => (await send('a'.repeat(30))).status).toBe(503);
    expect((await send('a'.repeat(30))).headers.get('retry-after')).toBe('1');
    expect((await send('a'.repeat(20))).status).toBe(200);
    release();
    expect((await first).status).toBe(200);
    await expect.poll(async () => (await send('a'.repeat(100))).status).toBe(200);
  });

  it('takes small bodies when large ones are over what the server holds', async () => {
    const { url } = await start(size, { maxHeldBytes: 100 });
    const send = (length: number) =>
      fetch(`${url}/size`, { method: 'POST', body: 'a'.repeat(length), headers: { 'Content-Type': 'application/json' } });
    expect((await send(128 * 1024)).status).toBe(503);
    expect(await (await send(64 * 1024)).json()).toEqual({ size: 64 * 1024 });
  });
});

describe('lengths that lie', () => {
  it('treats what follows a length that is too short as a request that is not HTTP, after the answer to the first', async () => {
    const { url } = await start(size);
    const answer = await exchange(url, `${head('Content-Length: 2')}{}garbage garbage\r\n\r\n`);
    expect(answer).toContain('{"size":2}');
    expect(answer.indexOf('HTTP/1.1 400')).toBeGreaterThan(answer.indexOf('HTTP/1.1 200'));
  });

  it('never calls the handler when a longer length does not arrive in time', async () => {
    let called = false;
    const { url } = await start(
      (request) => {
        called = true;
        return size(request);
      },
      { headersMs: 200, requestMs: 200 },
    );
    const answer = await exchange(url, `${head('Content-Length: 100')}{}`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request-timeout"');
    expect(called).toBe(false);
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['a length that is not a number', 'Content-Length: 2x'],
    ['a negative length', 'Content-Length: -2'],
    ['an unknown transfer coding', 'Transfer-Encoding: gzip'],
  ])('answers 400 for %s', async (_name, fields) => {
    const { url } = await start(size);
    expect(await exchange(url, `${head(fields)}{}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('answers 400 for an invalid chunk', async () => {
    const { url } = await start(size);
    expect(await exchange(url, `${head('Transfer-Encoding: chunked')}zz\r\n{}\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('slow and silent clients', () => {
  it('ends a connection that never sends anything, sends headers drop by drop, or is idle', async () => {
    const { url } = await start(size, { headersMs: 200, requestMs: 200, idleMs: 100 });
    const silent = await rawConnection(url);
    const slow = await rawConnection(url);
    slow.write('GET /ping HTTP/1.1\r\nHos');
    const idle = await rawConnection(url);
    idle.write('GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await silent.closed()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await slow.closed()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await idle.closed()).toContain('pong');
  });

  it('cuts off a client that does not read its answer', async () => {
    const big = Buffer.alloc(64 * 1024 * 1024, 'a');
    let signal: AbortSignal | undefined;
    const answer = (request: HttpRequest) => {
      signal = request.signal;
      return { status: 200, body: big };
    };
    const { url } = await start(answer, { stallMs: 200 });
    const connection = await rawConnection(url);
    connection.socket.pause();
    connection.write(`${head('Content-Length: 2')}{}`);
    await expect.poll(() => signal?.aborted, { timeout: 10_000 }).toBe(true);
    connection.socket.resume();
    expect((await connection.closed()).length).toBeLessThan(big.length);
  });

  it('tells a handler when its client goes away', async () => {
    let aborted: AbortSignal | undefined;
    const { url } = await start(
      (request) =>
        new Promise((resolve) => {
          aborted = request.signal;
          request.signal.addEventListener('abort', () => resolve(size(request)));
        }),
    );
    const connection = await rawConnection(url);
    connection.write(`${head('Content-Length: 2')}{}`);
    await expect.poll(() => aborted).toBeDefined();
    connection.socket.destroy();
    await expect.poll(() => aborted?.aborted).toBe(true);
  });
});

describe('garbage', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['a version of the future', 'GET /ping HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', 'GET /ping HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n'],
    ['a zero byte in a header', 'GET /ping HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n'],
    ['no Host', 'GET /ping HTTP/1.1\r\n\r\n'],
  ])('answers 400 for %s and serves the next client', async (_name, bytes) => {
    const { url } = await start(size);
    expect(await exchange(url, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(`${url}/ping`)).status).toBe(200);
  });
});

describe('shutdown', () => {
  it('finishes what was accepted, takes nothing new, and ends idle connections', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = false;
    const server = await start(async (request) => {
      arrived = true;
      await held;
      return size(request);
    });
    const idle = await rawConnection(server.url);
    const inFlight = await rawConnection(server.url);
    inFlight.write(`${head('Content-Length: 2')}{}`);
    await expect.poll(() => arrived).toBe(true);
    const closed = server.close();
    expect(await idle.closed()).toBe('');
    await expect(rawConnection(server.url)).rejects.toThrow('ECONNREFUSED');
    release();
    const answer = await inFlight.closed();
    expect(answer).toContain('{"size":2}');
    expect(answer).toContain('Connection: close');
    await closed;
  });

  it('cuts what does not finish in time', async () => {
    const server = await start(() => new Promise(() => {}), { shutdownMs: 50 });
    const connection = await rawConnection(server.url);
    connection.write(`${head('Content-Length: 2')}{}`);
    connection.write('');
    await server.close();
    expect(await connection.closed()).toBe('');
  });
});
