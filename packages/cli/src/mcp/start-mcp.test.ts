import { BylawError } from '@bylaw/core/errors';
import type { InstalledPlugin, Plugin, Services, Tool } from '@bylaw/core/plugin';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PRIVILEGED_POD, type TestServices, testServices } from '../server/services.test-support.js';
import { startServer } from '../server/start-server.js';
import { startMcp } from './start-mcp.js';

let fixture: TestServices;
const clients: Client[] = [];

beforeAll(async () => {
  fixture = await testServices();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

afterAll(() => fixture.remove());

/** With a rule that keeps a processor busy for a second with each ConfigMap. */
async function slowServices(): Promise<Services> {
  const range = 'lists.range(10000)';
  const { services, remove } = await testServices('', {
    'SP-002': `id: SP-002
severity: LOW
title: Slow
description: It takes a while.
targets: [ConfigMap]
expression: text(object.metadata.name) == "a" || !${range}.all(a, ${range}.all(b, a >= 0 && b >= 0))
fix: Wait.
examples:
  - fail: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
  - pass: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
`,
  });
  onTestFinished(remove);
  return services;
}

/** A client of the SDK that talks to a server with these plugins. */
async function connected(
  plugins: readonly InstalledPlugin[] = [],
  services: Services = fixture.services,
): Promise<{ client: Client; call: (name: string, args?: object) => Promise<CallToolResult>; closed: Promise<void> }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { closed } = await startMcp({ services, plugins, version: '1.2.3', transport: far });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(near);
  clients.push(client);
  const call = async (name: string, args: object = {}) => (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  return { client, call, closed };
}

const textOf = ({ content }: CallToolResult) => content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const tool = (handler: Tool['handler'], name = 'acme_scan'): Tool => ({
  name,
  description: 'Scans.',
  inputSchema: { type: 'object', additionalProperties: false, properties: { depth: { type: 'integer' } } },
  handler,
});

const installed = (plugin: Plugin): InstalledPlugin => ({
  plugin,
  packageName: `bylaw-plugin-${plugin.name}`,
  version: '4.5.6',
  root: '.',
});

describe('the tool-call server', () => {
  it('names itself and offers its tools with schemas', async () => {
    const { client } = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: 'bylaw', version: '1.2.3' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_rules',
      'get_rule',
      'compliance',
      'evaluate',
      'validate',
      'score_history',
      'score_trend',
    ]);
    expect(
      tools.every(
        ({ inputSchema, outputSchema, description }) => inputSchema.type === 'object' && outputSchema === undefined && description,
      ),
    ).toBe(true);
    expect(tools[0]?.inputSchema.required).toBeUndefined();
  });

  it('answers the same bytes as REST, once, if the call asks for the whole answer', async () => {
    const { call } = await connected();
    const server = await startServer({ services: fixture.services, plugins: [], version: '1.2.3', port: 0, threads: 1 });
    const get = async (path: string) => (await fetch(server.url + path)).text();
    const post = async (path: string, body: object) =>
      (
        await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })
      ).text();
    const body = { files: [{ path: 'pod.yaml', content: PRIVILEGED_POD }], include_passed: true };
    const change = { current: { content: '' }, proposed: { content: PRIVILEGED_POD } };
    const compact = false;
    const pairs: [CallToolResult, string][] = [
      [await call('list_rules', { compact }), await get('/api/v1/rules')],
      [await call('list_rules', { category: 'cs', compact }), await get('/api/v1/rules?category=cs')],
      [
        await call('list_rules', { category: 'SP', severity: 'low', limit: 1 }),
        await get('/api/v1/rules?category=SP&severity=low&limit=1'),
      ],
      [await call('get_rule', { id: 'cs-001' }), await get('/api/v1/rules/cs-001')],
      [await call('evaluate', { ...body, compact }), await post('/api/v1/evaluate', body)],
      [await call('validate', { ...change, compact }), await post('/api/v1/validate', change)],
      [await call('compliance', { compact }), await get('/api/v1/compliance')],
    ];
    await server.close();
    for (const [result, text] of pairs) {
      expect(result.isError).toBeUndefined();
      expect(textOf(result)).toBe(text);
      expect(Object.keys(result)).toEqual(['content']);
    }
  });

  it('answers the worst entries of each list, unless the call asks for more', async () => {
    const { call } = await connected();
    const content = Array.from({ length: 15 }, (_, index) => PRIVILEGED_POD.replace(/name: \w+/, `name: p${index}`)).join('---\n');
    const findings = async (more: object = {}) => JSON.parse(textOf(await call('evaluate', { content, ...more })));
    const whole = await findings({ compact: false });
    expect(whole.findings).toHaveLength(30);
    expect(whole.truncated).toBeUndefined();
    const short = await findings();
    expect(short.findings).toHaveLength(20);
    expect(short.truncated).toEqual({ findings: { shown: 20, total: 30 } });
    expect(short.summary).toEqual(whole.summary);
    const severities = short.findings.map(({ severity }: { severity: string }) => severity);
    expect(severities.slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 'CRITICAL'));
    expect((await findings({ limit: 20, offset: 20 })).findings).toHaveLength(10);
    expect((await findings({ include: ['findings'], limit: 100 })).findings).toHaveLength(30);
    expect(await findings({ limit: 0 })).toEqual(whole);
    // A short page cuts nothing off its entries.
    const [first] = (await findings({ limit: 1 })).findings;
    expect(whole.findings).toContainEqual(first);
    expect(JSON.parse(textOf(await call('list_rules', { limit: 1 }))).rules).toHaveLength(1);
  });

  it.each([
    ['list_rules', { category: 'XX' }, 'No such category.'],
    ['list_rules', { severity: 'URGENT' }, 'No such severity.'],
    ['list_rules', { categry: 'CS' }, 'has a member that is not allowed'],
    ['list_rules', { limit: 'many' }, '/limit: must be integer'],
    ['get_rule', {}, 'must have the member id'],
    ['get_rule', { id: 'CS-999' }, 'No installed rule has this identifier.'],
    ['evaluate', {}, 'The arguments are invalid.'],
    ['evaluate', { content: '', manifests: [] }, 'must have exactly one of files, manifests, content'],
    ['evaluate', { content: '', rules: ['CS-999'] }, 'No installed rule has this identifier.'],
  ])('answers a wrong call of %s with an error for the model: %j', async (name, args, message) => {
    const { call } = await connected();
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(message);
    expect(textOf(result)).not.toMatch(/\bat .*:\d+:\d+/);
  });

  it('answers an unknown tool with an error of the protocol that names the known ones', async () => {
    const { call } = await connected();
    await expect(call('delete_everything')).rejects.toThrow(
      'Known tools: list_rules, get_rule, compliance, evaluate, validate, score_history, score_trend.',
    );
  });

  it('reports documents that cannot be read beside the findings of the others', async () => {
    const { call } = await connected();
    expect(JSON.parse(textOf(await call('evaluate', { content: `a: [\n---\n${PRIVILEGED_POD}` })))).toMatchObject({
      errors: [{ code: 'yaml-syntax' }],
      summary: { findings: 2 },
    });
  });

  it('ends an evaluation that its client cancels, and answers the next', async () => {
    const { client, call } = await connected([], await slowServices());
    const abort = new AbortController();
    const configMaps = Array.from({ length: 1000 }, (_, index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${index} }\n`);
    const request = { name: 'evaluate', arguments: { content: configMaps.join('---\n') } };
    const cancelled = client.callTool(request, undefined, { signal: abort.signal });
    const next = call('evaluate', { content: PRIVILEGED_POD });
    abort.abort();
    await expect(cancelled).rejects.toThrow();
    expect(JSON.parse(textOf(await next))).toMatchObject({ summary: { resources: 1 } });
  });

  it('ends when its client goes', async () => {
    const { client, closed } = await connected();
    await client.close();
    await closed;
  });
});

describe('tools of plugins', () => {
  it('are offered, checked and answered like those of core', async () => {
    const { call } = await connected([
      installed({ name: 'acme', tools: [tool(async (args, { catalogue }) => ({ args, rules: catalogue.rules.length }))] }),
    ]);
    expect(await call('acme_scan', { depth: 2 })).toEqual({
      content: [{ type: 'text', text: '{"args":{"depth":2},"rules":2}\n' }],
    });
    expect((await call('acme_scan', { depth: 'x' })).isError).toBe(true);
  });

  it('report an error that the caller can fix, and no detail of any other error', async () => {
    const mendable = tool(async () => {
      throw new BylawError('path-not-found', 'The context does not exist.', { hint: 'Choose another' });
    });
    const broken = tool(async () => {
      throw new TypeError('s3cret');
    }, 'acme_broken');
    fixture.lines.length = 0;
    const { call } = await connected([installed({ name: 'acme', tools: [mendable, broken] })]);
    expect(textOf(await call('acme_scan'))).toBe('The context does not exist. Choose another.');
    expect(textOf(await call('acme_broken'))).not.toContain('s3cret');
    expect(fixture.lines.join('')).toContain('"error":"TypeError"');
    expect(fixture.lines.join('')).not.toContain('s3cret');
  });

  it('may not take the name of another tool', async () => {
    const [, far] = InMemoryTransport.createLinkedPair();
    const plugins = [installed({ name: 'acme', tools: [tool(async () => ({}), 'evaluate')] })];
    await expect(startMcp({ services: fixture.services, plugins, version: '0', transport: far })).rejects.toThrow(
      'Two tools are called evaluate.',
    );
  });
});
