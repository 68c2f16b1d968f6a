import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../log.js';
import { requestCheck } from '../../request-check.js';
import { apiKeyDigest } from '../api-keys.js';
import { parseJsonBody } from '../json-body.js';
import { HttpProblem } from '../problems.js';
import { json, type Route } from '../route.js';
import { createRouter } from '../router.js';
import { exchange, rawConnection } from './raw-http.test-support.js';
import { type HttpServerOptions, type RunningServer, serveHttp } from './serve.js';

const PROBLEMS_URL = 'https://problems.test';
const check = requestCheck({ type: 'object', additionalProperties: false, required: ['n'], properties: { n: { type: 'integer' } } });

const described = { tag: 'test', summary: 'A route of this test.', responses: { 200: { description: 'Fine.', schema: {} } } };
const ping: Route = { ...described, method: 'GET', path: '/ping', auth: 'open', id: 'ping', handler: () => json(200, { pong: true }) };
const echo: Route = {
  ...described,
  method: 'POST',
  path: '/api/v1/echo',
  auth: 'api-key',
  id: 'echo',
  body: { type: 'object' },
  handler: ({ body }) => json(200, parseJsonBody(body, check)),
};
const item: Route = {
  ...described,
  method: 'GET',
  path: '/api/v1/items/{item_id}',
  auth: 'api-key',
  id: 'item',
  params: { item_id: { type: 'string', pattern: '^[A-Z]+$' } },
  query: { limit: { type: 'integer', minimum: 0 }, tag: { type: 'array', items: { type: 'string' } } },
  handler: ({ params, query }) => json(200, { params, query }),
};

const running: RunningServer[] = [];
let lines: string[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
  lines = [];
});

async function start(routes: Route[], options: Partial<HttpServerOptions> = {}): Promise<string> {
  const router = createRouter();
  for (const route of routes) router.add(route);
  const to = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const server = await serveHttp({
    router,
    host: '127.0.0.1',
    port: 0,
    log: createLog({ to }),
    problemsUrl: PROBLEMS_URL,
    keys: [],
    ...options,
  });
  running.push(server);
  return server.url;
}

const post = (url: string, body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
  fetch(`${url}/api/v1/echo`, { method: 'POST', body, headers });

async function problemOf(response: Response): Promise<{ status: number; code: unknown; detail: unknown; errors: unknown }> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const document = (await response.json()) as Record<string, unknown>;
  expect(document.status).toBe(response.status);
  expect(document.type).toBe(`${PROBLEMS_URL}/${String(document.code)}`);
  expect(document.instance).toBe(`urn:uuid:${response.headers.get('x-svc-request-id')}`);
  return { status: response.status, code: document.code, detail: document.detail, errors: document.errors };
}

describe('a served route', () => {
  it('answers JSON with security headers, its length, and no leave for foreign sites', async () => {
    const url = await start([ping]);
    const response = await fetch(`${url}/ping`, { headers: { Origin: 'https://elsewhere.test' } });
    expect(await response.json()).toEqual({ pong: true });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-length')).toBe('14');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  it('lets a page use its own style, and any other answer nothing', async () => {
    const page: Route = {
      ...described,
      ...{ method: 'GET', path: '/page', auth: 'open', id: 'page' },
      handler: () => ({ status: 200, mediaType: 'text/html; charset=utf-8', body: '<p>Fine.</p>' }),
    };
    const url = await start([ping, page]);
    const policies = await Promise.all(
      ['page', 'ping', 'nothing'].map(async (path) => (await fetch(`${url}/${path}`)).headers.get('content-security-policy')),
    );
    const none = "default-src 'none'; frame-ancestors 'none'";
    expect(policies).toEqual([
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      none,
      none,
    ]);
  });

  it('answers HEAD as GET, without the body', async () => {
    const url = await start([ping]);
    const response = await fetch(`${url}/ping`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('14');
    expect(await response.text()).toBe('');
  });

  it('keeps the connection for the next request', async () => {
    const url = await start([ping]);
    const connection = await rawConnection(url);
    const request = 'GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n';
    connection.write(request);
    await connection.until(/pong/);
    connection.write(request);
    const both = await connection.until(/pong[\s\S]*pong/);
    expect(both.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    connection.socket.destroy();
  });

  it('gives handlers typed query values and path parameters', async () => {
    const url = await start([item]);
    const response = await fetch(`${url}/api/v1/items/ABC?limit=3&tag=a%20b&tag=c`);
    expect(await response.json()).toEqual({ params: { item_id: 'ABC' }, query: { limit: 3, tag: ['a b', 'c'] } });
  });

  it('takes a JSON media type in any case and with parameters', async () => {
    const url = await start([echo]);
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])
      expect((await post(url, '{"n":1}', { 'Content-Type': type })).status).toBe(200);
  });

  it('streams an answer of unknown length', async () => {
    async function* parts() {
      yield Buffer.from('a'.repeat(100_000));
      yield Buffer.from('b');
    }
    const url = await start([{ ...ping, handler: () => ({ status: 200, mediaType: 'text/plain', body: parts() }) }]);
    expect(await (await fetch(`${url}/ping`)).text()).toHaveLength(100_001);
  });
});

it('takes nothing for no parameter', async () => {
  const url = await start([{ ...item, params: {} }]);
  expect((await fetch(`${url}/api/v1/items/A`)).status).toBe(200);
  expect((await fetch(`${url}/api/v1/items/`)).status).toBe(404);
});

describe('what is refused', () => {
  it('answers 404 for an unknown path and 405 with Allow for a wrong method', async () => {
    const url = await start([ping, echo]);
    const nowhere = await fetch(`${url}/nowhere`);
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toEqual({ type: 'about:blank', title: 'Not Found', status: 404, instance: expect.any(String) });
    expect(await problemOf(await fetch(`${url}/api/v1/nowhere`))).toMatchObject({ status: 404, code: 'not-found' });
    const wrong = await fetch(`${url}/ping`, { method: 'POST', body: '{}' });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
    expect(await problemOf(wrong)).toMatchObject({ status: 405, code: 'method-not-allowed' });
    expect((await fetch(`${url}/api/v1/echo`)).headers.get('allow')).toBe('POST');
    expect((await fetch(`${url}/api/v1/echo`, { method: 'OPTIONS' })).status).toBe(405);
  });

  it('answers 404 for a path parameter that does not fit or is over 512 characters', async () => {
    const url = await start([item]);
    expect((await fetch(`${url}/api/v1/items/lower`)).status).toBe(404);
    expect((await fetch(`${url}/api/v1/items/`)).status).toBe(404);
    expect((await fetch(`${url}/api/v1/items/${'A'.repeat(512)}`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/items/${'A'.repeat(513)}`)).status).toBe(404);
  });

  it.each([['//ping'], ['/api//ping'], ['/./ping'], ['/api/../ping'], ['/ping/..'], ['/ping/.'], ['/pi\\ng'], ['/p%69ng'], ['/ping#x']])(
    'finds no route under %s, which two programs could read differently',
    async (target) => {
      const url = await start([ping, item]);
      const ask = (path: string) => exchange(url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      const unique = /^(date|x-svc-request-id):.*$|urn:uuid:[^"]+/gim;
      expect(await ask(target)).toMatch(/^HTTP\/1\.1 404 /);
      expect((await ask(target)).replaceAll(unique, '')).toBe((await ask('/nowhere')).replaceAll(unique, ''));
    },
  );

  it.each([['/api/v1/items/%41'], ['/api/v1/../ping'], ['http://localhost/ping'], ['*'], ['ping']])(
    'answers 400 for the odd target %s',
    async (target) => {
      const url = await start([ping, item]);
      const answer = await exchange(url, `OPTIONS ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('application/problem+json');
    },
  );

  it('answers 414 for a target over 8,192 characters and 431 for headers over the limit', async () => {
    const url = await start([ping]);
    expect(await problemOf(await fetch(`${url}/ping?${'a'.repeat(8192)}`))).toMatchObject({ status: 414 });
    const answer = await exchange(url, `GET /ping HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"headers-too-large"');
  });

  it('answers 422 for a query that is unknown, repeated or of the wrong type, and names the known ones', async () => {
    const url = await start([item, ping]);
    const at = (query: string) => fetch(`${url}/api/v1/items/ABC?${query}`).then(problemOf);
    expect(await at('nope=1')).toMatchObject({ status: 422, code: 'bad-query', detail: 'Known parameters: limit, tag.' });
    expect(await at('limit=1&limit=2')).toMatchObject({ errors: [{ path: '/limit', message: 'is given more than once' }] });
    expect(await at('limit=many')).toMatchObject({ errors: [{ path: '/limit', message: 'must be integer' }] });
    expect(await at('limit=-1')).toMatchObject({ errors: [{ path: '/limit', message: 'must be >= 0' }] });
    expect(await at('__proto__=1')).toMatchObject({ status: 422 });
    expect(await problemOf(await fetch(`${url}/ping?x=1`))).toMatchObject({ detail: 'This endpoint takes no query parameters.' });
  });

  it('answers 415 for a body that is not plain JSON, and 406 where JSON is not accepted', async () => {
    const url = await start([echo, ping]);
    const json = { 'Content-Type': 'application/json' };
    expect((await post(url, '{"n":1}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post(url, '{"n":1}', { 'Content-Type': 'application/json; charset=latin1' })).status).toBe(415);
    expect((await post(url, '{"n":1}', { ...json, 'Content-Encoding': 'gzip' })).status).toBe(415);
    const none = await exchange(
      url,
      'POST /api/v1/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"n":1}',
    );
    expect(none).toMatch(/^HTTP\/1\.1 415 /);
    const accepting = (accept: string) => fetch(`${url}/ping`, { headers: { Accept: accept } }).then((response) => response.status);
    expect(await accepting('text/html')).toBe(406);
    expect(await accepting('application/json;q=0, */*')).toBe(406);
    expect(await accepting('text/html, application/*;q=0.1')).toBe(200);
  });

  it('answers 400 for what is not JSON in UTF-8, and 422 for what does not fit the schema', async () => {
    const url = await start([echo]);
    expect(await problemOf(await post(url, '{"n":'))).toMatchObject({ status: 400, code: 'invalid-json' });
    expect(await problemOf(await post(url, ''))).toMatchObject({ status: 400, detail: 'The body is empty.' });
    const latin1 = await fetch(`${url}/api/v1/echo`, {
      method: 'POST',
      body: Buffer.from('{"n":"\xe9"}', 'latin1'),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(await problemOf(latin1)).toMatchObject({ status: 400, code: 'invalid-json' });
    expect(await problemOf(await post(url, '{"n":"one"}'))).toMatchObject({
      status: 422,
      code: 'schema',
      errors: [{ path: '/n', message: 'must be integer' }],
    });
    const extra = await problemOf(await post(url, '{"n":1,"s3cret":2}'));
    expect(extra.errors).toEqual([{ path: '', message: 'has a member that is not allowed' }]);
    expect((await post(url, '{"n":1,"__proto__":{}}')).status).toBe(422);
    expect((await post(url, `${'['.repeat(200_000)}${']'.repeat(200_000)}`)).status).toBe(422);
  });

  it('answers 500 without details when a handler fails, and logs the frames without the message', async () => {
    const handler = () => {
      throw new Error('s3cret in a message');
    };
    const url = await start([{ ...ping, handler }]);
    const response = await fetch(`${url}/ping`);
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal' });
    expect(lines.join('')).toContain('serve.test.ts');
    expect(lines.join('')).not.toContain('s3cret');
  });

  it('looks at the media type, then lets the route admit, then looks at length, query and body', async () => {
    const refused = new HttpProblem({ slug: 'not-you', status: 401, title: 'Not you', code: 'X-1' });
    const own: Route = {
      ...echo,
      path: '/own',
      auth: 'own',
      maxBodyBytes: 10,
      admit: ({ headers }) => {
        if (headers['x-me'] === undefined) throw refused;
      },
    };
    const url = await start([own]);
    const at = async (path: string, body: string, headers: Record<string, string>) =>
      (await fetch(`${url}${path}`, { method: 'POST', body, headers })).status;
    const json = { 'Content-Type': 'application/json' };
    const large = JSON.stringify('a'.repeat(20));
    expect(await at('/own?x=1', large, {})).toBe(415);
    expect(await at('/own?x=1', large, json)).toBe(401);
    expect(await at('/own?x=1', large, { ...json, 'X-Me': 'y' })).toBe(413);
    expect(await at('/own?x=1', '', { ...json, 'X-Me': 'y' })).toBe(422);
    expect(await at('/own', '', { ...json, 'X-Me': 'y' })).toBe(400);
    expect(await at('/own', '{"n":1}', { ...json, 'X-Me': 'y' })).toBe(200);
  });

  it('tells a route of every answer, refusals of its path included, under the codes of its own', async () => {
    const seen: unknown[] = [];
    const counted: Route = {
      ...echo,
      path: '/counted',
      auth: 'own',
      codes: { 'media-type': 'X-415' },
      observe: (status, code) => seen.push([status, code]),
    };
    const url = await start([counted, ping]);
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${url}/counted`, { method: 'POST', body: '{"n":1}', headers });
    const refusal = await fetch(`${url}/counted`, { method: 'POST', body: '{"n":1}' });
    expect(await refusal.json()).toMatchObject({ type: `${PROBLEMS_URL}/media-type`, code: 'X-415' });
    await fetch(`${url}/counted`, { method: 'POST', body: '{', headers });
    await fetch(`${url}/counted`);
    await fetch(`${url}/ping`);
    await fetch(`${url}/nowhere`);
    expect(seen).toEqual([
      [200, undefined],
      [415, 'X-415'],
      [400, 'invalid-json'],
      [405, 'method-not-allowed'],
    ]);
  });

  it('lets a route that decides by itself be asked under any name, with any Accept if it says so', async () => {
    const own: Route = { ...ping, path: '/own', auth: 'own', anyAccept: true };
    const url = await start([own, ping]);
    const get = (path: string) =>
      exchange(url, `GET ${path} HTTP/1.1\r\nHost: gate.example.com\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);
    expect(await get('/own')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('/ping')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('answers 417 for an expectation other than 100-continue', async () => {
    const url = await start([ping]);
    const answer = await exchange(url, 'GET /ping HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 417 /);
    expect(answer).toContain('"code":"expectation-failed"');
  });
});

describe('API keys', () => {
  const keys = [
    { id: 'ci', sha256: apiKeyDigest('first-key') },
    { id: 'ops', sha256: apiKeyDigest('second-key') },
  ];
  const withKey = (url: string, key: string | undefined, path = '/api/v1/items/A') =>
    fetch(`${url}${path}`, key === undefined ? {} : { headers: { 'X-API-Key': key } });

  it('lets in every configured key and nothing else', async () => {
    const url = await start([item], { keys });
    expect((await withKey(url, 'first-key')).status).toBe(200);
    expect((await withKey(url, 'second-key')).status).toBe(200);
    for (const wrong of [undefined, '', 'first-ke', 'first-key2', 'first-key, first-key', apiKeyDigest('first-key')])
      expect(await problemOf(await withKey(url, wrong))).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('refuses a key that is sent twice', async () => {
    const url = await start([item], { keys });
    const answer = await exchange(
      url,
      'GET /api/v1/items/A HTTP/1.1\r\nHost: localhost\r\nX-API-Key: first-key\r\nX-API-Key: first-key\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('WWW-Authenticate: X-API-Key');
  });

  it('tells nothing about paths below /api/v1 without a key', async () => {
    const url = await start([item, { ...ping, path: '/api/v1/health' }], { keys });
    expect((await withKey(url, undefined, '/api/v1/nowhere')).status).toBe(401);
    expect((await withKey(url, undefined, '/api/v1')).status).toBe(401);
    expect((await withKey(url, 'first-key', '/api/v1/nowhere')).status).toBe(404);
    expect((await withKey(url, undefined, '/elsewhere')).status).toBe(404);
    expect((await withKey(url, undefined, '/api/v1/health')).status).toBe(200);
    expect((await fetch(`${url}/api/v1/health`, { method: 'POST' })).status).toBe(401);
  });

  it('asks for the key before it looks at the body', async () => {
    const url = await start([echo], { keys });
    expect((await post(url, 'not json', { 'Content-Type': 'text/plain' })).status).toBe(401);
  });

  it('opens the paths that the configuration opens', async () => {
    const url = await start([item], { keys, openPaths: ['/api/v1/items/A'] });
    expect((await withKey(url, undefined, '/api/v1/items/A')).status).toBe(200);
    expect((await withKey(url, undefined, '/api/v1/items/B')).status).toBe(401);
  });

  describe('on a route that takes other credentials', () => {
    const hooked: Route = {
      ...item,
      credentials: { check: ({ headers }) => (headers.authorization === 'Bearer t' ? 'hook' : undefined), hint: 'Send a token.' },
    };
    const ask = (url: string, headers: { [name: string]: string } = {}) => fetch(`${url}/api/v1/items/A`, { headers });

    it('takes either, and tells a stranger what it wants', async () => {
      const url = await start([hooked], { keys });
      expect((await ask(url, { Authorization: 'Bearer t' })).status).toBe(200);
      expect((await ask(url, { 'X-API-Key': 'first-key' })).status).toBe(200);
      const refused = await ask(url, { Authorization: 'Bearer x' });
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ code: 'unauthenticated', detail: 'Send a token.' });
      await running.at(-1)?.close();
      expect(lines.map((line) => (JSON.parse(line) as { key?: string }).key)).toEqual(['hook', 'ci', undefined]);
    });

    it('is not open just because no keys are configured, but the configuration may open it', async () => {
      const url = await start([hooked]);
      expect((await ask(url)).status).toBe(401);
      expect((await ask(url, { Authorization: 'Bearer t' })).status).toBe(200);
      expect((await ask(await start([hooked], { openPaths: ['/api/v1/items/A'] }))).status).toBe(200);
    });
  });

  it('logs the id of the key, the route and the status, and neither key nor path nor query', async () => {
    const url = await start([item], { keys });
    await withKey(url, 'first-key', '/api/v1/items/SECRETPATH?tag=secretquery');
    await withKey(url, 'wrong-key');
    await running.at(-1)?.close();
    const [first] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({ level: 'info', msg: 'request', method: 'GET', route: '/api/v1/items/{item_id}', status: 200, key: 'ci' });
    expect(lines.join('')).not.toMatch(/first-key|wrong-key|SECRETPATH|secretquery/);
  });
});

describe('a server without keys on loopback', () => {
  const get = (url: string, host: string) => exchange(url, `GET /ping HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  it.each(['localhost', 'localhost:8000', 'LOCALHOST', '127.0.0.1:1', '127.9.9.9', '[::1]:8000', 'app.localhost'])(
    'answers under %s',
    async (host) => {
      expect(await get(await start([ping]), host)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it.each([
    'attacker.test',
    '127.0.0.1.attacker.test',
    'localhost.attacker.test',
    '10.0.0.1',
    'localhost:8000:1',
    '',
    '[::2]',
    'a@localhost',
  ])('refuses the name %j, which a page of a foreign site could have made to point here', async (host) => {
    expect(await get(await start([ping]), host)).toMatch(/^HTTP\/1\.1 (403|400) /);
  });

  it('does not look at the name once a key is configured', async () => {
    const url = await start([ping], { keys: [{ id: 'k', sha256: apiKeyDigest('k') }] });
    expect(await get(url, 'bylaw.example.com')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
