import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationThreads, type ThreadAnswer } from './index.js';

/** A module as a plugin has one; threads run the compiled files. */
const CODE = `
  import { BylawError } from ${JSON.stringify(new URL('../../dist/errors.js', import.meta.url).href)};
  const input = { type: 'object', additionalProperties: false, properties: { n: { type: 'number' } } };
  let asked = 0;
  export const count_ = { id: 'count', input, run: () => ({ n: ++asked }) };
  export const double_ = { id: 'double', input, run: ({ n }) => ({ n: n * 2 }) };
  export const refuse_ = { id: 'refuse', input, run: () => { throw new BylawError({ code: 'odd', exit: 2 }, 'It is odd.', { path: '/n', hint: 'Make it even.' }) } };
  export const place_ = { id: 'place', input, run: () => { throw new BylawError({ code: 'odd', exit: 2 }, 'It is odd.', { location: { file: 'f', line: 7, column: 1 } }) } };
  export const break_ = { id: 'break', input, run: () => { throw new TypeError('a defect') } };
  export const never_ = { id: 'never', input, run: () => { for (;;); } };
  export const hoard_ = { id: 'hoard', input, run: () => { const all = []; for (;;) all.push({ all }); } };
`;

let module: string;
const threads = operationThreads();

beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'bylaw-operation-')), 'operations.mjs');
  await writeFile(file, CODE);
  module = pathToFileURL(file).href;
});

const NOW = '2026-01-02T03:04:05.000Z';

const ask = (operation: string, body: string, signal?: AbortSignal) =>
  threads.answer({ module, operation, body: Buffer.from(body), now: NOW }, { signal });

function bodyOf(answer: ThreadAnswer): Uint8Array {
  return 'body' in answer && answer.body instanceof Uint8Array ? answer.body : expect.fail(JSON.stringify(answer));
}

describe('an operation on a thread', () => {
  it('answers bytes', async () => {
    expect(Buffer.from(bodyOf(await ask('double', '{"n":21}'))).toString()).toBe('{"n":42}\n');
  });

  it('refuses what is not JSON, and what does not match the schema', async () => {
    expect(await ask('double', '{')).toMatchObject({ problem: { code: 'invalid-json' } });
    expect(await ask('double', '\xff')).toMatchObject({ problem: { code: 'invalid-json' } });
    expect(await ask('double', '{"n":"1"}')).toMatchObject({ problem: { code: 'schema', errors: [{ path: '/n' }] } });
    const refused = await ask('double', '{"secret":1}');
    expect(JSON.stringify(refused)).not.toContain('secret');
  });

  it('tells what is wrong with a body, in the words of its own table', async () => {
    const answer = await ask('refuse', '{}');
    expect(answer).toEqual({ error: { code: 'odd', message: 'It is odd.', hint: 'Make it even.', path: '/n', line: undefined } });
    expect(await ask('place', '{}')).toMatchObject({ error: { code: 'odd', line: 7 } });
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
      threads.answer(
        { module, operation: 'never', body: Buffer.from(`{}${' '.repeat(70_000)}`), now: NOW },
        { signal: abort.signal, client: 'a' },
      );
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
