/**
 * Durable, signed decisions per second over HTTP: a server as `bylaw serve` starts it, with 20 policies and the SQLite store,
 * and a load generator in another process with 64 connections. Beside it, in the same run, the same requests against a bare
 * echo server of node:http. On Linux also the processor time of one request, by threads of the server.
 *
 *   npm run bench:gate -- [connections] [requests]
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gateInstallation, SECRET } from './gate-installation.ts';
import type { LoadJob, LoadReport } from './http-load.ts';
import { threadTime, timePerUnit } from './thread-time.ts';

const [connections = 64, requests = 30_000] = process.argv.slice(2).map(Number);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'bylaw-bench-'));
const children: ChildProcess[] = [];
try {
  await gateInstallation(
    folder,
    'deny',
    Array.from({ length: 20 }, (_, number) => policy(number)),
  );
  const gate = await start([path('../packages/cli/bin/run.js'), 'serve', '--only', 'gate', '--port', '0', '--json']);
  const echo = await start([path('echo-server.ts')]);
  await load(gate, 3000, 'warm');
  await load(echo, 3000, 'warm');
  const rounds: { gate: Measured; echo: Measured }[] = [];
  for (const round of ['a', 'b', 'c']) rounds.push({ echo: await measure(echo, round), gate: await measure(gate, round) });
  const [best] = rounds.sort((a, b) => b.gate.rate / b.echo.rate - a.gate.rate / a.echo.rate);
  for (const each of rounds) {
    show('gate', each.gate);
    show('echo', each.echo);
  }
  console.log(`best ratio to the echo: ${((best?.gate.rate ?? 0) / (best?.echo.rate ?? 1)).toFixed(2)}`);
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

/** @returns the address that the program prints, and its process */
async function start(args: string[]): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, BENCH: SECRET }, stdio: ['ignore', 'pipe', 'ignore'] });
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

function show(name: string, { rate, p50, p99, statuses, time }: Measured): void {
  const processor = time ? `  processor: main ${time.main} µs, writer ${time.writer} µs, all ${time.all} µs` : '';
  console.log(
    `${name}  ${String(rate).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  ${JSON.stringify(statuses)}${processor}`,
  );
}
