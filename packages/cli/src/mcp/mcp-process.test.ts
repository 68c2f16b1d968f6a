import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PRIVILEGED_POD } from '../server/services.test-support.js';

const RUN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const children: ChildProcess[] = [];
let cwd: string;
let client: Client;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bylaw-mcp-'));
  client = new Client({ name: 'test', version: '0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [RUN, 'mcp'], cwd, stderr: 'ignore' }));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(async () => {
  await client.close();
  await rm(cwd, { recursive: true });
});

async function evaluate(content: string, more: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name: 'evaluate', arguments: { content, compact: false, ...more } })) as CallToolResult;
}

async function evaluated(content: string): Promise<unknown> {
  const [part] = (await evaluate(content)).content;
  return part?.type === 'text' ? JSON.parse(part.text) : undefined;
}

const pods = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `apiVersion: v1\nkind: Pod\nmetadata: { name: p${index} }\nspec: { containers: [{ name: app, image: nginx }] }\n`,
  ).join('---\n');

describe('bylaw mcp', () => {
  it('answers the client of the SDK over its standard input and output', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'list_rules',
        'get_rule',
        'evaluate',
        'validate',
        'compliance',
        'scan_cluster',
        'report_carbon',
        'check_action',
      ]),
    );
    // An agent carries the list through its whole conversation.
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(30_000);
    expect(await evaluated(PRIVILEGED_POD)).toMatchObject({ summary: { resources: 1 } });
  });

  it('answers an evaluation of hundreds of Pods, which the client of the SDK takes', async () => {
    expect(await evaluated(pods(650))).toMatchObject({ summary: { resources: 650 } });
    expect(await evaluated(PRIVILEGED_POD)).toMatchObject({ summary: { resources: 1 } });
  });

  it('answers that the answer is too large, where the client would end the connection for it', async () => {
    // More than 8 MiB, and so much more that it comes in chunks.
    for (const count of [1500, 3000]) {
      const result = await evaluate(pods(count), { limit: 0 });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^The answer is larger than 8 MiB.*fewer/) }],
      });
    }
    expect(await evaluated(PRIVILEGED_POD)).toMatchObject({ summary: { resources: 1 } });
  });

  it('refuses a message that is too large, and answers the next', async () => {
    await expect(evaluate('a'.repeat(64 * 1024 * 1024))).rejects.toThrow(/larger than 64 MiB/);
    expect(await evaluated(PRIVILEGED_POD)).toMatchObject({ summary: { resources: 1 } });
  });

  it('answers what was asked before its input ended, writes nothing but the protocol, and exits with 0', async () => {
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'evaluate', arguments: { content: PRIVILEGED_POD } } },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'list_rules' } },
    ];
    const child = spawn(process.execPath, [RUN, 'mcp'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stdin.end(`not a message\n${messages.map((message) => JSON.stringify(message)).join('\n')}\n`);
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    const answers = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result?: object });
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
  });
});
