/**
 * Durable, signed decisions per second over HTTP: a server as `bylaw serve` starts it, with 20 policies and the SQLite store,
 * and a load generator in another process with 64 connections. Beside it, by turns, the same requests against a bare
 * echo server of node:http. On Linux also the processor time of one request, by threads of the server.
 *
 *   npm run bench:gate -- [connections] [requests]
 *     --rounds 3          how often each server is measured
 *     --base FOLDER       also by turns: the gate of another checkout, which is built; prints the ratio of processor times
 *     --profile FOLDER    writes a CPU profile of each thread of the gate there, which slows it down
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gateInstallation, SECRET } from './gate-installation.ts';
import type { LoadJob, LoadReport } from './http-load.ts';
import { threadTime, timePerUnit } from './thread-time.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, base: { type: 'string' }, profile: { type: 'string' } },
});
const [connections = 64, requests = 30_000] = positionals.map(Number);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'bylaw-bench-'));
const children: ChildProcess[] = [];
try {
  const servers: [name: string, server: Server][] = [
    ['echo', await start([path('echo-server.ts')], folder)],
    ['gate', await startGate('gate', path('..'), values.profile)],
    ...(values.base === undefined ? [] : [['base', await startGate('base', resolve(values.base))] satisfies [string, Server]]),
  ];
  for (const [, server] of servers) await load(server, 3000, 'warm');
  const rounds: { [name: string]: Measured }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const measured: { [name: string]: Measured } = {};
    // Whoever is measured first changes from round to round.
    for (const [name, server] of round % 2 === 0 ? servers : servers.toReversed()) {
      measured[name] = await measure(server, `r${round}`);
      show(name, measured[name]);
    }
    rounds.push(measured);
  }
  console.log(`best ratio of rates, gate to echo: ${Math.max(...ratios(rounds, 'gate', 'echo', ({ rate }) => rate)).toFixed(2)}`);
  if (values.base !== undefined && rounds[0]?.['gate']?.time) {
    const each = ratios(rounds, 'gate', 'base', ({ time }) => time?.all ?? 0);
    console.log(`processor time of all threads, gate to base, by rounds: ${each.map((ratio) => ratio.toFixed(2)).join(' ')}`);
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode === null && once(child, 'close')));
  await rm(folder, { recursive: true });
}

/** All of them look at the proposal; two hold. */
function policy(number: number): string {
  const when =
    number < 2
      ? 'proposal.environment == "staging"'
      : `proposal.action.?parameters.?replicas.orValue(0) > ${number + 10} && proposal.action.resource.matches("^k8s://shop/")`;
  return `apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: p${number}, title: Policy ${number}}\nspec:\n  when: '${when}'\n  effect: ${number < 2 ? 'allow' : 'deny'}\n  message: Policy ${number}.\n`;
}

interface Server {
  url: string;
  pid: number;
}

/** @param checkout whose build is started */
async function startGate(name: string, checkout: string, profile?: string): Promise<Server> {
  const own = join(folder, name);
  await mkdir(own);
  await gateInstallation(
    own,
    'deny',
    Array.from({ length: 20 }, (_, number) => policy(number)),
  );
  const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval', '200', `--cpu-prof-dir=${resolve(profile)}`];
  return start([...profiling, join(checkout, 'packages/cli/bin/run.js'), 'serve', '--only', 'gate', '--port', '0', '--json'], own);
}

/** @returns the address that the program prints, and its process */
async function start(args: string[], cwd: string): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, BENCH: SECRET }, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: (JSON.parse(String(line)) as { url: string }).url, pid: child.pid ?? 0 };
}

type Measured = LoadReport & { time: ReturnType<typeof timePerUnit> | undefined };

async function measure(server: Server, prefix: string): Promise<Measured> {
  const before = threadTime(server.pid);
  const report = await load(server, requests, prefix);
  const after = threadTime(server.pid);
  return { ...report, time: before && after && timePerUnit(before, after, requests) };
}

async function load({ url }: Server, count: number, prefix: string): Promise<LoadReport> {
  const job: LoadJob = { url, connections, requests: count, adapter: 'bench', secret: SECRET, prefix };
  const { stdout } = await promisify(execFile)(process.execPath, [path('http-load.ts'), JSON.stringify(job)]);
  return JSON.parse(stdout) as LoadReport;
}

function ratios(rounds: readonly { [name: string]: Measured }[], of: string, to: string, value: (measured: Measured) => number): number[] {
  return rounds.flatMap(({ [of]: one, [to]: other }) => (one && other ? [value(one) / value(other)] : []));
}

function show(name: string, { rate, p50, p99, statuses, time }: Measured): void {
  const processor = time
    ? `  processor: main ${time.main} µs, writer ${time.writer} µs, other threads ${time.others} µs, V8 and libuv ${time.helpers} µs, all ${time.all} µs`
    : '';
  console.log(
    `${name}  ${String(rate).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  ${JSON.stringify(statuses)}${processor}`,
  );
}
