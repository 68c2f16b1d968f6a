import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@bylaw/core/clock';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../json/index.js';
import { newKeyPem } from '../../keys/index.js';
import { openStore } from '../../store/index.js';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));
/** For what needs no descriptors of its own. */
const runShared = sharedProcess(new URL('../../../../cli/lib/main.js', import.meta.url));
const CRASH_CHILD = fileURLToPath(new URL('../../../dist/cli/adapters/adapter-crash-child.test-support.js', import.meta.url));

/** A folder with a configuration and a signing key, in which commands run. */
export interface Site {
  folder: string;
  /** The configuration as it stands. */
  config(): string;
  /** Runs `bylaw adapter …`, as a process of its own where it has to do with descriptors. */
  adapter(args: readonly string[], options?: { env?: { [name: string]: string }; stdoutTo?: string }): Promise<Ended>;
  /** Registers an adapter in a process that is killed at a step. */
  crash(step: string, adapterId: string): Promise<Ended>;
  /** Header and data of the administrative acts in the chain. */
  /** Records an administrative act, as a server does. */
  record(data: JsonObject): Promise<void>;
  acts(): Promise<{ header: JsonObject; data: JsonObject }[]>;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export function makeSite(config = '# ours\n', { key = true } = {}): Site {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-adapter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bylaw.yaml');
  writeFileSync(file, config);
  mkdirSync(join(folder, '.bylaw'), { mode: 0o700 });
  if (key) writeFileSync(join(folder, '.bylaw', 'signing.key'), newKeyPem(), { mode: 0o600 });
  return {
    folder,
    config: () => readFileSync(file, 'utf8'),
    adapter: async (args, { env = {}, stdoutTo } = {}) => {
      if (stdoutTo !== undefined || args.includes('--secret-out')) return run(folder, [RUN, 'adapter', ...args], env, stdoutTo);
      const ended = await runShared(['adapter', ...args], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
      return { ...ended, signal: null };
    },
    crash: (step, adapterId) => run(folder, [CRASH_CHILD, file, adapterId], { SVC_CRASH_AT: step }),
    record: (data) => recordIn(folder, data),
    acts: () => actsIn(folder),
  };
}

async function run(cwd: string, args: readonly string[], env: { [name: string]: string }, stdoutTo?: string): Promise<Ended> {
  const out = stdoutTo === undefined ? 'pipe' : openSync(stdoutTo, 'w');
  const child = spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', out, 'pipe', out] });
  const ended = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    ended.stderr += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]; // what the event carries
  return { ...ended, code, signal };
}

function openIn(folder: string, role: 'read' | 'command') {
  return openStore({
    config: {
      store: { kind: 'sqlite', path: '.bylaw/gate.sqlite' },
      signing: { key_file: '.bylaw/signing.key' },
      evidence: { checkpoint_dir: '.bylaw/checkpoints', checkpoint_seconds: 60 },
    },
    base: folder,
    env: {},
    clock: systemClock,
    role,
  });
}

async function recordIn(folder: string, data: JsonObject): Promise<void> {
  const store = await openIn(folder, 'command');
  const time = systemClock.now().toISOString();
  await store.administer({ kind: 'admin', type: 'admin_action', time, dev: false, reportedBy: 'system', data });
  await store.close();
}

async function actsIn(folder: string): Promise<{ header: JsonObject; data: JsonObject }[]> {
  const store = await openIn(folder, 'read');
  const acts: { header: JsonObject; data: JsonObject }[] = [];
  const head = await store.head();
  for await (const records of store.records({ from: 0, to: head?.seq ?? 0, types: ['admin_action'] }))
    for (const { header, data } of records) acts.push({ header: JSON.parse(header), data: JSON.parse(data ?? '{}') });
  await store.close();
  return acts;
}
