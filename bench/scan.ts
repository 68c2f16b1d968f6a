/**
 * Seconds and peak memory of `bylaw scan`, from a cold start to the JSON report, with every installed rule.
 *
 *   npm run bench:scan                      10,000 objects, three rounds
 *   npm run bench:scan -- --objects 50000 --rounds 1
 *
 * The objects are served over HTTPS by a local API server in another process, as a cluster holds them: with status, bookkeeping, and the
 * ReplicaSets and Pods of Deployments, which the scan lists but does not evaluate. Beside it, by turns, `bylaw evaluate` of a local YAML
 * file with the objects that the scan evaluates. The server takes its share of the processors.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dump } from 'js-yaml';
import { mixedObjects } from '../packages/plugin-k8s/dist/cluster/testing/objects.test-support.js';

interface Run {
  seconds: number;
  cpuSeconds: number;
  peakMiB: number;
  resources: number;
  findings: number;
  kinds: readonly string[];
}

/** What of the JSON report is looked at. */
interface Report {
  summary: { resources: number; findings: number };
  cluster?: { resources_by_kind: { [kind: string]: number } };
}

const { values } = parseArgs({ options: { objects: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '3' } } });
const count = Number(values.objects);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'bylaw-bench-'));
const SCAN = ['scan', '--kubeconfig', join(folder, 'kubeconfig')];
const server = spawn(process.execPath, [path('api-server.ts'), String(count), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  await once(server.stdout, 'data');
  const { kinds } = await measured(SCAN);
  const objects = mixedObjects(count).filter(({ kind }) => kinds.includes(kind));
  console.log(`${count} objects in the cluster, ${objects.length} of kinds that rules look at`);
  const file = join(folder, 'objects.yaml');
  await writeYaml(
    file,
    objects.filter(({ metadata }) => !metadata?.ownerReferences),
  );
  const rounds: { scan: Run; evaluate: Run }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    rounds.push({
      scan: await measured(SCAN),
      evaluate: await measured(['evaluate', file]),
    });
    show(rounds[round]);
  }
  const ratios = rounds.map(({ scan, evaluate }) => scan.seconds / evaluate.seconds).sort((a, b) => a - b);
  console.log(`ratio of seconds, scan to evaluate (median): ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)}`);
} finally {
  await ended(server);
  await rm(folder, { recursive: true });
}

async function writeYaml(file: string, objects: readonly object[]): Promise<void> {
  const out = createWriteStream(file);
  for (const object of objects) if (!out.write(`---\n${dump(object)}`)) await once(out, 'drain');
  out.end();
  await finished(out);
}

async function measured(args: readonly string[]): Promise<Run> {
  const report = join(folder, 'report.json');
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', path('report-usage.ts'), path('../packages/cli/bin/run.js'), ...args, '--format', 'json', '--output', report],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const said = text(child.stderr as NodeJS.ReadableStream); // a pipe, as asked for
  const usage = text(child.stdio[3] as NodeJS.ReadableStream); // a pipe, as asked for
  const [code] = (await once(child, 'close')) as [number];
  const seconds = (performance.now() - started) / 1000;
  if (code > 1) throw new Error(`bylaw ${args[0]} ended with code ${code}: ${await said}`);
  const { summary, cluster } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const kinds = Object.keys(cluster?.resources_by_kind ?? {});
  return { seconds, ...(JSON.parse(await usage) as { cpuSeconds: number; peakMiB: number }), ...summary, kinds };
}

function show(round: { scan: Run; evaluate: Run } | undefined): void {
  for (const [name, run] of Object.entries(round ?? {})) {
    const { seconds, cpuSeconds, peakMiB, resources, findings } = run as Run; // its two members
    console.log(
      `${name.padEnd(9)} ${seconds.toFixed(2)} s  ${Math.round(resources / seconds)} evaluated/s  CPU ${cpuSeconds.toFixed(2)} s  ${peakMiB.toFixed(0)} MiB  ${resources} resources, ${findings} findings`,
    );
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}
