import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PRIVILEGED_POD } from './services.test-support.js';

const RUN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const children: ChildProcess[] = [];
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bylaw-serve-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(() => rm(cwd, { recursive: true }));

interface Served {
  child: ChildProcess;
  url: string;
  /** What was written to stderr so far. */
  log: () => string;
  /** Exit code and signal, once the process has ended. */
  ended: Promise<[number | null, string | null]>;
}

async function serve(...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [RUN, 'serve', '--port', '0', '--json', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'close') as Served['ended']; // what the event carries
  const [first] = await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error(log)))]);
  return { child, url: (JSON.parse(String(first)) as { url: string }).url, log: () => log, ended };
}

/** A request whose head was accepted and whose body is still to come. */
async function openRequest(url: string, body: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    `POST /api/v1/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

describe('bylaw serve', () => {
  it('finishes the request in flight after SIGTERM, and exits with 0', async () => {
    const { child, url, ended, log } = await serve();
    const body = JSON.stringify({ content: PRIVILEGED_POD });
    const socket = await openRequest(url, body);
    child.kill('SIGTERM');
    await expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = once(socket, 'close');
    socket.write(body);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ended).toEqual([0, null]);
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['listening', 'request']));
  });

  it('is not hurried by a SIGTERM that comes twice', async () => {
    const { child, url, ended } = await serve();
    const socket = await openRequest(url, '{}');
    child.kill('SIGTERM');
    await expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused');
    child.kill('SIGTERM');
    socket.write('{}');
    expect(await ended).toEqual([0, null]);
  });

  it('exits at once on a second interrupt', async () => {
    const { child, url, ended } = await serve();
    await openRequest(url, '{}');
    child.kill('SIGINT');
    await expect.poll(() => fetch(url).catch(() => 'refused')).toBe('refused');
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  it('refuses to be open to others without a key, with exit code 2 and a way out', async () => {
    await expect(serve('--host', '0.0.0.0')).rejects.toThrow(/bylaw apikey create/);
    const open = await serve('--host', '0.0.0.0', '--allow-unauthenticated');
    expect(open.log()).toContain('"level":"warn"');
  });
});
