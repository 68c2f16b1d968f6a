import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { defineEndpoint } from '@bylaw/core/endpoint';
import { apiKeyDigest, json } from '@bylaw/core/http';
import type { InstalledPlugin, Plugin } from '@bylaw/core/plugin';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { healthEndpoint } from '../endpoints/index.js';
import { expectDocumented, type OpenApi } from './documented.test-support.js';
import { endlessMember, PRIVILEGED_POD, type TestServices, testServices } from './services.test-support.js';
import { type ServerOptions, type StartedServer, startServer } from './start-server.js';

let fixture: TestServices;
const servers: StartedServer[] = [];

beforeAll(async () => {
  fixture = await testServices();
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

afterAll(() => fixture.remove());

async function start(options: Partial<ServerOptions> = {}): Promise<StartedServer> {
  const server = await startServer({ services: fixture.services, plugins: [], version: '1.2.3', port: 0, threads: 1, ...options });
  servers.push(server);
  return server;
}

const installed = (plugin: Plugin): InstalledPlugin => ({
  plugin,
  packageName: `bylaw-plugin-${plugin.name}`,
  version: '4.5.6',
  root: '.',
});

interface Answer {
  status: number;
  type: string | null;
  text: string;
  value: Record<string, unknown>;
}

/** Sends a request, and holds the answer against the server's own OpenAPI document. */
async function ask(url: string, method: string, target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url + target, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    type: response.headers.get('content-type'),
    text,
    value: JSON.parse(text) as Record<string, unknown>,
  };
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const path = target.replace(/\?.*/, '');
  if (answer.status !== 405) expectDocumented(document, method, path, { status: answer.status, type: answer.type, body: text });
  return answer;
}

/** Adds to comparisons what never ends, and tells how many have begun. */
async function endlessPlugin(): Promise<{ plugin: InstalledPlugin; begun: () => number }> {
  const [module, begun] = [join(fixture.folder, 'endless.mjs'), join(fixture.folder, 'begun')];
  const code = `import { appendFileSync } from 'node:fs';
    export default () => () => { appendFileSync(${JSON.stringify(begun)}, 'x'); for (;;); };`;
  await Promise.all([writeFile(module, code), writeFile(begun, '')]);
  const plugin = installed({ name: 'endless', compare: endlessMember(pathToFileURL(module)) });
  return { plugin, begun: () => readFileSync(begun).length };
}

/** Sends the request of a comparison on a connection of its own. */
function sendComparison(url: string): Socket {
  const body = JSON.stringify({ current: { manifests: [] }, proposed: { manifests: [] } });
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/validate HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

describe('a client that goes away', () => {
  it('frees the thread that works for it, and the next request is answered', async () => {
    const threads = new Set<Worker>();
    const onWorker = (worker: Worker) => {
      threads.add(worker);
      worker.once('exit', () => threads.delete(worker));
    };
    process.on('worker', onWorker);
    onTestFinished(() => void process.off('worker', onWorker));
    const { plugin, begun } = await endlessPlugin();
    const { url } = await start({ plugins: [plugin] });
    const before = fixture.lines.length;
    for (const round of [1, 2, 3]) {
      // There is one thread, so the second one waits.
      const sockets = [sendComparison(url), sendComparison(url)];
      await expect.poll(begun).toBe(round);
      const answer = ask(url, 'POST', '/api/v1/evaluate', { content: PRIVILEGED_POD });
      for (const socket of sockets.reverse()) socket.destroy();
      expect((await answer).status).toBe(200);
    }
    await expect.poll(() => threads.size).toBe(1);
    const logged = fixture.lines
      .slice(before)
      .map((line) => JSON.parse(line) as { level: string; msg: string; route?: string; status?: number });
    const gone = logged.filter(({ route }) => route === '/api/v1/validate');
    expect(gone.map(({ level, status, msg }) => [level, status, msg])).toEqual(gone.map(() => ['info', 499, 'client disconnected']));
    expect(gone.length).toBeGreaterThan(0);
  });
});

describe('the probes and the description', () => {
  const answers = async (url: string) =>
    Promise.all(
      ['/healthz', '/readyz', '/openapi.json'].map(async (path) => {
        const response = await fetch(url + path, path.endsWith('z') ? { headers: { Accept: 'text/html' } } : {});
        return [response.status, ((await response.json()) as { status?: unknown }).status];
      }),
    );

  it('are there with any plugins and with none, and with --only', async () => {
    const ready = [
      [200, 'ok'],
      [200, 'ready'],
      [200, undefined],
    ];
    const acme = installed({ name: 'acme' });
    const own = await start();
    await expect.poll(() => answers(own.url)).toEqual(ready);
    const withPlugin = await start({ plugins: [acme] });
    await expect.poll(() => answers(withPlugin.url)).toEqual(ready);
    const { url } = await start({ plugins: [acme], only: 'acme' });
    expect(await answers(url)).toEqual(ready);
    expect(Object.keys(((await (await fetch(`${url}/openapi.json`)).json()) as OpenApi).paths)).toEqual([
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
    ]);
  });

  it('need no key, and are asked under any name', async () => {
    const { services, remove } = await testServices(`api: { keys: [{ id: ci, sha256: ${apiKeyDigest('secret')} }] }\n`);
    onTestFinished(remove);
    const { url } = await start({ services });
    expect((await fetch(`${url}/api/v1/rules`)).status).toBe(401);
    await expect.poll(async () => (await answers(url)).map(([status]) => status)).toEqual([200, 200, 200]);
    expect(await statusUnder(url, '/readyz', '10.0.0.7:8000')).toBe(200);
    expect(await statusUnder((await start({ dev: true })).url, '/readyz', '10.0.0.7:8000')).toBe(403);
  });

  it('say why plugins cannot do their work, as long as they cannot', async () => {
    const reasons = [{ code: 'acme-key', message: 'there is no key' }];
    const running = { ready: () => reasons, stop: async () => undefined };
    const { url } = await start({ plugins: [installed({ name: 'acme', start: async () => running }), installed({ name: 'other' })] });
    const threads = { code: 'evaluation-threads', message: 'No evaluation thread is ready.' };
    expect(await ask(url, 'GET', '/readyz')).toMatchObject({
      status: 503,
      value: { code: 'not-ready', title: 'Not ready', reasons: [threads, ...reasons] },
    });
    await expect.poll(async () => (await ask(url, 'GET', '/readyz')).value).toMatchObject({ reasons });
    expect((await ask(url, 'GET', '/healthz')).status).toBe(200);
    reasons.splice(0);
    expect((await ask(url, 'GET', '/readyz')).value).toEqual({ status: 'ready' });
  });
});

/** The status of an answer to a request under another name. */
function statusUnder(url: string, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url + path, { headers: { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

describe('GET /api/v1/health', () => {
  it('tells version, rules, categories and plugins', async () => {
    const { url } = await start({ plugins: [installed({ name: 'acme' })] });
    const { value } = await ask(url, 'GET', '/api/v1/health');
    expect(value).toEqual({ status: 'ok', version: '1.2.3', rules: 2, categories: 2, plugins: [{ name: 'acme', version: '4.5.6' }] });
  });
});

describe('GET /api/v1/rules', () => {
  const ids = ({ value }: Answer) => (value.rules as { id: string }[]).map(({ id }) => id);

  it('lists the rules, and those that satisfy all filters', async () => {
    const { url } = await start();
    const list = (query: string) => ask(url, 'GET', `/api/v1/rules${query}`);
    expect(await list('')).toMatchObject({ status: 200, value: { total: 2 } });
    expect(ids(await list('?category=CS'))).toEqual(['CS-001']);
    expect(ids(await list('?severity=critical'))).toEqual(['CS-001']);
    expect(ids(await list('?category=SP&severity=CRITICAL'))).toEqual([]);
    expect(ids(await list('?category=SP&category=cs'))).toEqual(['CS-001', 'SP-001']);
    expect(ids(await list('?search=privileged'))).toEqual(['CS-001']);
    expect(ids(await list('?framework=CIS-K8S'))).toEqual(['CS-001']);
    expect(await list('?limit=1&offset=1')).toMatchObject({
      value: { rules: [{ id: 'SP-001', category: 'SP', severity: 'LOW' }], total: 2 },
    });
  });

  it('knows all 15 categories of the catalogue, and refuses any other code, severity, framework or parameter', async () => {
    const { url } = await start();
    const list = (query: string) => ask(url, 'GET', `/api/v1/rules?${query}`);
    for (const code of ['CS', 'SP', 'NS', 'AC', 'SC', 'CH', 'RL', 'RM', 'ST', 'OP', 'FO', 'CB', 'AWS', 'AZ', 'GCP'])
      expect((await list(`category=${code}`)).status).toBe(200);
    expect(await list('category=XX')).toMatchObject({ status: 422, value: { code: 'category-unknown' } });
    expect(await list('severity=URGENT')).toMatchObject({ status: 422, value: { code: 'severity-unknown' } });
    expect(await list('framework=NOPE')).toMatchObject({ status: 422, value: { code: 'framework-unknown' } });
    expect(await list('categori=CS')).toMatchObject({ status: 422, value: { code: 'bad-query' } });
    expect(await list('limit=0')).toMatchObject({ status: 422, value: { code: 'bad-query' } });
    expect(await list('limit=1.5')).toMatchObject({ status: 422, value: { code: 'bad-query' } });
  });
});

describe('GET /api/v1/rules/{rule_id}', () => {
  it('tells the whole rule, with its category, in any case', async () => {
    const { url } = await start();
    const { value } = await ask(url, 'GET', '/api/v1/rules/cs-001');
    expect(value).toMatchObject({ id: 'CS-001', category: 'CS', severity: 'CRITICAL', logic: [{ targets: ['PodSpec'] }] });
    expect(value.examples).toHaveLength(2);
  });

  it('answers 404 for a rule that is not installed, with the nearest one', async () => {
    const { url } = await start();
    const { status, value } = await ask(url, 'GET', '/api/v1/rules/CS-0001');
    expect(status).toBe(404);
    expect(value.code).toBe('not-found');
    expect(value.detail).toContain('CS-001');
  });
});

describe('GET /api/v1/compliance', () => {
  it('maps controls to rules, all of them or those of one framework', async () => {
    const { url } = await start();
    const { value } = await ask(url, 'GET', '/api/v1/compliance');
    expect(value).toMatchObject({
      total: 1,
      frameworks: [
        {
          id: 'CIS-K8S-1.10',
          controls: [{ id: '5.2.2', rules: ['CS-001'] }],
          coverage: { controls_mapped: 1, controls_total: 130, rules: 1 },
          uncovered: expect.arrayContaining([{ id: '5.2.3', title: 'No host process namespace' }]),
        },
      ],
    });
    expect((await ask(url, 'GET', '/api/v1/compliance?framework=CIS-K8S')).value).toEqual(value);
    expect((await ask(url, 'GET', '/api/v1/compliance?framework=CIS-K8S:5.2&framework=CIS')).value).toEqual(value);
    expect(await ask(url, 'GET', '/api/v1/compliance?framework=NOPE')).toMatchObject({ status: 422, value: { code: 'framework-unknown' } });
  });
});

describe('POST /api/v1/evaluate', () => {
  it('starts from the configuration of the server: its exceptions hold, and its filters where the request names none', async () => {
    const { config } = fixture.services;
    const own = {
      ...config,
      evaluate: { ...config.evaluate, categories: ['CS'] },
      exceptions: [{ rule: 'CS-001', reason: 'the node agent needs it' }],
    };
    const { url } = await start({ services: { ...fixture.services, config: own } });
    const { value } = await ask(url, 'POST', '/api/v1/evaluate', { content: PRIVILEGED_POD });
    expect(value).toMatchObject({ summary: { rules: 1, suppressed: 1 }, findings: [{ suppression: { source: 'config' } }] });
    const all = await ask(url, 'POST', '/api/v1/evaluate', { content: PRIVILEGED_POD, categories: ['CS', 'SP'] });
    expect(all.value).toMatchObject({ summary: { rules: 2 } });
  });

  it('evaluates files, text and objects', async () => {
    const { url } = await start();
    const evaluate = (body: unknown) => ask(url, 'POST', '/api/v1/evaluate', body);
    const fromFile = await evaluate({ files: [{ path: 'pod.yaml', content: PRIVILEGED_POD }], categories: ['cs'] });
    expect(fromFile).toMatchObject({
      status: 200,
      value: {
        findings: [{ rule_id: 'CS-001', location: { file: 'pod.yaml', line: 8 }, resource: { name: 'web', namespace: 'shop' } }],
        errors: [],
        summary: { resources: 1, findings: 1 },
      },
    });
    expect((await evaluate({ content: PRIVILEGED_POD })).value).toMatchObject({ summary: { findings: 2 } });
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { team: 't' } } };
    expect((await evaluate({ manifests: [object], include_passed: true })).value).toMatchObject({
      findings: [{ status: 'pass', location: null }],
    });
  });

  it('reports documents that cannot be read beside the findings of the others', async () => {
    const { url } = await start();
    const { status, value } = await ask(url, 'POST', '/api/v1/evaluate', { content: `a: [\n---\n${PRIVILEGED_POD}` });
    expect(status).toBe(200);
    expect(value).toMatchObject({ errors: [{ code: 'yaml-syntax' }], summary: { findings: 2, errors: 1 } });
  });

  it('tells the status of each control, where it is asked to', async () => {
    const { url } = await start();
    const evaluate = (more: object) => ask(url, 'POST', '/api/v1/evaluate', { content: PRIVILEGED_POD, ...more });
    const { value } = await evaluate({ include_compliance: true, frameworks: ['CIS-K8S:5.2'] });
    expect(Object.keys(value)).toEqual(['findings', 'errors', 'notes', 'score', 'summary', 'compliance']);
    expect(value.compliance).toMatchObject({
      complete: true,
      frameworks: [
        {
          id: 'CIS-K8S-1.10',
          counts: { pass: 0, fail: 1, not_checked: 0, not_covered: 12 },
          controls: expect.arrayContaining([expect.objectContaining({ id: '5.2.2', status: 'fail', failing_rules: ['CS-001'] })]),
        },
      ],
    });
    expect((await evaluate({})).value.compliance).toBeUndefined();
  });

  it('gives the same bytes for the same request', async () => {
    const { url } = await start();
    const body = { content: PRIVILEGED_POD };
    expect((await ask(url, 'POST', '/api/v1/evaluate', body)).text).toBe((await ask(url, 'POST', '/api/v1/evaluate', body)).text);
  });

  it('refuses what it cannot evaluate, and does not reveal what it was sent', async () => {
    const { url } = await start();
    const refused = async (body: unknown) => {
      const { status, value, text } = await ask(url, 'POST', '/api/v1/evaluate', body);
      expect(text).not.toContain('c4nary');
      return [status, value.code];
    };
    expect(await refused('{"c4nary"')).toEqual([400, 'invalid-json']);
    expect(await refused('[]')).toEqual([422, 'schema']);
    expect(await refused({})).toEqual([422, 'schema']);
    expect(await refused({ content: '', manifests: [] })).toEqual([422, 'schema']);
    expect(await refused({ content: '', c4nary: 1 })).toEqual([422, 'schema']);
    expect(await refused({ content: '', rules: ['c4nary'] })).toEqual([422, 'rule-unknown']);
    expect(await refused({ content: '', categories: ['c4nary'] })).toEqual([422, 'category-unknown']);
    expect(await refused({ content: '', severities: ['c4nary'] })).toEqual([422, 'severity-unknown']);
    expect(await refused({ content: '', frameworks: ['c4nary'] })).toEqual([422, 'framework-unknown']);
    expect(await refused({ content: '', exceptions: [{ rule: 'CS-001' }] })).toEqual([422, 'schema']);
  });

  it('answers 413 over the configured limit', async () => {
    const small = await testServices('api: {max_body_bytes: 1024}');
    const { url } = await start({ services: small.services });
    expect((await ask(url, 'POST', '/api/v1/evaluate', { content: ' '.repeat(2000) })).status).toBe(413);
    await small.remove();
  });
});

describe('POST /api/v1/validate', () => {
  it('says what a change does', async () => {
    const { url } = await start();
    const body = { current: { content: PRIVILEGED_POD.replace('true', 'false') }, proposed: { content: PRIVILEGED_POD } };
    const { status, value } = await ask(url, 'POST', '/api/v1/validate', body);
    expect(status).toBe(200);
    expect(value).toMatchObject({
      verdict: 'regressed',
      introduced: [{ rule_id: 'CS-001' }],
      resolved: [],
      unchanged: 1,
      changes: [{ change: 'modified' }],
    });
    expect((await ask(url, 'POST', '/api/v1/validate', { current: {} })).status).toBe(422);
  });
});

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document of every route', async () => {
    const { url } = await start();
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
    const result = await new Validator().validate({ ...document });
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(document.openapi).toBe('3.1.0');
    expect(
      Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)),
    ).toEqual([
      'GET /api/v1/health',
      'GET /api/v1/rules',
      'GET /api/v1/rules/{rule_id}',
      'GET /api/v1/compliance',
      'POST /api/v1/evaluate',
      'POST /api/v1/validate',
      'GET /api/v1/scores/history',
      'GET /api/v1/scores/trend',
      'POST /api/v1/scores/record',
      'GET /healthz',
      'GET /readyz',
      'GET /openapi.json',
      'GET /docs',
    ]);
  });

  it('says which routes need a key, and names shared schemas once', async () => {
    const { url } = await start();
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
    const secured = (path: string, method: string) => document.paths[path]?.[method]?.security.length;
    expect(secured('/api/v1/health', 'get')).toBe(0);
    expect(secured('/openapi.json', 'get')).toBe(0);
    expect(secured('/api/v1/evaluate', 'post')).toBe(1);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['EvaluateRequest', 'EvaluationReport', 'Finding', 'Problem', 'Rule']),
    );
    expect(JSON.stringify(document.components.schemas.EvaluationReport)).toContain('"$ref":"#/components/schemas/Finding"');
  });

  it('has the routes of installed plugins, and only those', async () => {
    const endpoint = defineEndpoint({
      method: 'POST',
      path: '/api/v1/acme/{thing}',
      auth: { summary: 'Anyone.', anyAccept: false, guard: () => ({ auth: 'api-key' }) },
      id: 'acme',
      tag: 'acme',
      summary: 'Does a thing.',
      params: { thing: { type: 'string' } },
      body: { type: 'object' },
      responses: { 200: { description: 'Done.', schema: { type: 'object' } } },
      problems: [{ slug: 'acme-trouble', status: 409, title: 'Acme is in trouble' }],
      respond: async ({ params, body }) => json(200, { thing: params.thing, bytes: body.length }),
    });
    const { url } = await start({ plugins: [installed({ name: 'acme', endpoints: [endpoint] })] });
    expect(await ask(url, 'POST', '/api/v1/acme/x', {})).toMatchObject({ status: 200, value: { thing: 'x', bytes: 2 } });
    const bare = await start();
    expect((await fetch(`${bare.url}/api/v1/acme/x`, { method: 'POST', body: '{}' })).status).toBe(404);
    expect(await (await fetch(`${bare.url}/openapi.json`)).text()).not.toContain('acme');
    const idle = await start({ plugins: [installed({ name: 'acme', serves: () => false, endpoints: [endpoint] })] });
    expect((await fetch(`${idle.url}/api/v1/acme/x`, { method: 'POST', body: '{}' })).status).toBe(404);
  });
});

describe('starting', () => {
  it('refuses to listen beyond loopback without a key, unless that is allowed', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('bylaw apikey create') });
    await expect(start({ host: '::' })).rejects.toMatchObject({ code: 'usage' });
    fixture.lines.length = 0;
    const { url } = await start({ host: '0.0.0.0', allowUnauthenticated: true });
    expect(fixture.lines.join('')).toContain('"level":"warn"');
    expect((await fetch(`${url}/api/v1/rules`)).status).toBe(200);
  });

  it('asks for a key beyond health and description once one is configured', async () => {
    const keyed = await testServices(`api: {keys: [{id: ci, sha256: ${apiKeyDigest('k3y')}}], open_paths: [/api/v1/compliance]}`);
    const { url } = await start({ services: keyed.services, host: '0.0.0.0' });
    expect(await ask(url, 'GET', '/api/v1/rules')).toMatchObject({ status: 401, value: { code: 'unauthenticated' } });
    expect(await ask(url, 'GET', '/api/v1/rules', undefined, { 'X-API-Key': 'k3y' })).toMatchObject({ status: 200 });
    expect(await ask(url, 'POST', '/api/v1/evaluate', { content: '' })).toMatchObject({ status: 401 });
    expect((await fetch(`${url}/api/v1/compliance`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
    await keyed.remove();
  });

  it('keeps idle connections for as long as the configuration says, and tells the client', async () => {
    const patient = await testServices('api: {idle_seconds: 100}');
    const told = async (url: string) => (await fetch(`${url}/api/v1/health`)).headers.get('keep-alive');
    expect(await told((await start({ services: patient.services })).url)).toBe('timeout=100');
    expect(await told((await start()).url)).toBe('timeout=10');
    await patient.remove();
  });

  it('says why it cannot listen', async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toMatchObject({
      code: 'address-unavailable',
      message: expect.stringContaining('the port is in use'),
    });
  });

  it('starts plugins before it listens, and ends them, the last one first', async () => {
    const events: string[] = [];
    const plugin = (name: string): InstalledPlugin =>
      installed({
        name,
        start: async () => {
          events.push(`start ${name}`);
          return { ready: () => [{ code: 'no-key', message: `${name} has no key` }], stop: async () => void events.push(`stop ${name}`) };
        },
      });
    fixture.lines.length = 0;
    const server = await start({ plugins: [plugin('a'), plugin('b')] });
    expect(fixture.lines.join('')).toContain('a has no key');
    await server.close();
    expect(events).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('ends what was started when a plugin does not start, and names a plugin whose endpoints clash', async () => {
    const events: string[] = [];
    const good = installed({ name: 'good', start: async () => ({ ready: () => [], stop: async () => void events.push('stopped') }) });
    const bad = installed({
      name: 'bad',
      start: async () => {
        throw new Error('no luck');
      },
    });
    await expect(start({ plugins: [good, bad] })).rejects.toThrow('no luck');
    expect(events).toEqual(['stopped']);
    const clash = installed({
      name: 'clash',
      endpoints: [healthEndpoint([], '1.0.0')],
    });
    await expect(start({ plugins: [clash] })).rejects.toMatchObject({
      code: 'plugin-invalid',
      message: expect.stringContaining('bylaw-plugin-clash'),
    });
  });
});

describe('under load', () => {
  const manifests = (count: number) =>
    Array.from({ length: count }, (_, index) => PRIVILEGED_POD.replace('name: web', `name: web-${index}`)).join('---\n');

  // Repeated, because other work on the machine may hold up any single answer.
  it('answers health within 50 ms while 10,000 manifests are evaluated', { retry: 4, timeout: 60_000 }, async () => {
    const { url } = await start();
    const body = JSON.stringify({ content: manifests(10_000), limit: 0 });
    await fetch(`${url}/api/v1/health`);
    let finished = false;
    const evaluation = fetch(`${url}/api/v1/evaluate`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }).then(
      async (response) => {
        const bytes = (await response.arrayBuffer()).byteLength;
        finished = true;
        return { status: response.status, bytes };
      },
    );
    const times: number[] = [];
    while (!finished) times.push(await healthTime(url));
    const { status, bytes } = await evaluation;
    expect(status).toBe(200);
    expect(bytes).toBeGreaterThan(5_000_000);
    expect(times.length).toBeGreaterThan(20);
    expect(times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]).toBeLessThan(50);
  });

  it('neither parses nor writes the JSON of a large body on the thread that serves connections', async () => {
    const { url } = await start();
    const body = JSON.stringify({ content: manifests(1000) });
    const parse = vi.spyOn(JSON, 'parse');
    const stringify = vi.spyOn(JSON, 'stringify');
    const response = await fetch(`${url}/api/v1/evaluate`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    const { byteLength } = await response.arrayBuffer();
    const texts = [...parse.mock.calls.map(([text]) => text), ...stringify.mock.results.map(({ value }) => String(value))];
    vi.restoreAllMocks();
    expect(byteLength).toBeGreaterThan(500_000);
    expect(Math.max(0, ...texts.map((text) => text.length))).toBeLessThan(10_000);
  });

  it('finishes an evaluation that was accepted before it was asked to stop', async () => {
    const { url, close } = await start();
    const content = Array.from({ length: 1000 }, () => PRIVILEGED_POD).join('---\n');
    fixture.lines.length = 0;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const body = JSON.stringify({ content });
    socket.write(
      `POST /api/v1/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(body);
    await close();
    await ended;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain('"summary"');
  });
});

/** Milliseconds of one request to health on a connection of its own. */
async function healthTime(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/api/v1/health`);
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return performance.now() - start;
}
