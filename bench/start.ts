/**
 * Cold start: whole processes, the two commands in turn, so that a change of the machine's speed hits both.
 *
 *   npm run bench:start
 *
 * `empty` is an oclif command that does nothing; `rules --id CS-001` prints a rule. Also prints the time to load the compiled pack.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNS = 15;
const root = fileURLToPath(new URL('..', import.meta.url));
const empty = emptyCommand();
try {
  const pairs = Array.from(
    { length: RUNS },
    () => [time([join(empty, 'run.js'), 'nothing']), time([join(root, 'bin', 'run.js'), 'rules', '--id', 'CS-001'])] as const,
  );
  const emptyTime = median(pairs.map(([a]) => a));
  const ruleTime = median(pairs.map(([, b]) => b));
  const ratio = median(pairs.map(([a, b]) => b / a));
  console.log(`empty oclif command       ${emptyTime.toFixed(0)} ms`);
  console.log(`bylaw rules --id CS-001   ${ruleTime.toFixed(0)} ms`);
  console.log(`ratio (median of pairs)   ${ratio.toFixed(2)}`);
} finally {
  rmSync(empty, { recursive: true });
}
const load = `const { loadArtefact } = await import(${JSON.stringify(new URL('../packages/core/dist/rule/index.js', import.meta.url).href)});
const file = new URL(${JSON.stringify(new URL('../packages/plugin-k8s/dist/pack.jsonl', import.meta.url).href)});
const started = performance.now(); const pack = loadArtefact(file); console.log(performance.now() - started, pack.rules.length);`;
const loads = Array.from({ length: RUNS }, () =>
  execFileSync(process.execPath, ['--input-type=module', '-e', load], { encoding: 'utf8' }).split(' ').map(Number),
);
console.log(`pack load                 ${median(loads.map(([ms]) => ms ?? 0)).toFixed(1)} ms for ${loads[0]?.[1]} rules`);

/** A package with one oclif command, run by the same oclif. */
function emptyCommand(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-empty-'));
  mkdirSync(join(folder, 'commands'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const description = { name: 'empty', version: '1.0.0', type: 'module', oclif: { bin: 'empty', commands: './commands' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  writeFileSync(
    join(folder, 'commands', 'nothing.js'),
    `import { Command } from '@oclif/core';\nexport default class Nothing extends Command {\n  async run() {}\n}\n`,
  );
  writeFileSync(join(folder, 'run.js'), `import { execute } from '@oclif/core';\nawait execute({ dir: import.meta.url });\n`);
  const command = {
    id: 'nothing',
    aliases: [],
    args: {},
    flags: {},
    pluginName: 'empty',
    pluginType: 'core',
    relativePath: ['commands', 'nothing.js'],
    isESM: true,
  };
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({ version: '1.0.0', commands: { nothing: command } }));
  return folder;
}

function time(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
