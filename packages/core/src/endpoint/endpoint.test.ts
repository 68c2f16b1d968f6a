import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.js';
import { BylawError } from '../errors.js';
import { createRouter, openApiDocument, type RunningServer, serveHttp } from '../http/index.js';
import { createLog } from '../log.js';
import { operationThreads } from '../operation/index.js';
import { endpointRoute, endpointTool } from './host.js';
import { compiledModule, defineEndpoint, type Endpoint, type Services } from './index.js';

const SERVICES = { threads: operationThreads(), clock: systemClock, paths: { base: '/', data: '/data' } } as unknown as Services; // the endpoints below ask no more

interface Greeting {
  name: string;
  times?: number;
  loud?: boolean;
}

const GREETING = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { description: 'Whom to greet.', type: 'string', maxLength: 20 },
    times: { description: 'How often.', type: 'integer', minimum: 1, maximum: 9 },
    loud: { description: 'Whether in capitals.', type: 'boolean' },
  },
} as const;

const ABOUT = {
  tag: 'test',
  summary: 'Greet.',
  input: GREETING,
  output: { description: 'The greeting.', schema: { title: 'Greeting', type: 'object' } },
  problems: [
    { error: 'name-taken', problem: { slug: 'name-taken', status: 422, title: 'Name is taken' }, say: () => ({ detail: 'Use another.' }) },
  ],
} as const;

const greet = ({ name, times = 1, loud = false }: Greeting, data: string): { text: string; data: string } => {
  if (name === 'nobody') throw new BylawError({ code: 'name-taken', exit: 2 }, 'This name is taken.', { hint: 'Use another.' });
  if (name === 'bug') throw new BylawError({ code: 'unheard-of', exit: 2 }, 'Nobody expects this.');
  const text = Array.from({ length: times }, () => `hello ${name}`).join(', ');
  return { text: loud ? text.toUpperCase() : text, data };
};

const byPath = defineEndpoint<Greeting, object, string>({
  ...ABOUT,
  id: 'greetByPath',
  method: 'GET',
  path: '/api/v1/greetings/{name}',
  setup: ({ paths }) => paths.data,
  run: greet,
  tool: { name: 'greet', description: 'Greets.' },
});

const rendered = defineEndpoint<Greeting, { content_type: string; content: string } | { text: string }>({
  ...ABOUT,
  id: 'renderGreeting',
  method: 'POST',
  path: '/api/v1/rendered',
  formats: { 'text/plain': { schema: { type: 'string' }, sets: { loud: true } } },
  check: ({ name }) => (name === 'me' ? [{ path: '/name', message: 'must be another name' }] : []),
  run: ({ name, loud }) => (loud ? { content_type: 'text/plain', content: name.toUpperCase() } : { text: name }),
});

/** A module as a plugin has one, which threads load. */
const MODULE = `
  export const greetOnThread = {
    id: 'greetOnThread',
    input: ${JSON.stringify(GREETING)},
    run: ({ name, ...more }, data) => ({ text: 'hello ' + name, data, ...more }),
  };
  export const other = { id: 'other' };`;

let server: RunningServer;
let onThread: Endpoint;
const logged: string[] = [];

beforeAll(async () => {
  const module = join(await mkdtemp(join(tmpdir(), 'bylaw-endpoint-')), 'endpoints.mjs');
  await writeFile(module, MODULE);
  onThread = defineEndpoint<Greeting, object, string>({
    ...ABOUT,
    id: 'greetOnThread',
    method: 'POST',
    path: '/api/v1/greetings',
    setup: ({ paths }) => paths.data,
    formats: { 'text/plain': { schema: { type: 'string' }, sets: { loud: true } } },
    run: greet,
    thread: { module: pathToFileURL(module).href },
  }) as Endpoint;
  const router = createRouter();
  for (const endpoint of [byPath, onThread, rendered]) router.add(endpointRoute(endpoint, SERVICES));
  const log = createLog({
    to: new Writable({
      write: (chunk, _encoding, done) => {
        logged.push(String(chunk));
        done();
      },
    }),
  });
  server = await serveHttp({ router, host: '127.0.0.1', port: 0, log, problemsUrl: 'https://problems.test', keys: [] });
});

afterAll(() => server.close());

const get = (path: string) => fetch(`${server.url}/api/v1/greetings/${path}`);
const post = (body: unknown, headers: { [name: string]: string } = {}) =>
  fetch(`${server.url}/api/v1/greetings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('an endpoint', () => {
  it('takes its input from the path and the query', async () => {
    expect(await (await get('ann?times=2&loud=true')).json()).toEqual({ text: 'HELLO ANN, HELLO ANN', data: '/data' });
    expect((await get('ann?times=10')).status).toBe(422);
    expect((await get('ann?name=bob')).status).toBe(422);
  });

  it('takes its input from the body, and runs on a thread with its setup', async () => {
    expect(await (await post({ name: 'ann' })).json()).toEqual({ text: 'hello ann', data: '/data' });
    const refused = await post({ name: 'ann', secret: 1 });
    expect([refused.status, await refused.text()]).toEqual([422, expect.not.stringContaining('secret')]);
  });

  it('without a thread is checked and rendered in the same way', async () => {
    const ask = (body: object, accept: string) =>
      fetch(`${server.url}/api/v1/rendered`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify(body),
      });
    expect(await (await ask({ name: 'ann' }, 'application/json')).json()).toEqual({ text: 'ann' });
    const text = await ask({ name: 'ann' }, 'text/plain');
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain', 'ANN']);
    const refused = await ask({ name: 'me' }, 'application/json');
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: '/name', message: 'must be another name' }] }]);
  });

  it('gives the problems that it names, and a defect for any other error', async () => {
    const refused = await get('nobody');
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({ type: 'https://problems.test/name-taken', title: 'Name is taken', detail: 'Use another.' }),
    ]);
    expect((await get('bug')).status).toBe(500);
    expect(logged.join('')).toContain('this is a bug');
  });

  it('is described with everything that it takes', () => {
    const routes = [byPath, onThread].map((endpoint) => endpointRoute(endpoint as Endpoint, SERVICES));
    const { paths } = openApiDocument({ title: 't', version: '1', description: '', license: 'MIT', tags: { test: 'Test.' } }, routes) as {
      paths: { [path: string]: { [method: string]: { parameters?: { name: string; in: string; required: boolean }[] } } };
    }; // an OpenAPI document
    expect(paths['/api/v1/greetings/{name}']?.get?.parameters).toMatchObject([
      { name: 'name', in: 'path', required: true },
      { name: 'times', in: 'query', required: false },
      { name: 'loud', in: 'query', required: false },
    ]);
    expect(JSON.stringify(paths['/api/v1/greetings']?.post)).toContain('text/plain');
  });

  it('is a tool with the same answer, if it has a name for agents', async () => {
    const tool = endpointTool(byPath as Endpoint, SERVICES);
    expect(tool).toMatchObject({ name: 'greet', inputSchema: GREETING });
    const { signal } = new AbortController();
    expect(await tool?.answer({ name: 'ann' }, signal)).toBe(await (await get('ann')).text());
    await expect(tool?.answer({ name: 'nobody' }, signal)).rejects.toMatchObject({ code: 'name-taken', hint: 'Use another.' });
    expect(endpointTool(onThread, SERVICES)).toBeUndefined();
  });

  it('names its module by the compiled file', () => {
    expect(compiledModule('file:///a/src/b/packages/x/src/endpoints/endpoints.ts')).toBe(
      'file:///a/src/b/packages/x/dist/endpoints/endpoints.js',
    );
    expect(compiledModule('file:///a/packages/x/dist/endpoints/endpoints.js')).toBe('file:///a/packages/x/dist/endpoints/endpoints.js');
  });
});
