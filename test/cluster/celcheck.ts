import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('.', import.meta.url));

/** See the types of the same names in `cmd/celcheck/main.go`. */
export interface CelRequest {
  versions: string[];
  policies: object[];
  cases: { policy: number; object: object; oldObject?: object; user?: string }[];
  types?: boolean;
}

export interface CelAnswer {
  policies: { invalid: string[]; compile: { [version: string]: string[] }; warnings: string[] }[];
  cases: CaseAnswer[];
}

export interface CaseAnswer {
  decision: 'admit' | 'deny' | 'error' | 'unmatched' | 'refused';
  messages: string[];
  cost: number;
  object: object | null;
}

/** Asks the packages of the API server. Go builds the program first, in seconds where it has built the API server before. */
export async function celcheck(request: CelRequest): Promise<CelAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-celcheck-'));
  try {
    const program = join(folder, 'celcheck');
    await output('go', ['build', '-trimpath', '-mod=readonly', '-o', program, './cmd/celcheck']);
    return JSON.parse(await output(program, [], JSON.stringify(request))) as CelAnswer; // written by that program
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function output(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { cwd: MODULE, env: { ...process.env, CGO_ENABLED: '0' }, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray()));
  await ended;
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${stderr?.join('').slice(-2_000)}`);
  return stdout?.join('') ?? '';
}
