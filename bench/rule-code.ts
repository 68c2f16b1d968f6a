/**
 * What the code of the built-in rules saves: processor time of evaluating small inputs in processes of their own, with the code that was made when the
 * pack was built, and with the same pack without it, by turns.
 *
 *   npm run bench:rule-code
 *   npm run bench:rule-code -- --runs 5
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const script = fileURLToPath(new URL('evaluate-once.ts', import.meta.url));
const built = new URL('../packages/plugin-k8s/dist/pack.jsonl', import.meta.url);
const temporary = mkdtempSync(join(tmpdir(), 'bylaw-bench-'));

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: nginx:1.25
      ports:
        - containerPort: 80
`;

try {
  // The code is in a folder beside the pack: a copy of the pack does not have it.
  const data = join(temporary, 'pack.jsonl');
  copyFileSync(built, data);
  const pod = join(temporary, 'pod.yaml');
  writeFileSync(pod, POD);
  const env = { ...process.env, NODE_COMPILE_CACHE: join(temporary, 'compiled') };
  const time = (file: string, pack: URL): number => {
    const printed = execFileSync(process.execPath, [script, file, '1', 'evaluate', pack.href], { encoding: 'utf8', env });
    return (JSON.parse(printed) as { cpuMilliseconds: number }).cpuMilliseconds; // printed by evaluate-once
  };
  console.log(`${'input'.padEnd(24)}${'with code'.padStart(12)}${'without'.padStart(12)}${'ratio'.padStart(8)}   (ms of processor time)`);
  for (const [name, file] of [
    ['one Pod', pod],
    ['online-boutique', fileURLToPath(new URL('../examples/manifests/online-boutique/kubernetes-manifests.yaml', import.meta.url))],
  ] as const) {
    for (const pack of [built, pathToFileURL(data)]) time(file, pack);
    const pairs = Array.from({ length: Number(values.runs) }, () => [time(file, built), time(file, pathToFileURL(data))] as const);
    const [withCode, without] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))];
    const ratio = median(pairs.map(([a, b]) => a / b));
    console.log(name.padEnd(24) + withCode.toFixed(0).padStart(12) + without.toFixed(0).padStart(12) + ratio.toFixed(2).padStart(8));
  }
} finally {
  rmSync(temporary, { recursive: true });
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}
