import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Programs {
  /** Of Kubernetes: `v1.36.3`. */
  version: string;
  /** Paths. */
  etcd: string;
  apiServer: string;
}

const MODULE = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = ['go.mod', 'go.sum', 'cmd/etcd/main.go', 'cmd/kube-apiserver/main.go'];

/**
 * A real etcd and a real kube-apiserver. The first call has Go build them from the module beside this file, which takes up to half an
 * hour; what it built stays in the user's cache until the module changes.
 * @param say receives the progress, a line at a time
 * @throws where there is no Go, or one too old, or where it cannot build them
 */
export async function buildPrograms(say: (line: string) => void): Promise<Programs> {
  const sources = SOURCES.map((file) => readFileSync(join(MODULE, file), 'utf8'));
  const version = /^\tk8s\.io\/kubernetes (v\S+)$/m.exec(sources.join())?.[1] ?? 'unknown';
  const digest = createHash('sha256').update(sources.join('\0')).digest('hex').slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bylaw', 'cluster');
  const folder = join(cache, `${version}-${digest}`);
  // The folder gets its name when it is whole.
  if (!existsSync(folder)) await buildInto(folder, cache, version, say);
  return { version, etcd: join(folder, 'etcd'), apiServer: join(folder, 'kube-apiserver') };
}

async function buildInto(folder: string, cache: string, version: string, say: (line: string) => void): Promise<void> {
  await requireGo();
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    say(`Building etcd and kube-apiserver ${version} with Go, once, into ${folder}. This takes up to 30 minutes.`);
    const total = (await go(['list', '-deps', './cmd/etcd', './cmd/kube-apiserver'])).split('\n').length;
    const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
    const said = { gitVersion: version, gitMajor: major, gitMinor: minor };
    const stamps = Object.entries(said).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
    const args = ['build', '-v', '-trimpath', '-mod=readonly', '-ldflags', ['-s', '-w', ...stamps].join(' '), '-o', draft];
    let compiled = 0;
    await go([...args, './cmd/etcd', './cmd/kube-apiserver'], () => {
      compiled += 1;
      if (compiled % 100 === 0) say(`  compiled ${compiled} of ${total} packages`);
    });
    // Another run may have been faster.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function requireGo(): Promise<void> {
  const needed = /^go (\S+)$/m.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))?.[1];
  const hint = `The tests against a cluster build a real API server, which needs Go ${needed} or later on PATH (https://go.dev/doc/install).`;
  try {
    await go(['list', '-m']);
  } catch (error) {
    throw new Error(`${hint}\n${error instanceof Error ? error.message : error}`);
  }
}

/** Runs Go in the module; gives its standard output. What it writes to standard error goes to `onLine`, and into the error. */
async function go(args: readonly string[], onLine: (line: string) => void = () => undefined): Promise<string> {
  const child = spawn('go', args, { cwd: MODULE, env: { ...process.env, CGO_ENABLED: '0' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const last: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    onLine(line);
    last.push(line);
    if (last.length > 20) last.shift();
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await ended;
  if (child.exitCode !== 0) throw new Error(`go ${args[0]} failed: ${last.join('\n')}`);
  return output.trim();
}
