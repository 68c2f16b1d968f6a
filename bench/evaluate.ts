/**
 * Resources per second and peak memory, from YAML text to JSON report, with every installed rule.
 *
 *   npm run bench:evaluate                              the examples, to 1,000 and 10,000 resources
 *   npm run bench:evaluate -- --sizes 100000 DIR…       other projects and sizes
 *   npm run bench:evaluate -- --runs 1 --only 'deployments only'
 *
 * Each figure is the median of three processes, or of as many as `--runs` says. Beside one thread and all threads stands what js-yaml needs only to parse the same
 * text: `x parse` says how many times as long the whole evaluation takes on one thread. `µs CPU` is the processor time of all threads
 * for one resource, the compiler and the collector of the engine included.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { documentsOf, projectName, writeRepeated } from './corpus.ts';

interface Run {
  resources: number;
  milliseconds: number;
  bytes: number;
  /** Processor time of all threads. */
  cpuMilliseconds: number;
  peakMiB: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const RUNS = Number(values.runs);
const folders =
  positionals.length > 0
    ? positionals
    : ['online-boutique', 'ingress-nginx', 'guestbook'].map((name) =>
        fileURLToPath(new URL(`../examples/manifests/${name}`, import.meta.url)),
      );
const sizes = values.sizes.split(',').map(Number);
const all = availableParallelism();
const temporary = mkdtempSync(join(tmpdir(), 'bylaw-bench-'));

/** The command line keeps compiled modules, too. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(temporary, 'compiled') };
const projects = folders.map((folder) => ({ name: projectName(folder), documents: documentsOf(folder) }));
const deployments = projects.flatMap(({ documents }) => documents.filter((text) => /^kind: Deployment/m.test(text)));
projects.push({ name: 'deployments only', documents: deployments });
const chosen = projects.filter(({ name }) => values.only === undefined || name === values.only);

console.log(
  `${'project'.padEnd(24)}${'resources'.padStart(10)}${'MB'.padStart(7)}${'1 thread/s'.padStart(12)}${`${all} threads/s`.padStart(13)}${'speed-up'.padStart(10)}${'x parse'.padStart(9)}${'µs CPU (1)'.padStart(12)}${`µs CPU (${all})`.padStart(12)}${'MiB (1)'.padStart(9)}${`MiB (${all})`.padStart(9)}`,
);
try {
  for (const { name, documents } of chosen)
    for (const size of sizes) {
      const file = join(temporary, 'input.yaml');
      const bytes = await writeRepeated(documents, size, file);
      const parse = median(file, 0, 'parse');
      const one = median(file, 1, 'evaluate');
      const many = median(file, all, 'evaluate');
      console.log(
        name.padEnd(24) +
          String(one.resources).padStart(10) +
          (bytes / 1e6).toFixed(1).padStart(7) +
          perSecond(one).padStart(12) +
          perSecond(many).padStart(13) +
          (one.milliseconds / many.milliseconds).toFixed(2).padStart(10) +
          (one.milliseconds / parse.milliseconds).toFixed(2).padStart(9) +
          cpuPerResource(one).padStart(12) +
          cpuPerResource(many).padStart(12) +
          one.peakMiB.toFixed(0).padStart(9) +
          many.peakMiB.toFixed(0).padStart(9),
      );
    }
} finally {
  rmSync(temporary, { recursive: true });
}

function median(file: string, threads: number, mode: string): Run {
  const script = fileURLToPath(new URL('evaluate-once.ts', import.meta.url));
  const runs = Array.from(
    { length: RUNS },
    () =>
      JSON.parse(execFileSync(process.execPath, [script, file, String(threads), mode], { encoding: 'utf8', maxBuffer: 1e8, env })) as Run,
  ); // printed by evaluate-once
  runs.sort((a, b) => a.milliseconds - b.milliseconds);
  return (
    runs[Math.floor(RUNS / 2)] ?? { resources: 0, milliseconds: Number.NaN, bytes: 0, cpuMilliseconds: Number.NaN, peakMiB: Number.NaN }
  );
}

function perSecond({ resources, milliseconds }: Run): string {
  return Math.round((resources / milliseconds) * 1000).toLocaleString('en');
}

function cpuPerResource({ resources, cpuMilliseconds }: Run): string {
  return ((cpuMilliseconds / resources) * 1000).toFixed(0);
}
