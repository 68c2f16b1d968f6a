import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '@bylaw/core/config';
import type { RenderConfig } from '../../config/render-section.js';
import { uponInterrupt } from './interrupt.js';
import { watchMemory } from './memory-limit.js';

export interface ProgramCall {
  /** Absolute path. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  /** Most bytes of standard output. */
  maxBytes: number;
  /** Most bytes of memory that it may hold, where the system tells: on Linux. */
  maxMemory: number;
}

export type ProgramResult =
  | { status: 'done'; output: string }
  | { status: 'failed'; stderr: string }
  | { status: 'timeout' }
  | { status: 'too-large' }
  | { status: 'out-of-memory' };

/** An error message is a few lines; of a longer one the start is enough. */
const MAX_STDERR = 64 * 1024;

/**
 * Runs a program without a shell and without standard input. It and all that it starts are killed when it takes too long, writes too much or holds
 * too much memory, or when this process is interrupted. Never throws.
 */
export function runProgram({ program, args, cwd, env, ...limits }: ProgramCall): Promise<ProgramResult> {
  return new Promise((resolve) => {
    // A group of its own, so that its children can be killed with it.
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let stopped: 'timeout' | 'too-large' | 'out-of-memory' | undefined;
    const stop = (why: NonNullable<typeof stopped>) => {
      stopped ??= why;
      killGroup(child);
      // A child of it that has left the group may hold the pipes for ever.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => stop('timeout'), limits.timeoutMs);
    const endWatch = watchMemory(child.pid, limits.maxMemory, () => stop('out-of-memory'));
    const takeBack = uponInterrupt(() => killGroup(child));
    const settle = (result: ProgramResult) => {
      clearTimeout(timer);
      endWatch();
      takeBack();
      resolve(result);
    };
    collect(child.stdout, output, limits.maxBytes, () => stop('too-large'));
    collect(child.stderr, errors, MAX_STDERR, () => undefined);
    child.on('error', (error) => settle({ status: 'failed', stderr: `it cannot be started: ${error.message}` }));
    child.on('close', (code, signal) => {
      if (stopped !== undefined) settle({ status: stopped });
      else if (code === 0) settle({ status: 'done', output: Buffer.concat(output).toString('utf8') });
      else settle({ status: 'failed', stderr: Buffer.concat(errors).toString('utf8') || `it ended with ${signal ?? code}` });
    });
  });
}

function collect(stream: NodeJS.ReadableStream, into: Buffer[], most: number, onMore: () => void): void {
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) into.push(chunk);
    else onMore();
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** What the renderers work with: the configuration, and the environment that leads to their programs. */
export interface RenderSettings extends RenderConfig {
  env: Environment;
}

/** Ten times what large charts take. */
const MAX_MEMORY = 2 * 1024 * 1024 * 1024;

export function limitsOf({ timeout_ms, max_bytes }: RenderSettings): Pick<ProgramCall, 'timeoutMs' | 'maxBytes' | 'maxMemory'> {
  return { timeoutMs: timeout_ms, maxBytes: max_bytes, maxMemory: MAX_MEMORY };
}
