import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../auth/index.js';
import { proposal } from './testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServers, OTHER_SECRET, SECRET, sharedGateServer } from './testing/gate-server.test-support.js';

const start = gateServers();

/** Sends bytes as they are, and gives all that comes back. */
function raw(server: GateServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

const signedLines = (server: GateServer, method: string, target: string, body = '', more: { secret?: string } = {}) =>
  Object.entries(signRequest({ method, target, adapterId: 'ci', secret: more.secret ?? SECRET, at: server.now(), body })).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );

/** What differs from request to request. */
const unique = /^(date|x-svc-request-id):.*$|urn:uuid:[^"]+/gim;

describe('a path that is no route', () => {
  const shared = sharedGateServer();
  const ask = (target: string, method = 'GET', more = '') =>
    raw(shared(), `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`);

  it.each([
    ...['/v1/token', '/v1/approvals', '/v1/events', '/v1/metrics', '/v1/policies', '/v1/admin', '/v1/stream', '/v1/budget', '/v1/budgets'],
    ...[
      '/v1',
      '/v1/',
      '/v1/proposals/',
      '/v1/proposals/p-1/',
      '/v1/proposals/p-1/result/x',
      '/v1/evidence/by-ref',
      '/v2/proposals',
      '/V1/proposals',
    ],
    ...[
      '/v1/proposals%2f',
      '/v1/%70roposals',
      '//v1/proposals',
      '/v1//proposals',
      '/v1/./proposals',
      '/v1/x/../proposals',
      '/v1\\proposals',
    ],
  ])('%s is answered as any other (gate/absent.1) (gate/service.5) (gate/versioning.2)', async (target) => {
    const plain = (answer: string) => answer.replaceAll(unique, '');
    const answer = await ask(target);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(plain(answer)).toBe(plain(await ask('/random-3f9c0b')));
    expect(answer).toContain('{"type":"about:blank","title":"Not Found","status":404,"instance":');
  });

  it('stays absent for other methods, with a signature and with a body (gate/absent.1) (gate/events.6) (gate/versioning.1)', async () => {
    const server = shared();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(await ask('/v1/events', method)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await ask('/v1/token', 'HEAD')).toMatch(/^HTTP\/1\.1 404 [\s\S]*\r\n\r\n$/);
    const answer = await server.send('POST', '/v1/approvals', { body: {} });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).not.toHaveProperty('code');
  });
});

describe('the order of checks', () => {
  const shared = sharedGateServer({ yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}' });
  const post = (fields: string[], body = '') =>
    raw(shared(), `POST /v1/proposals HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields.join('')}\r\n${body}`);
  const json = 'Content-Type: application/json\r\n';
  const status = (answer: string) => `${answer.slice(9, 12)} ${/"code":"(AG-(?!POL)[^"]+)"/.exec(answer)?.[1] ?? ''}`;

  it('answers 405 with the methods that a route has', async () => {
    const answer = await shared().send('GET', '/v1/proposals');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect((await shared().send('POST', '/v1/evidence', { body: {} })).headers.get('allow')).toBe('GET, HEAD');
  });

  it('looks at the media type, then at the headers, then at the length, then at the time, then at the signature (gate/post.413)', async () => {
    const server = shared();
    const large = `Content-Length: ${65_537}\r\n`;
    const good = signedLines(server, 'POST', '/v1/proposals', 'x');
    const wrong = signedLines(server, 'POST', '/v1/proposals', 'y');
    expect(status(await post([large]))).toBe('415 AG-SCH-003');
    expect(status(await post([json, 'Content-Encoding: gzip\r\n', large]))).toBe('415 AG-SCH-003');
    expect(status(await post([json, large]))).toBe('401 AG-IDN-001');
    expect(status(await post([json, large, ...good]))).toBe('413 AG-SCH-004');
    expect(status(await post([json, 'Content-Length: 1\r\n', ...wrong], 'x'))).toBe('401 AG-IDN-005');
    expect(status(await post([json, 'Content-Length: 1\r\n', ...good], 'x'))).toBe('422 AG-SCH-001');
  });

  it('answers 401 for a request that names an old time, whatever else is wrong with its signature and body (gate/auth.1)', async () => {
    const old = signRequest({
      method: 'POST',
      target: '/v1/proposals',
      adapterId: 'ci',
      secret: 'x'.repeat(32),
      at: new Date(0),
      body: '',
    });
    const fields = Object.entries(old).map(([name, value]) => `${name}: ${value}\r\n`);
    expect(status(await post([json, 'Content-Length: 1\r\n', ...fields], 'x'))).toBe('401 AG-IDN-003');
  });

  it('takes a body of 65,536 bytes and no more, announced or in chunks (gate/post.413) (gate/limits.6)', async () => {
    const server = shared();
    const sized = (bytes: number, id: string) => {
      const text = JSON.stringify(proposal(id, { action: { type: 'a.b', resource: 'r', parameters: { text: '' } } }));
      return text.replace('"text":""', `"text":"${'x'.repeat(bytes - Buffer.byteLength(text))}"`);
    };
    expect((await server.send('POST', '/v1/proposals', { body: sized(65_536, 'p-full') })).status).toBe(200);
    expectProblem(await server.send('POST', '/v1/proposals', { body: sized(65_537, 'p-over') }), 413, 'AG-SCH-004');
    expectProblem(
      await server.send('POST', '/v1/proposals/p-full/result', { body: `{"status":"ok"${' '.repeat(65_522)}}` }),
      413,
      'AG-SCH-004',
    );
    const chunked = (body: string) => {
      const fields = [json, 'Transfer-Encoding: chunked\r\n', ...signedLines(server, 'POST', '/v1/proposals', body)];
      const [first, second] = [body.slice(0, 65_536), body.slice(65_536)];
      return post(fields, `10000\r\n${first}\r\n${second ? `1\r\n${second}\r\n` : ''}0\r\n\r\n`);
    };
    expect(status(await chunked(sized(65_536, 'p-chunks')))).toBe('200 ');
    expect(status(await chunked(sized(65_537, 'p-chunks-over')))).toBe('413 AG-SCH-004');
  });

  it('answers 401 before any limit is counted (gate/auth.4)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0.1}}' });
    for (let request = 0; request < 5; request++)
      expectProblem(await server.submit(proposal('p-1'), { secret: 'x'.repeat(32) }), 401, 'AG-IDN-005');
    expect((await server.submit(proposal('p-1'))).status).toBe(200);
    expectProblem(await server.submit(proposal('p-2'), { secret: 'x'.repeat(32) }), 401, 'AG-IDN-005');
    expectProblem(await server.submit(proposal('p-2')), 429, 'AG-LIM-001');
  });

  it('asks for a signature before it says anything of the query or of what exists', async () => {
    const server = shared();
    const unsigned = { headers: { 'X-SVC-Signature': undefined } };
    expectProblem(await server.send('GET', '/v1/evidence?nonsense=1', unsigned), 401, 'AG-IDN-004');
    expectProblem(await server.send('GET', '/v1/proposals/unknown', unsigned), 401, 'AG-IDN-004');
    expectProblem(await server.send('GET', '/v1/evidence?nonsense=1'), 422, 'AG-SCH-005');
    expectProblem(await server.send('GET', '/v1/proposals/unknown'), 404, 'AG-EVD-007');
    expectProblem(await server.send('GET', '/v1/proposals/!not-an-id!'), 404, 'AG-EVD-007');
  });
});

describe('authentication', () => {
  const shared = sharedGateServer();

  it.each<[string, { [name: string]: string | undefined }, string]>([
    ['without an adapter', { 'X-SVC-Adapter-Id': undefined }, 'AG-IDN-001'],
    ['with an empty adapter', { 'X-SVC-Adapter-Id': '' }, 'AG-IDN-001'],
    ['with an adapter that nobody could register', { 'X-SVC-Adapter-Id': 'team.CI' }, 'AG-IDN-005'],
    ['without a timestamp', { 'X-SVC-Timestamp': undefined }, 'AG-IDN-002'],
    ['with seconds only', { 'X-SVC-Timestamp': '2026-01-02T03:04:05Z' }, 'AG-IDN-002'],
    ['without a signature', { 'X-SVC-Signature': undefined }, 'AG-IDN-004'],
    ['with a padded signature', { 'X-SVC-Signature': `${'A'.repeat(43)}=` }, 'AG-IDN-004'],
    ['with a nonce of 129 characters', { 'X-SVC-Nonce': 'n'.repeat(129) }, 'AG-IDN-004'],
    ['with another nonce than was signed', { 'X-SVC-Nonce': 'n' }, 'AG-IDN-005'],
    ['of an adapter that is not registered', { 'X-SVC-Adapter-Id': 'other' }, 'AG-IDN-005'],
    ['of another adapter than signed', { 'X-SVC-Adapter-Id': 'tool' }, 'AG-IDN-005'],
  ])('answers 401 to a request %s (gate/post.401) (gate/auth.2) (gate/auth.3) (gate/errors.3)', async (_, headers, code) => {
    const problem = expectProblem(await shared().submit(proposal('p-1'), { headers }), 401, code);
    expect(problem.type).toBe(`https://svc.invalid/problems/${code === 'AG-IDN-005' ? 'unknown-adapter' : 'unauthenticated'}`);
    expect((await shared().records()).length).toBe(2);
  });

  it('answers 401 to a header that is sent twice', async () => {
    const body = JSON.stringify(proposal('p-1'));
    const lines = signedLines(shared(), 'POST', '/v1/proposals', body);
    const answer = await raw(
      shared(),
      `POST /v1/proposals HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines.join('')}${lines[0]}\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('AG-IDN-001');
  });

  it('lets exactly 300 seconds of difference pass, and not a millisecond more (gate/auth.1) (gate/config.1)', async () => {
    const server = shared();
    const at = (ms: number) => ({ at: new Date(server.now().getTime() + ms) });
    expectProblem(await server.submit(proposal('p-skew-1'), at(300_001)), 401, 'AG-IDN-003');
    expectProblem(await server.submit(proposal('p-skew-1'), at(-300_001)), 401, 'AG-IDN-003');
    expect((await server.submit(proposal('p-skew-1'), at(300_000))).status).toBe(200);
    expect((await server.submit(proposal('p-skew-2'), at(-300_000))).status).toBe(200);
  });

  it('takes the difference from the configuration (gate/config.1)', async () => {
    const server = await start({ yaml: 'api: {max_clock_skew_seconds: 0}' });
    expectProblem(await server.submit(proposal('p-1'), { at: new Date(server.now().getTime() + 1) }), 401, 'AG-IDN-003');
    expect((await server.submit(proposal('p-1'))).status).toBe(200);
  });

  it('covers the method, the path, the time, the nonce and the body, and not the query (gate/canonical.1) (gate/canonical.2) (gate/canonical.3) (gate/canonical.4) (gate/canonical.5)', async () => {
    const server = shared();
    const signed = (method: string, target: string) =>
      signRequest({ method, target, adapterId: 'ci', secret: SECRET, at: server.now(), nonce: 'n-1' });
    const at = (method: string, target: string, headers: { [name: string]: string }) =>
      server.send(method, target, { headers, nonce: 'n-1' });
    expect((await at('GET', '/v1/status', signed('GET', '/v1/status'))).status).toBe(200);
    expect((await at('GET', '/v1/evidence?from=0', signed('GET', '/v1/evidence'))).status).toBe(200);
    expectProblem(await at('GET', '/v1/status', signed('GET', '/v1/evidence')), 401, 'AG-IDN-005');
    expectProblem(await at('GET', '/v1/status', signed('HEAD', '/v1/status')), 401, 'AG-IDN-005');
    expectProblem(await at('GET', '/v1/status', { ...signed('GET', '/v1/status'), 'X-SVC-Nonce': 'n-2' }), 401, 'AG-IDN-005');
    const later = new Date(server.now().getTime() + 1).toISOString();
    expectProblem(await at('GET', '/v1/status', { ...signed('GET', '/v1/status'), 'X-SVC-Timestamp': later }), 401, 'AG-IDN-005');
    const body = JSON.stringify(proposal('p-mac'));
    const headers = signRequest({ method: 'POST', target: '/v1/proposals', adapterId: 'ci', secret: SECRET, at: server.now(), body });
    expectProblem(await server.send('POST', '/v1/proposals', { body: `${body} `, headers }), 401, 'AG-IDN-005');
    expect((await server.send('POST', '/v1/proposals', { body, headers })).status).toBe(200);
  });

  it('takes the method of a HEAD request as it is', async () => {
    const server = shared();
    const answer = await server.send('HEAD', '/v1/status');
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
  });

  it('keeps no nonces: the same request again is let in, and gets no second decision (gate/auth.5) (gate/versioning.2)', async () => {
    const server = shared();
    const how = { nonce: 'n-1', at: server.now() };
    expect((await server.submit(proposal('p-nonce'), how)).status).toBe(200);
    expectProblem(await server.submit(proposal('p-nonce'), how), 409, 'AG-RPL-001');
    expect((await server.send('GET', '/v1/status', how)).status).toBe(200);
    expect((await server.send('GET', '/v1/status', how)).status).toBe(200);
  });

  it('takes both secrets during a rotation, and the old one no more when it is finished (gate/auth.8) (gate/state.4) (gate/state.5)', async () => {
    const env = { CI: SECRET, CI_2: OTHER_SECRET };
    const overlap = await start({ adapters: '{adapter_id: ci, kind: ci, secret_env: CI_2, previous_secret_env: CI}', env });
    expect((await overlap.submit(proposal('p-1'), { secret: SECRET })).status).toBe(200);
    expect((await overlap.submit(proposal('p-2'), { secret: OTHER_SECRET })).status).toBe(200);
    const finished = await start({ adapters: '{adapter_id: ci, kind: ci, secret_env: CI_2}', env });
    expectProblem(await finished.submit(proposal('p-1'), { secret: SECRET }), 401, 'AG-IDN-005');
    expect((await finished.submit(proposal('p-2'), { secret: OTHER_SECRET })).status).toBe(200);
  });

  it('is not possible with a secret of 31 characters (gate/auth.6)', async () => {
    const short = SECRET.slice(1);
    const server = await start({ env: { CI: short, TOOL: OTHER_SECRET } });
    expectProblem(await server.submit(proposal('p-1'), { secret: short }), 401, 'AG-IDN-005');
  });

  it('is not asked of probes', async () => {
    const server = shared();
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  });
});

describe('an answer', () => {
  const shared = sharedGateServer();

  it('is a problem document for everything that is refused (gate/service.4) (gate/errors.1) (gate/errors.5)', async () => {
    const server = shared();
    const answers = [
      await server.submit({}),
      await server.submit(proposal('p-1'), { secret: 'x'.repeat(32) }),
      await server.send('GET', '/v1/proposals/none'),
      await server.send('GET', '/v1/evidence?format=xml'),
      await server.send('PUT', '/v1/proposals', { body: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 401, 404, 422, 405]);
    for (const { text, headers, status } of answers) {
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(JSON.parse(text)).toMatchObject({
        type: expect.stringMatching(/^https:\/\/svc\.invalid\/problems\/[a-z-]+$/),
        title: expect.any(String),
        status,
        code: expect.any(String),
        instance: expect.stringMatching(/^urn:uuid:/),
      });
    }
  });

  it('has each status for its kind of refusal (gate/errors.2)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_principal_rps: 0.1}}' });
    const statuses = [
      (await server.submit(proposal('p-1'), { secret: 'x'.repeat(32) })).status,
      (await server.submit(proposal('p-1'))).status,
      (await server.submit(proposal('p-1', { principal: { id: 'bob' } }))).status,
      (await server.send('POST', '/v1/proposals', { body: 'x'.repeat(65_537) })).status,
      (await server.submit({ id: 1 })).status,
      (await server.submit(proposal('p-2'))).status,
    ];
    expect(statuses).toEqual([401, 200, 409, 413, 422, 429]);
  });

  it('is given to a client that asks for another media type', async () => {
    const { hostname, port } = new URL(shared().url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest({ hostname, port, path: '/healthz', headers: { Accept: 'text/html', Host: 'gate.example.com' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });
});
