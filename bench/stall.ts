/**
 * How long a small request takes beside clients that send as much as a server takes: four of them send bodies of about 15 MB, each with 100,000
 * Pods that fail, one after another, while another client sends requests of 1 kB. Prints p50 and p99 of the small requests, alone and beside the
 * others, and the largest resident memory of the server.
 *
 *   npm run bench:stall                      30 seconds beside the others
 *   npm run bench:stall -- --seconds 120 --rate 10
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { PacedJob, PacedReport } from './paced-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '10' },
    clients: { type: 'string', default: '4' },
    pods: { type: 'string', default: '100000' },
    limit: { type: 'string' },
    'one-address': { type: 'boolean', default: false },
  },
});
const [seconds, rate, clients, pods] = [Number(values.seconds), Number(values.rate), Number(values.clients), Number(values.pods)];
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'bylaw-bench-'));
const children: ChildProcess[] = [];
try {
  const keys = values['one-address'] ? [] : ['small', ...Array.from({ length: clients }, (_, index) => `large-${index}`)].map(keyOf);
  await writeFile(
    join(folder, 'bylaw.yaml'),
    `plugins: [k8s]\nlog: {level: warn}\napi: {keys: ${JSON.stringify(keys.map(({ entry }) => entry))}}\n`,
  );
  const small = await bodyFile('small', { manifests: failingPods(6) });
  const large = await bodyFile('large', {
    manifests: failingPods(pods),
    ...(values.limit !== undefined && { limit: Number(values.limit) }),
  });

  const server = spawn(process.execPath, [path('../packages/cli/bin/run.js'), 'serve', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(server);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const url = `${(JSON.parse(String(line)) as { url: string }).url}/api/v1/evaluate`;
  const asked = (length: number) => ({ url, bodies: [small], rate, seconds: length, connections: 64, headers: headersOf(keys[0]) });

  await load(asked(5));
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`);
  show('alone', await load(asked(Math.min(seconds, 10))), residentMb(server));

  const stop = new AbortController();
  const loops = Array.from({ length: clients }, (_, index) => sendInALoop(url, large, headersOf(keys[index + 1]), stop.signal));
  const beside = await load(asked(seconds));
  stop.abort();
  const answers = (await Promise.all(loops)).flat();
  show(`beside ${clients} clients with bodies of ${megabytes(readFileSync(large).length)} MB`, beside, residentMb(server));
  console.log(`answers to those: ${JSON.stringify(countOf(answers))}`);
  console.log(`load of the machine after: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => child.exitCode === null && child.signalCode === null && once(child, 'close')));
  await rm(folder, { recursive: true });
}

function failingPods(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${index}` },
    spec: { containers: [{ name: 'c', image: 'nginx', securityContext: { privileged: true } }] },
  }));
}

interface Key {
  key: string;
  entry: { id: string; sha256: string };
}

function keyOf(id: string): Key {
  const key = randomBytes(32).toString('base64url');
  return { key, entry: { id, sha256: createHash('sha256').update(key).digest('hex') } };
}

function headersOf(key: Key | undefined): { [name: string]: string } {
  return key ? { 'X-API-Key': key.key } : {};
}

async function bodyFile(name: string, body: object): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(body));
  return file;
}

/** @returns the status of each answer that came whole, or how the request failed */
async function sendInALoop(url: string, file: string, headers: { [name: string]: string }, signal: AbortSignal): Promise<string[]> {
  const body = readFileSync(file);
  const answers: string[] = [];
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers }, signal });
      for await (const _ of answer.body ?? []);
      answers.push(String(answer.status));
    } catch (error) {
      if (!signal.aborted) answers.push(String(error));
    }
  }
  return answers;
}

/** The most memory that the process has had, as Linux counts it. */
function residentMb({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

async function load(job: PacedJob): Promise<PacedReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [path('paced-load.ts'), JSON.stringify(job)]);
  return JSON.parse(stdout) as PacedReport;
}

function show(name: string, { bodies, statuses, leftOut }: PacedReport, resident: number | undefined): void {
  for (const { kB, p50, p99, max } of Object.values(bodies))
    console.log(
      `${name}: ${kB} kB  p50 ${p50} ms  p99 ${p99} ms  max ${max} ms  ${JSON.stringify(statuses)}, ${leftOut} left out, peak ${resident ?? '?'} MiB resident`,
    );
}

function countOf(answers: readonly string[]): { [answer: string]: number } {
  return Object.fromEntries([...Map.groupBy(answers, (answer) => answer)].map(([answer, same]) => [answer, same.length]));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
