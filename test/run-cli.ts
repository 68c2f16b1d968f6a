import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
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
  /** The command line to start, in place of that of this repository. */
  bin?: string;
}

const runShared = sharedProcess(new URL('../packages/cli/lib/main.js', import.meta.url));

/**
 * Runs the real command line without a terminal, and without what the environment would add. The commands of a test file share a process, one after another,
 * which takes a tenth of the time. Use `bylawAlone` in one test of a file at least, and for signals, pipes, colours, and several commands at once.
 */
export function bylaw(args: readonly string[], { cwd = ROOT, env = {}, input = '' }: Omit<CliOptions, 'bin'> = {}): Promise<CliResult> {
  const { PATH, HOME } = process.env;
  return runShared(args, { cwd, env: { PATH, HOME, ...env }, input });
}

/** The same as a process of its own. */
export async function bylawAlone(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startBylaw(args, options);
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.signalCode ?? child.exitCode ?? -1, stdout, stderr };
}

/** What a tool answers to these arguments as a whole, from the real tool server. The calls of a test file with the same options share one. */
export async function toolAnswer(name: string, args: object, options: CliOptions = {}, flags: readonly string[] = []): Promise<unknown> {
  const key = JSON.stringify([options, flags]);
  const server = toolServers.get(key) ?? startToolServer(options, flags);
  toolServers.set(key, server);
  return server(name, args);
}

const toolServers = new Map<string, ReturnType<typeof startToolServer>>();

/** It ends with this process, which holds its standard input. */
function startToolServer(options: CliOptions, flags: readonly string[]): (name: string, args: object) => Promise<unknown> {
  const child = spawnBylaw(['mcp', ...flags], options);
  child.stderr.resume();
  const asked = new Map<number, (answer: ToolAnswer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer: ToolAnswer = JSON.parse(line);
    asked.get(answer.id)?.(answer);
    asked.delete(answer.id);
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The tool server has ended.')));
  ended.catch(() => undefined);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  let id = 0;
  send({ id, method: 'initialize', params: client });
  send({ method: 'notifications/initialized' });
  return async (name, args) => {
    const answer = new Promise<ToolAnswer>((resolve) => asked.set(++id, resolve));
    send({ id, method: 'tools/call', params: { name, arguments: { compact: false, ...args } } });
    return JSON.parse((await Promise.race([answer, ended])).result.content[0].text);
  };
}

interface ToolAnswer {
  id: number;
  result: { content: [{ text: string }] };
}

/** Starts it, and leaves the rest to the test. */
export function startBylaw(args: readonly string[], options: CliOptions = {}) {
  const child = spawnBylaw(args, options);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function spawnBylaw(args: readonly string[], { cwd = ROOT, env = {}, bin = join(ROOT, 'bin', 'run.js') }: CliOptions) {
  const { PATH, HOME } = process.env;
  return spawn(process.execPath, [bin, ...args], { cwd, env: { PATH, HOME, ...env } });
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
