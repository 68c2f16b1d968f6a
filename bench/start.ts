/**
 * Cold starts: whole processes in turn, so that a change of the machine's speed hits all of them.
 *
 *   npm run bench:start
 *
 * Node is started directly, without the launcher of npm. `nothing` is a script that does nothing; `empty` is an oclif command that does nothing. Also prints
 * the time to load the compiled pack.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureByTurns, median, type Program } from './by-turns.ts';

const ROUNDS = 15;
const root = fileURLToPath(new URL('..', import.meta.url));
const empty = emptyCommand();
const bylaw = (...args: string[]): Program => ({
  name: `bylaw ${args.join(' ')}`,
  command: [process.execPath, join(root, 'bin', 'run.js'), ...args],
});
const programs: Program[] = [
  { name: 'nothing', command: [process.execPath, '-e', '0'] },
  { name: 'empty oclif command', command: [process.execPath, join(empty, 'run.js'), 'nothing'] },
  bylaw('--version'),
  bylaw('help'),
  bylaw('rules', '--id', 'CS-001'),
  {
    ...bylaw('evaluate', join(root, 'examples/manifests/guestbook/frontend-deployment.yaml'), '--fail-on', 'none'),
    name: 'bylaw evaluate, one small file',
  },
];
try {
  const usages = measureByTurns(programs, ROUNDS);
  console.log(`${'program'.padEnd(34)}${'CPU ms'.padStart(8)}${'wall ms'.padStart(9)}${'x nothing'.padStart(11)}`);
  for (const [index, { processor, wall }] of usages.entries()) {
    const ratio = processor / (usages[0]?.processor ?? Number.NaN);
    console.log(
      `${(programs[index]?.name ?? '').padEnd(34)}${(processor * 1000).toFixed(0).padStart(8)}${(wall * 1000).toFixed(0).padStart(9)}${ratio.toFixed(1).padStart(11)}`,
    );
  }
} finally {
  rmSync(empty, { recursive: true });
}
const load = `const { loadArtefact } = await import(${JSON.stringify(new URL('../packages/core/dist/rule/index.js', import.meta.url).href)});
const file = new URL(${JSON.stringify(new URL('../packages/plugin-k8s/dist/pack.jsonl', import.meta.url).href)});
const started = performance.now(); const pack = loadArtefact(file); console.log(performance.now() - started, pack.rules.length);`;
const loads = Array.from({ length: ROUNDS }, () =>
  execFileSync(process.execPath, ['--input-type=module', '-e', load], { encoding: 'utf8' }).split(' ').map(Number),
);
console.log(`pack load: ${median(loads.map(([ms]) => ms ?? 0)).toFixed(1)} ms for ${loads[0]?.[1]} rules`);

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
