/**
 * Runs a command from the sources, and again whenever a source or a rule changes: `npm run dev -- evaluate examples/manifests`.
 * Runs under Node 24.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const watched = readdirSync(join(root, 'packages'))
  .flatMap((name) => ['src', 'rules'].map((folder) => join(root, 'packages', name, folder)))
  .filter((folder) => existsSync(folder));
const flags = ['--watch', '--watch-preserve-output', ...watched.map((folder) => `--watch-path=${folder}`)];
const child = spawn(process.execPath, [...flags, join(root, 'bin', 'dev.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
