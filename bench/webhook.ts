/**
 * How long the admission webhook takes: 200 requests a second over TLS, four small objects to one of about 100 kB, with every installed rule.
 * Once alone, and once while the same server evaluates manifests for others as fast as it can, up to 10 MB a second. Beside it a bare echo server
 * of node:https under the same requests.
 *
 *   npm run bench:webhook                     10 seconds each
 *   npm run bench:webhook -- --seconds 60
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { certificateAuthority } from '../packages/plugin-k8s/dist/cluster/testing/authority.test-support.js';
import { documentsOf } from './corpus.ts';
import type { PacedJob, PacedReport } from './paced-load.ts';
import { webhookBodies } from './webhook-bodies.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' }, rate: { type: 'string', default: '200' } } });
const [seconds, rate] = [Number(values.seconds), Number(values.rate)];
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'bylaw-bench-'));
const children: ChildProcess[] = [];
try {
  const { cert, key } = certificateAuthority('bench').issue({ commonName: 'server', addresses: ['127.0.0.1'] });
  const tls = ['--tls-cert', await file('tls.crt', cert), '--tls-key', await file('tls.key', key)];
  await file('bylaw.yaml', 'plugins: [k8s]\napi: {open_paths: [/api/v1/webhook]}\nlog: {level: warn}\n');
  const [small = '', ...large] = await Promise.all(
    Object.entries(webhookBodies()).map(([name, body]) => file(`${name}.json`, JSON.stringify(body))),
  );
  const bodies = large.flatMap((body) => [small, small, small, small, body]);
  const content = manifests(1_000_000);
  const work = await file('work.json', JSON.stringify({ content }));

  const server = await start([path('../packages/cli/bin/run.js'), 'serve', '--port', '0', '--json', ...tls]);
  const echo = await start([path('echo-server.ts'), join(folder, 'tls.crt'), join(folder, 'tls.key')]);
  const reviews = { url: `${server}/api/v1/webhook?timeout=10s`, bodies, rate, connections: 256 };
  const others = { url: `${server}/api/v1/evaluate`, bodies: [work], rate: 10e6 / content.length, connections: 8 };
  const echoes = { url: echo, bodies, rate, connections: 256 };

  await load({ ...reviews, seconds: 5 });
  await load({ ...echoes, seconds: 2 });
  const echoed = await load({ ...echoes, seconds });
  show('echo', echoed);
  show('webhook', await load({ ...reviews, seconds }));
  const [evaluated, reviewed] = await Promise.all([load({ ...others, seconds: seconds + 2 }), load({ ...reviews, seconds })]);
  show('webhook, beside other work', reviewed);
  show('the other work', evaluated);
  const ratios = Object.entries(reviewed.bodies).map(([name, { p99 }]) => `${name} ${(p99 / (echoed.bodies[name]?.p99 ?? 1)).toFixed(1)}`);
  console.log(`p99 beside other work, as a multiple of that of the echo alone: ${ratios.join(', ')}`);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode === null && once(child, 'close')));
  await rm(folder, { recursive: true });
}

/** YAML of so many bytes, of the objects of real projects. */
function manifests(bytes: number): string {
  const documents = documentsOf(path('../test/corpus'));
  let text = '';
  for (let index = 0; text.length < bytes; index++) {
    const document = documents[index % documents.length] ?? '';
    if (document.length < bytes / 20) text += `${document.trim()}\n---\n`;
  }
  return text;
}

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

/** @returns the address that the program prints */
async function start(args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return (JSON.parse(String(line)) as { url: string }).url;
}

async function load(job: PacedJob): Promise<PacedReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [path('paced-load.ts'), JSON.stringify(job)]);
  return JSON.parse(stdout) as PacedReport;
}

function show(name: string, { bodies, statuses, leftOut, megabytesPerSecond }: PacedReport): void {
  console.log(`${name}: ${JSON.stringify(statuses)}, ${leftOut} left out, ${megabytesPerSecond} MB/s`);
  for (const [body, { kB, p50, p99, max }] of Object.entries(bodies))
    console.log(
      `  ${body.padEnd(12)} ${String(kB).padStart(4)} kB  p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  max ${max.toFixed(1).padStart(6)} ms`,
    );
}
