/**
 * Whole runs of bylaw beside those of linters written in Go, on the same files, in turn: processor time, time on the clock, and their ratios.
 *
 *   npm run bench:peers                        the sizes 1, 1,000 and 10,000, and 3,000 files
 *   npm run bench:peers -- --rounds 9
 *
 * Go builds the linters from its module proxy, once, into the user's cache. A mirror may refuse a version; then the linter is missing from the table,
 * and the reason is printed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureByTurns, type Program } from './by-turns.ts';

const LINTERS = [
  { name: 'kube-linter', package: 'golang.stackrox.io/kube-linter/cmd/kube-linter@v0.7.6', args: ['lint'] },
  { name: 'kube-score', package: 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0', args: ['score'] },
  {
    name: 'kubeconform',
    package: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0',
    args: ['-schema-location', 'none', '-ignore-missing-schemas'],
  },
];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'bylaw-peers-'));
try {
  const linters = LINTERS.flatMap((linter) => {
    const file = built(linter.name, linter.package);
    return file === undefined ? [] : [{ ...linter, file }];
  });
  console.log(
    `${'input'.padEnd(24)}${'program'.padEnd(14)}${'CPU s'.padStart(8)}${'wall s'.padStart(8)}${'bylaw: x CPU'.padStart(14)}${'x wall'.padStart(8)}`,
  );
  for (const { name, path, files } of inputs()) {
    const programs: Program[] = [
      { name: 'bylaw', command: [process.execPath, join(root, 'bin', 'run.js'), 'evaluate', path, '--fail-on', 'none'] },
      // Those that take no folder get its files.
      ...linters.map(({ name, file, args }) => ({ name, command: [file, ...args, ...(name === 'kube-linter' ? [path] : files)] as const })),
    ];
    const usages = measureByTurns(programs, Number(values.rounds));
    const [own] = usages;
    for (const [index, { processor, wall }] of usages.entries()) {
      const ratios =
        index === 0 || own === undefined ? ['', ''] : [own.processor / processor, own.wall / wall].map((ratio) => ratio.toFixed(2));
      const [times, clock] = ratios;
      console.log(
        `${name.padEnd(24)}${(programs[index]?.name ?? '').padEnd(14)}${processor.toFixed(2).padStart(8)}${wall.toFixed(2).padStart(8)}${(times ?? '').padStart(14)}${(clock ?? '').padStart(8)}`,
      );
    }
  }
} finally {
  rmSync(temporary, { recursive: true });
}

/** Files of Deployments, each under another name. */
function inputs(): { name: string; path: string; files: string[] }[] {
  const inFile = (count: number) => {
    const path = join(temporary, `${count}.yaml`);
    writeFileSync(path, Array.from({ length: count }, (_, index) => deployment(index)).join('---\n'));
    return { name: `${count} in one file`, path, files: [path] };
  };
  const folder = join(temporary, 'files');
  mkdirSync(folder);
  const files = Array.from({ length: 3000 }, (_, index) => join(folder, `web-${index}.yaml`));
  for (const [index, file] of files.entries()) writeFileSync(file, deployment(index));
  return [inFile(1), inFile(1000), inFile(10_000), { name: '3000 files', path: folder, files }];
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${index}
  namespace: shop
  labels: { app: web-${index} }
spec:
  replicas: 2
  selector:
    matchLabels: { app: web-${index} }
  template:
    metadata:
      labels: { app: web-${index} }
    spec:
      containers:
        - name: web
          image: registry.example.com/shop/web:1.${index}.0
          ports:
            - containerPort: 8080
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 128Mi }
          env:
            - name: LOG_LEVEL
              value: info
`;
}

/** The path of a linter, built if it is not yet. */
function built(name: string, source: string): string | undefined {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'bylaw', 'peers');
  const file = join(cache, `${name}-${source.slice(source.indexOf('@') + 1)}`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    execFileSync('go', ['install', '-trimpath', '-ldflags=-s -w', source], {
      env: { ...process.env, CGO_ENABLED: '0', GOBIN: draft },
      stdio: 'pipe',
    });
    renameSync(join(draft, name), file);
    return file;
  } catch (error) {
    const last = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : String(error);
    console.error(`${name} is missing: ${last}`);
    return undefined;
  } finally {
    rmSync(draft, { recursive: true });
  }
}
