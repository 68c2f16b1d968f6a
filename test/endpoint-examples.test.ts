import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectDocumented, type OpenApi } from '../packages/cli/src/server/documented.test-support.js';
import { ROOT } from './run-cli.js';

interface Asked {
  title: string;
  method: string;
  /** With the query. */
  target: string;
  body?: unknown;
}

let folder: string;
let server: ChildProcess;
let url: string;
let document: OpenApi;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bylaw-examples-'));
  const run = join(ROOT, 'packages', 'cli', 'bin', 'run.js');
  server = spawn(process.execPath, [run, 'serve', '--port', '0', '--json'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const [first] = await once(server.stdout ?? expect.fail(), 'data');
  url = (JSON.parse(String(first)) as { url: string }).url;
  document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
});

afterAll(async () => {
  server.kill();
  await once(server, 'close');
  await rm(folder, { recursive: true });
});

/** What the examples of the description say to send. */
function examplesOf({ paths }: OpenApi): Asked[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const bodies = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
      if (bodies.length > 0)
        return bodies.map(({ summary, value }) => ({
          title: `${path}: ${summary}`,
          method: method.toUpperCase(),
          target: path,
          body: value,
        }));
      const given = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
      if (given.length === 0) return [];
      const query = new URLSearchParams(
        given
          .filter((one) => one.in === 'query')
          .flatMap(({ name, example }) => [example].flat().map((one): [string, string] => [name, String(one)])),
      );
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(given.find((one) => one.name === name)?.example));
      return [{ title: path, method: method.toUpperCase(), target: `${target}?${query}` }];
    }),
  );
}

describe('the examples in the description of the API', () => {
  it('are there for every question that needs no cluster and no signature', () => {
    const without = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { requestBody, parameters, security }]) => (requestBody || parameters) && security.some((one) => 'ApiKey' in one))
        .filter(([, operation]) => examplesOf({ ...document, paths: { [path]: { any: operation } } }).length === 0)
        .map(([, { operationId }]) => operationId),
    );
    expect(without).toEqual(['scan', 'reviewAdmission', 'reviewAdmissionInMode']);
  });

  it('are answered, in the form that the description says', { timeout: 60_000 }, async () => {
    const examples = examplesOf(document);
    expect(examples.length).toBeGreaterThan(10);
    for (const { title, method, target, body } of examples) {
      const response = await fetch(`${url}${target}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      const text = await response.text();
      expect([title, response.status, response.status === 200 ? '' : text]).toEqual([title, 200, '']);
      const type = response.headers.get('content-type');
      expectDocumented(document, method, new URL(target, url).pathname, { status: 200, type, body: text });
    }
  });
});
