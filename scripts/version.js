/** Turns the changesets into the next version of all packages; the full distribution, which is the root package, follows them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

run(process.execPath, 'node_modules/@changesets/cli/bin.js', 'version');
const { version } = JSON.parse(readFileSync(`${root}packages/cli/package.json`, 'utf8'));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
writeFileSync(`${root}package.json`, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
run('npm', 'install', '--package-lock-only', '--ignore-scripts');
