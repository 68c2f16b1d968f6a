import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { beginWalk, type Walk, walkOn } from '../verify/walk.js';
import { inspectStore } from './check/inspect.js';
import { openReading } from './file/connection.js';
import { readPart } from './reads/range.js';
import { newKey, openFor, optionsFor, temporaryFolder } from './sqlite.test-support.js';

/** Processes run the compiled file, as threads do. */
const CHILD = fileURLToPath(new URL('../../../dist/store/sqlite/crash-child.test-support.js', import.meta.url));

export interface CrashSite {
  path: string;
  /** Starts a process that writes. What it acknowledges is remembered, and must be there ever after. */
  start(role: 'server' | 'command' | 'step', wishes?: Wishes): Writing;
  /** Looks at all that was written since the last look. */
  look(): void;
  /** Looks at the whole store, as `store doctor` does. */
  lookAtAll(): Promise<void>;
  acknowledged(): number;
  records(): number;
}

export interface Wishes {
  /** See the process. */
  crashAt?: string;
  /** Bytes that one file may have: writing more is an I/O error (setrlimit(2), RLIMIT_FSIZE). */
  fileBytes?: number;
}

export interface Writing {
  child: ChildProcess;
  /** Resolves when it has acknowledged that many decisions, or has ended. */
  until(acknowledged: number): Promise<void>;
  /** Decisions that it has acknowledged. */
  count(): number;
  /** Ends it as a failing machine would, and waits until it is gone. */
  kill(): Promise<void>;
  /** How it ended by itself. */
  ended(): Promise<{ signal: NodeJS.Signals | null; code: number | null; stderr: string }>;
}

/** A store that processes write to and die over. */
export async function crashSite(): Promise<CrashSite> {
  const folder = temporaryFolder();
  const key = newKey();
  const keyFile = join(folder, 'signing.key');
  writeFileSync(keyFile, key.pem, { mode: 0o600 });
  const options = optionsFor({ path: join(folder, 'gate', 'store.sqlite'), key });
  await (await openFor(options)).close();
  const acknowledged = new Map<string, number>();
  const fresh: string[] = [];
  const walk = beginWalk();
  const seen = new Set<string>();
  let started = 0;

  return {
    path: options.path,
    start(role, { crashAt, fileBytes } = {}) {
      started += 1;
      const env = { PATH: process.env.PATH, ...(crashAt !== undefined && { SVC_CRASH_AT: crashAt }) };
      const args = [CHILD, options.path, keyFile, `p${started}`, role];
      // The shell counts in blocks of 512 bytes, and gives its place to the process.
      const limited = ['-c', `ulimit -f ${Math.floor((fileBytes ?? 0) / 512)}; exec "$0" "$@"`, process.execPath, ...args];
      const [program, all] = fileBytes === undefined ? [process.execPath, args] : ['sh', limited];
      const child = spawn(program, all, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      return follow(child, (id, seq) => {
        acknowledged.set(id, seq);
        fresh.push(id);
      });
    },
    look() {
      const db = openReading(options.path);
      try {
        readOn(db, walk, seen);
        expect(walk.faults).toEqual([]);
        for (const id of fresh.splice(0)) expect(verdictOf(db, id), id).toBe(acknowledged.get(id));
      } finally {
        db.close();
      }
    },
    async lookAtAll() {
      const checks = await inspectStore({ path: options.path, checkpointDir: undefined, fast: false });
      expect(checks.flatMap(({ faults }) => faults)).toEqual([]);
    },
    acknowledged: () => acknowledged.size,
    records: () => walk.size,
  };
}

function follow(child: ChildProcess, onAcknowledged: (id: string, seq: number) => void): Writing {
  let rest = '';
  let count = 0;
  let stderr = '';
  let wake: () => void = () => undefined;
  const closed = once(child, 'close');
  void closed.then(() => wake());
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout?.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [id = '', seq] = line.split(' ');
      onAcknowledged(id, Number(seq));
    }
    count += lines.length;
    wake();
  });
  return {
    child,
    count: () => count,
    async until(acknowledged) {
      while (count < acknowledged && child.exitCode === null && child.signalCode === null)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
      if (child.signalCode !== 'SIGKILL') throw new Error(`The process ended before it was killed: ${stderr}`);
    },
    async ended() {
      await closed;
      return { signal: child.signalCode, code: child.exitCode, stderr };
    },
  };
}

/** Every id has one verdict, in all that was ever written. */
function readOn(db: DatabaseSync, walk: Walk, seen: Set<string>): void {
  for (let from: number | undefined = walk.size; from !== undefined; ) {
    const part = readPart(db, { from, to: Number.MAX_SAFE_INTEGER });
    for (const record of part.records) {
      walkOn(walk, record, { signatures: true });
      if (record.type !== 'verdict') continue;
      const { proposal_id: id } = JSON.parse(record.data ?? '{}');
      expect(seen.has(id), `${id} was decided before`).toBe(false);
      seen.add(id);
    }
    from = part.records.length === 0 ? undefined : part.next;
  }
}

function verdictOf(db: DatabaseSync, id: string): unknown {
  return db.prepare('SELECT verdict_seq FROM proposal WHERE id = ?').get(id)?.verdict_seq;
}

/**
 * Kills processes that write, a server and a command at a time, at moments that nobody chose, and looks each time at what is left.
 * @param random gives numbers in [0, 1)
 */
export async function killUnderLoad(kills: number, random: () => number): Promise<CrashSite> {
  const site = await crashSite();
  for (let killed = 0; killed < kills; killed += 2) {
    const server = site.start('server');
    const command = site.start('command');
    const [first, second] = random() < 0.5 ? [server, command] : [command, server];
    await Promise.all([server.until(Math.ceil(random() * 200)), command.until(Math.ceil(random() * 4))]);
    await first.kill();
    second.child.kill('SIGSTOP');
    site.look();
    // The other one goes on over the body of the first.
    second.child.kill('SIGCONT');
    await second.until(second.count() + Math.ceil(random() * 3));
    await second.kill();
    site.look();
  }
  await site.lookAtAll();
  return site;
}

/** Numbers in [0, 1) that are the same for the same seed: mulberry32 (Tommy Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
