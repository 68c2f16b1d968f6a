import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { HttpProblem } from '../http/index.js';
import { operationResponse, operationThreads, operationTool, type ThreadAnswer } from './index.js';

/** A module as a plugin has one; threads run the compiled files. */
const CODE = `
  import { BylawError } from ${JSON.stringify(new URL('../../dist/errors.js', import.meta.url).href)};
  const body = { type: 'object', additionalProperties: false, properties: { n: { type: 'number' } } };
  let asked = 0;
  export const OPERATIONS = {
    count: { body, answer: () => ({ n: ++asked }) },
    double: { body, answer: ({ n }) => ({ n: n * 2 }) },
    refuse: { body, answer: () => { throw new BylawError({ code: 'odd', exit: 2 }, 'It is odd.', { path: '/n', hint: 'Make it even.' }) } },
    place: { body, answer: () => { throw new BylawError({ code: 'odd', exit: 2 }, 'It is odd.', { location: { file: 'f', line: 7, column: 1 } }) } },
    break: { body, answer: () => { throw new TypeError('a defect') } },
    never: { body, answer: () => { for (;;); } },
    hoard: { body, answer: () => { const all = []; for (;;) all.push({ all }); } },
  };`;

let module: URL;
const threads = operationThreads();

beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'bylaw-operation-')), 'operations.mjs');
  await writeFile(file, CODE);
  module = pathToFileURL(file);
});

const ask = (operation: string, body: string, signal?: AbortSignal) =>
  threads.answer(module, { operation, body: Buffer.from(body) }, { signal });

function bodyOf(answer: ThreadAnswer): Uint8Array {
  return 'body' in answer ? answer.body : expect.fail(JSON.stringify(answer));
}

describe('an operation on a thread', () => {
  it('answers bytes, as a response and as a tool', async () => {
    const response = operationResponse(await ask('double', '{"n":21}'), () => undefined);
    expect([response.status, Buffer.from(response.body as Uint8Array).toString()]).toEqual([200, '{"n":42}\n']); // made by the thread
    expect(await operationTool(threads, module, 'double', { n: 21 }, new AbortController().signal)).toEqual({ n: 42 });
  });

  it('refuses what is no JSON, and what has not the form', async () => {
    expect(await ask('double', '{')).toMatchObject({ problem: { code: 'invalid-json' } });
    expect(await ask('double', '\xff')).toMatchObject({ problem: { code: 'invalid-json' } });
    expect(await ask('double', '{"n":"1"}')).toMatchObject({ problem: { code: 'schema', errors: [{ path: '/n' }] } });
    const refused = await ask('double', '{"secret":1}');
    expect(() => operationResponse(refused, () => undefined)).toThrow(HttpProblem);
    expect(JSON.stringify(refused)).not.toContain('secret');
  });

  it('tells what is wrong with a body, in the words of its own table', async () => {
    const answer = await ask('refuse', '{}');
    expect(answer).toEqual({ error: { code: 'odd', message: 'It is odd.', hint: 'Make it even.', path: '/n', line: undefined } });
    expect(() => operationResponse(answer, ({ code }) => new HttpProblem({ slug: code, status: 422, title: 'Odd' }))).toThrow('Odd');
    expect(() => operationResponse(answer, () => undefined)).toThrow('a request failed with odd');
    await expect(operationTool(threads, module, 'refuse', {}, new AbortController().signal)).rejects.toMatchObject({ code: 'odd' });
    await expect(operationTool(threads, module, 'place', {}, new AbortController().signal)).rejects.toThrow('Line 7: It is odd.');
  });

  it('that breaks is a defect, and no answer', async () => {
    await expect(ask('break', '{}')).rejects.toThrow('a defect');
    await expect(ask('unknown', '{}')).rejects.toThrow('no operation');
  });

  it('goes to a warm thread, and to another one after a large body', async () => {
    const count = async (body: string) => JSON.parse(Buffer.from(bodyOf(await ask('count', body))).toString()).n as number; // as written above
    expect([await count('{}'), await count('{}'), await count(`{}${' '.repeat(5 << 20)}`), await count('{}')]).toEqual([1, 2, 3, 1]);
  });

  it('that needs too much memory is a problem, and takes nothing else with it', async () => {
    const [hoarded, doubled] = await Promise.allSettled([ask('hoard', '{}'), ask('double', '{"n":1}')]);
    expect(hoarded).toMatchObject({ status: 'rejected', reason: { kind: { slug: 'evaluation-memory', status: 413 } } });
    expect(doubled.status).toBe('fulfilled');
  });

  it('has a thread if it is small, beside large ones; one client fills half of the queue', async () => {
    const abort = new AbortController();
    const never = () =>
      threads.answer(module, { operation: 'never', body: Buffer.from(`{}${' '.repeat(70_000)}`) }, { signal: abort.signal, client: 'a' });
    const all = Array.from({ length: 35 }, () => never().catch((error: unknown) => error));
    expect(await Promise.race(all)).toMatchObject({
      kind: { slug: 'overloaded', status: 503 },
      options: { headers: { 'Retry-After': '1' } },
    });
    expect(await ask('double', '{"n":1}')).toHaveProperty('body');
    abort.abort(new Error('gone'));
    await Promise.all(all);
  });

  it('ends when nobody waits for it, and leaves its place to others', async () => {
    const abort = new AbortController();
    const never = [1, 2, 3].map(() => ask('never', '{}', abort.signal));
    const after = ask('double', '{"n":1}');
    abort.abort(new Error('gone'));
    for (const one of await Promise.allSettled(never)) expect(one).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
    expect(await after).toHaveProperty('body');
  });
});
