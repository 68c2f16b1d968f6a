import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Envelope } from '../proposal/index.js';
import { proposal } from '../service/testing/gate-folder.test-support.js';
import { gateServer, SECRET } from '../service/testing/gate-server.test-support.js';
import { type Connection, permission, reportResult, submitProposal } from './index.js';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** A connection whose waiting takes no time: the clock is moved instead. */
function connectionTo(url: string, clock: { now(): Date; advance(ms: number): void }, waits: number[] = []): Connection {
  return {
    url,
    identity: { adapterId: 'ci', secret: SECRET },
    now: () => clock.now(),
    wait: async (ms) => {
      waits.push(ms);
      clock.advance(ms);
    },
    attemptMs: 5000,
  };
}

async function gate(options: Parameters<typeof gateServer>[0] = {}) {
  const server = await gateServer(options);
  undo.push(() => server.remove());
  return server;
}

function envelopeOf(id: string, more: { [member: string]: unknown } = {}): Envelope {
  return { proposal: proposal(id, more) as Envelope['proposal'] }; // the test support writes valid ones
}

function handClock(start = '2026-01-02T03:04:05.678Z') {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    advance: (ms: number) => {
      at += ms;
    },
  };
}

describe('a proposal that is handed in', () => {
  it('is decided, and its effective decision is what counts, not the verdict (gate/service.7)', async () => {
    const server = await gate({ yaml: 'enforcement: {mode: shadow}\n' });
    const envelope = envelopeOf('p-1', { action: { type: 'db.drop', resource: 'db://x' } });
    const submission = await submitProposal(connectionTo(server.url, server), envelope, JSON.stringify(envelope), 0);
    expect(submission).toMatchObject({ kind: 'decided', answer: { verdict: { decision: 'DENY' }, effective_decision: 'ALLOW' } });
    expect(permission(submission, 'closed')).toEqual({ decision: 'ALLOW', guarded: true });
  });

  it('waits for a human where a 202 says so', async () => {
    const server = await gate();
    const envelope = envelopeOf('p-1', { environment: 'production' });
    const submission = await submitProposal(connectionTo(server.url, server), envelope, JSON.stringify(envelope), 0);
    expect(permission(submission, 'open')).toEqual({ decision: 'REQUIRE_APPROVAL', guarded: true });
  });

  it('is refused for good where the gate refuses the request, whatever the fail mode', async () => {
    const server = await gate();
    const envelope = envelopeOf('p-1');
    const wrong: Connection = { ...connectionTo(server.url, server), identity: { adapterId: 'ci', secret: SECRET.toUpperCase() } };
    for (const [connection, body, status] of [
      [wrong, JSON.stringify(envelope), 401],
      [connectionTo(server.url, server), '{"proposal":{}}', 422],
    ] as const) {
      const submission = await submitProposal(connection, envelope, body, 0);
      expect(submission).toMatchObject({ kind: 'refused', status });
      expect(permission(submission, 'open').decision).toBe('DENY');
    }
  });

  it('comes again with the same id after a 429, and is decided then (gate/limits.4)', async () => {
    const server = await gate({ yaml: 'api: {rate_limit: {per_principal_rps: 0.1}}\n' });
    const waits: number[] = [];
    const connection = connectionTo(server.url, server, waits);
    const [first, second] = [envelopeOf('p-1'), envelopeOf('p-2')];
    await submitProposal(connection, first, JSON.stringify(first), 0);
    const submission = await submitProposal(connection, second, JSON.stringify(second), 60_000);
    expect(submission).toMatchObject({ kind: 'decided', recovered: false });
    expect(waits).toEqual([10_000]);
  });

  it('is a refusal for `fail: closed` when the 429 does not end, and goes ahead unguarded for `open` (gate/service.8)', async () => {
    const server = await gate({ yaml: 'api: {rate_limit: {per_principal_rps: 0.1}}\n' });
    const connection = connectionTo(server.url, server);
    const [first, second] = [envelopeOf('p-1'), envelopeOf('p-2')];
    await submitProposal(connection, first, JSON.stringify(first), 0);
    const submission = await submitProposal(connection, second, JSON.stringify(second), 0);
    expect(submission).toEqual({ kind: 'unavailable', last: 'AG-LIM-002 (status 429)', unknown: false });
    expect(permission(submission, 'closed')).toEqual({ decision: 'DENY', guarded: false });
    expect(permission(submission, 'open')).toEqual({ decision: 'ALLOW', guarded: false });
  });

  it('is no decision where the gate has no policy: 503', async () => {
    const server = await gate({ bundle: false });
    const envelope = envelopeOf('p-1');
    const submission = await submitProposal(connectionTo(server.url, server), envelope, JSON.stringify(envelope), 1000);
    expect(submission).toEqual({ kind: 'unavailable', last: 'AG-POL-002 (status 503)', unknown: false });
  });

  it('is no decision where nobody listens', async () => {
    const clock = handClock();
    const envelope = envelopeOf('p-1');
    const submission = await submitProposal(connectionTo(`http://127.0.0.1:${await freePort()}`, clock), envelope, '{}', 1000);
    expect(submission).toEqual({ kind: 'unavailable', last: 'no answer', unknown: true });
  });

  it('is decided once when its answer is lost, and the decision is read back', async () => {
    const server = await gate();
    const proxy = await answerDroppingProxy(server.url, 1);
    const envelope = envelopeOf('p-1');
    const submission = await submitProposal(connectionTo(proxy.url, server), envelope, JSON.stringify(envelope), 10_000);
    expect(submission).toMatchObject({ kind: 'decided', recovered: true, answer: { effective_decision: 'ALLOW' } });
    expect((await server.records()).filter(({ type }) => type === 'verdict')).toHaveLength(1);
  });

  it('is read back at once when the gate itself does not know whether it has decided', async () => {
    const server = await gate();
    const url = await unknownOutcomes(server.url);
    const envelope = envelopeOf('p-1', { action: { type: 'db.drop', resource: 'db://x' } });
    // No patience: a second attempt would come too late.
    const submission = await submitProposal(connectionTo(url, server), envelope, JSON.stringify(envelope), 0);
    expect(submission).toMatchObject({ kind: 'decided', recovered: true, answer: { effective_decision: 'DENY' } });
    expect(permission(submission, 'open').decision).toBe('DENY');
  });

  it('comes again after a connection that was reset before the gate had heard of it', async () => {
    const server = await gate();
    const proxy = await answerDroppingProxy(server.url, 1, { forward: false });
    const envelope = envelopeOf('p-1');
    const submission = await submitProposal(connectionTo(proxy.url, server), envelope, JSON.stringify(envelope), 10_000);
    expect(submission).toMatchObject({ kind: 'decided', recovered: false });
  });

  it('is not taken for another proposal of the same id, lost answer or not', async () => {
    const server = await gate();
    const other = envelopeOf('p-1', { action: { type: 'files.read', resource: 'file:///etc/motd' } });
    await submitProposal(connectionTo(server.url, server), other, JSON.stringify(other), 0);
    const proxy = await answerDroppingProxy(server.url, 1);
    const mine = envelopeOf('p-1', { action: { type: 'files.delete', resource: 'file:///etc' } });
    for (const url of [server.url, proxy.url])
      expect(await submitProposal(connectionTo(url, server), mine, JSON.stringify(mine), 10_000)).toEqual({
        kind: 'refused',
        status: 409,
        code: 'AG-RPL-001',
      });
  });

  it.each([
    ['a page', 200, '<html>welcome</html>'],
    ['another JSON', 200, '{"effective_decision":"YES","evidence_ref":"1","approval":null}'],
    ['a redirect', 302, ''],
    ['no content', 204, ''],
  ])('is no decision where something in front answers %s', async (_, status, text) => {
    const url = await fixedAnswer(status, text);
    const envelope = envelopeOf('p-1');
    const submission = await submitProposal(connectionTo(url, handClock()), envelope, JSON.stringify(envelope), 0);
    expect(submission.kind).not.toBe('decided');
    expect(permission(submission, 'closed').decision).toBe('DENY');
  });
});

describe('a result that is reported', () => {
  it('is recorded once though its answer was lost', async () => {
    const server = await gate();
    const envelope = envelopeOf('p-1');
    await submitProposal(connectionTo(server.url, server), envelope, JSON.stringify(envelope), 0);
    const proxy = await answerDroppingProxy(server.url, 1);
    const reported = await reportResult(connectionTo(proxy.url, server), 'p-1', '{"status":"ok"}', 10_000);
    expect(reported).toMatchObject({ kind: 'recorded', answer: { status: 'ok', final: true } });
    expect((await server.records()).filter(({ type }) => type === 'result')).toHaveLength(1);
  });

  it('is refused where it contradicts an earlier one', async () => {
    const server = await gate();
    const envelope = envelopeOf('p-1');
    const connection = connectionTo(server.url, server);
    await submitProposal(connection, envelope, JSON.stringify(envelope), 0);
    await reportResult(connection, 'p-1', '{"status":"ok"}', 0);
    expect(await reportResult(connection, 'p-1', '{"status":"error"}', 0)).toEqual({ kind: 'refused', status: 409, code: 'AG-RPL-002' });
  });
});

/** A relay in front of a server, which cuts the first `lost` connections: after the server has answered, or without telling it anything. */
async function answerDroppingProxy(target: string, lost: number, { forward = true } = {}): Promise<{ url: string }> {
  const { port } = new URL(target);
  let left = lost;
  const proxy = createTcpServer((client) => {
    const drop = left-- > 0;
    client.on('error', () => undefined);
    if (drop && !forward) return void client.once('data', () => client.resetAndDestroy());
    const upstream = connect(Number(port), '127.0.0.1');
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    if (drop) upstream.once('data', () => client.resetAndDestroy());
    else upstream.pipe(client);
  });
  return { url: await listening(proxy) };
}

/** A relay in front of a server, which decides; the relay answers each POST as a gate that has lost its store at the COMMIT. */
async function unknownOutcomes(target: string): Promise<string> {
  const lost = JSON.stringify({ type: 'https://svc.invalid/problems/outcome-unknown', status: 503, code: 'AG-EVD-009' });
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    delete headers['connection'];
    const { method = 'GET', url = '/' } = request;
    const answer = await fetch(target + url, { method, headers, ...(method === 'POST' && { body: Buffer.concat(chunks) }) });
    const text = await answer.text();
    if (method === 'POST') response.writeHead(503, { 'content-type': 'application/problem+json' }).end(lost);
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  return listening(server);
}

async function fixedAnswer(status: number, text: string): Promise<string> {
  return listening(createServer((_, response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text)));
}

async function listening(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  undo.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a host and a port
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // as above
  await new Promise((resolve) => server.close(resolve));
  return port;
}
