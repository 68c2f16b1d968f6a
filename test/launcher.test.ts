import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, ROOT } from './run-cli.js';

/** Makes a process believe that it is an older Node, as far as the launcher can tell. */
const OLD_NODE = `data:text/javascript,${encodeURIComponent(
  "if (!process.env.PINNED) { process.env.PINNED = '1'; Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } }); }",
)}`;

const withNode = join(ROOT, 'bin', 'with-node.js');

describe('with-node', () => {
  it('runs its arguments with the folder of its Node first on PATH', () => {
    const { stdout } = spawnSync(process.execPath, [withNode, 'node', '-p', 'JSON.stringify([process.execPath, process.env.PATH])'], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    const [execPath, path] = JSON.parse(stdout);
    expect(execPath).toBe(process.execPath);
    expect(path).toBe(`${dirname(process.execPath)}:/usr/bin:/bin`);
  });

  it('ends with the exit code of what it runs', () => {
    expect(spawnSync(process.execPath, [withNode, 'node', '-e', 'process.exit(42)']).status).toBe(42);
  });

  it('passes standard input through', () => {
    const { stdout } = spawnSync(process.execPath, [withNode, 'node', '-e', 'process.stdin.pipe(process.stdout)'], {
      input: 'text',
      encoding: 'utf8',
    });
    expect(stdout).toBe('text');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('hands %s on, and ends by it when what it runs does', async (signal) => {
    const child = spawn(process.execPath, [withNode, 'node', '-e', 'console.log("ready"); setInterval(() => {}, 1000)']);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
  });

  it('lets what it runs answer a signal in its own way', async () => {
    const code = 'process.on("SIGTERM", () => process.exit(7)); console.log("ready"); setInterval(() => {}, 1000)';
    const child = spawn(process.execPath, [withNode, 'node', '-e', code]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('says when a program does not exist', () => {
    const { status, stderr } = spawnSync(process.execPath, [withNode, 'no-such-program'], { encoding: 'utf8' });
    expect(stderr).toContain('failed to run no-such-program');
    expect(status).toBe(2);
  });
});

describe('under an older Node', () => {
  it.skipIf(process.platform === 'darwin')('the command line runs under the Node that came with it', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', OLD_NODE, join(ROOT, 'bin', 'run.js'), 'version', '--json'],
      {
        encoding: 'utf8',
        env: { ...process.env, PINNED: '' },
      },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).nodeVersion).toMatch(/^node-v(2[4-9]|[3-9]\d)\./);
    expect(status).toBe(0);
  });

  it.skipIf(process.platform === 'darwin').each(['3', '9'])('hands over the descriptor that is to get a secret: %s', (descriptor) => {
    const folder = folderOf();
    const file = join(folder, 'secret');
    const out = openSync(file, 'w');
    onTestFinished(() => closeSync(out));
    const args = ['--import', OLD_NODE, join(ROOT, 'bin', 'run.js'), 'gate', 'init', '--secret-out', descriptor];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', out],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PINNED: '' },
    });
    if (descriptor === '3') expect([status, readFileSync(file, 'utf8')]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)]);
    else expect([status, stderr]).toEqual([2, expect.stringContaining('is not open')]);
  });

  it('the command line says what to do where no newer Node came with it', () => {
    const folder = folderOf({ 'package.json': '{"type":"module"}' });
    cpSync(join(ROOT, 'packages', 'cli', 'bin'), join(folder, 'bin'), { recursive: true });
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', OLD_NODE, join(folder, 'bin', 'run.js'), 'version'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PINNED: '' },
    });
    expect(stderr).toContain('bylaw cannot start: Node 24 or later is required, but this is Node 20.19.0.');
    expect(stderr).toContain('Install Node 24');
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  // The process ends with its standard output, so `close` comes when the launcher and what it started have ended.
  it.skipIf(process.platform === 'darwin')(
    'a server ends with its launcher, however that ends, and leaves its store to the next one',
    async () => {
      const cwd = folderOf({});
      const serve = async () => {
        const child = launched(['serve', '--dev', '--only', 'gate', '--port', '0', '--json'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
        const closed = once(child, 'close');
        let log = '';
        child.stderr?.on('data', (chunk) => {
          log += chunk;
        });
        const [line] = await Promise.race([once(child.stdout as Readable, 'data'), closed.then(() => Promise.reject(new Error(log)))]);
        return { child, closed, url: JSON.parse(String(line)).url as string };
      };
      const first = await serve();
      expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
      first.child.kill('SIGKILL');
      expect(await first.closed).toEqual([null, 'SIGKILL']);
      const second = await serve();
      expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
      second.child.kill('SIGTERM');
      expect(await second.closed).toEqual([0, null]);
    },
  );

  it.skipIf(process.platform === 'darwin')('the tool server ends with its launcher while its client keeps its input open', async () => {
    const client = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void client.kill('SIGKILL'));
    const child = launched(['mcp'], { cwd: folderOf({}), stdio: [client.stdout, 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    client.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    expect(JSON.parse(String((await once(child.stdout as Readable, 'data'))[0]))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    child.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    expect(client.exitCode).toBeNull();
  });
});

/** The command line as an older Node starts it: a launcher, and a newer Node as its child. */
function launched(args: readonly string[], options: { cwd: string; stdio: StdioOptions }): ChildProcess {
  const child = spawn(process.execPath, ['--import', OLD_NODE, join(ROOT, 'bin', 'run.js'), ...args], {
    ...options,
    env: { ...process.env, PINNED: '' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
