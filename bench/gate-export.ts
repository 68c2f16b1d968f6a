/**
 * Seconds of an export of 50,000 records over HTTP, from the request to the last byte: the first one, which verifies all signatures,
 * and those that follow, in each format. The server is one that `bylaw serve` starts, with the SQLite store.
 *
 *   npm run build && node bench/gate-export.ts [records]
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signRequest } from '../packages/plugin-gate/dist/auth/index.js';
import { gateInstallation, SECRET } from './gate-installation.ts';
import type { LoadJob } from './http-load.ts';

const records = Number(process.argv[2] ?? 50_000);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'bylaw-bench-'));

try {
  await gateInstallation(folder, 'allow');
  const child = spawn(process.execPath, [path('../packages/cli/bin/run.js'), 'serve', '--only', 'gate', '--port', '0', '--json'], {
    cwd: folder,
    env: { ...process.env, BENCH: SECRET },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(String(line)) as { url: string };
    const job: LoadJob = { url, connections: 32, requests: Math.ceil(records / 2), adapter: 'bench', secret: SECRET, prefix: 'p' };
    await promisify(execFile)(process.execPath, [path('http-load.ts'), JSON.stringify(job)]);
    console.log(`first    ${await exported(url, 'jsonl')}`);
    for (const format of ['jsonl', 'csv', 'oscal', 'jsonl', 'csv', 'oscal'])
      console.log(`${format.padEnd(8)} ${await exported(url, format)}`);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
} finally {
  await rm(folder, { recursive: true });
}

async function exported(url: string, format: string): Promise<string> {
  const target = `/v1/evidence?to=${records - 1}&format=${format}`;
  const headers = signRequest({ method: 'GET', target, adapterId: 'bench', secret: SECRET, at: new Date() });
  const start = performance.now();
  const answer = await fetch(`${url}${target}`, { headers });
  const headSeconds = (performance.now() - start) / 1000;
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  const seconds = (performance.now() - start) / 1000;
  const size = `${(bytes / 1e6).toFixed(0)} MB`;
  const said = `${answer.headers.get('x-svc-range')}, verifiable: ${answer.headers.get('x-svc-verifiable')}`;
  return `${seconds.toFixed(2)} s, of that ${headSeconds.toFixed(2)} s before the headers  (${size}, ${said})`;
}
