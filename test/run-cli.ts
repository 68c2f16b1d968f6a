import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface CliResult {
  /** Of the process; the signal's name where one ended it. */
  code: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string | Uint8Array;
  /** The command line to start; absent: that of this repository. */
  bin?: string;
}

/** Runs the real command line as a process of its own, without a terminal, and without what the environment would add. */
export async function bylaw(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startBylaw(args, options);
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.signalCode ?? child.exitCode ?? -1, stdout, stderr };
}

/** What a tool answers to these arguments as a whole, from the real tool server. */
export async function toolAnswer(name: string, args: object, options: CliOptions = {}, flags: readonly string[] = []): Promise<unknown> {
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: { compact: false, ...args } } },
  ];
  const { stdout } = await bylaw(['mcp', ...flags], {
    ...options,
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
  });
  const answers = stdout.trim().split('\n');
  return JSON.parse(answers.map((line) => JSON.parse(line)).find(({ id }) => id === 2).result.content[0].text);
}

/** Starts it, and leaves the rest to the test. */
export function startBylaw(args: readonly string[], { cwd = ROOT, env = {}, bin = join(ROOT, 'bin', 'run.js') }: CliOptions = {}) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { PATH, HOME, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A folder of these files, gone when the test is over. */
export function folderOf(files: { readonly [path: string]: string | Uint8Array } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function text(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export interface ServeOptions extends CliOptions {
  /** Further arguments; absent: on a free port. */
  args?: readonly string[];
}

/** Starts the real server, as a process of its own. */
export async function serveBylaw(options: ServeOptions = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const { PATH, HOME } = process.env;
  const bin = options.bin ?? join(ROOT, 'bin', 'run.js');
  const own = options.cwd === undefined ? mkdtempSync(join(tmpdir(), 'bylaw-server-')) : undefined;
  const child = spawn(process.execPath, [bin, 'serve', '--json', ...(options.args ?? ['--port', '0'])], {
    cwd: options.cwd ?? own,
    env: { PATH, HOME, ...options.env },
  });
  const stderr = text(child.stderr);
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(async () => {
      throw new Error(`the server did not start: ${await stderr}`);
    }),
  ]);
  return {
    url: JSON.parse(String(line)).url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}
