/**
 * Builds what has changed: the TypeScript of all packages, the rule packs, and the command lists that let the command line start
 * without importing every command. Runs under Node 24.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

/** Builds; what is up to date costs a few milliseconds. Errors go to stderr. Tells whether all went well. */
export async function build() {
  let good = await compileTypeScript();
  for (const folder of packages) await bundlePackage(folder);
  for (const folder of packages) good = (await compilePackOf(folder)) && good;
  for (const folder of packages) await listCommandsOf(folder);
  copyDocsRenderer();
  return good;
}

async function compileTypeScript() {
  const inputs = ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json'].map((file) => join(root, file));
  for (const folder of packages) inputs.push(join(folder, 'src'), join(folder, 'tsconfig.json'));
  const outputs = packages.map((folder) => join(folder, 'dist', '.tsbuildinfo'));
  const stamp = join(root, 'node_modules', '.cache', 'bylaw-typescript');
  if (outputs.every(existsSync) && newest(inputs) < changedAt(stamp)) return true;
  const startedAt = new Date();
  // Whoever runs a command from a checkout would look at an empty screen.
  console.error(outputs.some(existsSync) ? 'Building changed files …' : 'Building bylaw for the first time, about half a minute …');
  if (!(await run([typescript(), '--build']))) return false;
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  // A file that was changed while the compiler ran is newer than this.
  utimesSync(stamp, startedAt, startedAt);
  return true;
}

/** The commands run what is in `lib`; `dist` keeps the types. */
async function bundlePackage(folder) {
  const inputs = [
    join(folder, 'package.json'),
    join(folder, 'dist', '.tsbuildinfo'),
    join(root, 'scripts', 'bundle.js'),
    join(root, 'package-lock.json'),
  ];
  if (newest(inputs) < changedAt(join(folder, 'lib'))) return;
  const { bundle } = await import('./bundle.js');
  await bundle(folder);
}

async function compilePackOf(folder) {
  const rules = join(folder, 'rules');
  if (!existsSync(rules)) return true;
  const artefact = join(folder, 'dist', 'pack.jsonl');
  const compiler = join(root, 'packages', 'core', 'dist', '.tsbuildinfo');
  if (newest([rules, compiler]) < changedAt(artefact)) return true;
  const { compileBuiltInPack, PackError } = await import('@bylaw/core/rule/compiler');
  try {
    const pack = await compileBuiltInPack(rules, `packages/${folder.slice(dirname(folder).length + 1)}/rules`);
    writeModules(join(folder, 'dist'), pack.modules);
    writeWhole(artefact, pack.artefact);
    return true;
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    console.error(error.message);
    return false;
  }
}

/** Writes the modules of a pack, and takes away those of earlier builds. */
function writeModules(folder, modules) {
  const files = new Set(modules.map(({ file }) => join(folder, file)));
  for (const file of files) mkdirSync(dirname(file), { recursive: true });
  for (const { file, text } of modules) writeWhole(join(folder, file), text);
  for (const directory of new Set([...files].map(dirname)))
    for (const name of readdirSync(directory)) if (!files.has(join(directory, name))) rmSync(join(directory, name));
}

/** Writes `oclif.manifest.json` of a package with commands. */
async function listCommandsOf(folder) {
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!description.oclif?.commands) return;
  const manifest = join(folder, 'oclif.manifest.json');
  if (newest([join(folder, 'package.json'), join(folder, 'lib')]) < changedAt(manifest)) return;
  const { Plugin } = await import('@oclif/core');
  const plugin = new Plugin({ root: folder, type: 'core', ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
  await plugin.load();
  writeWhole(manifest, `${JSON.stringify(plugin.manifest)}\n`);
}

/** The renderer of the server's page `/docs` is shipped with the command line, so that the page needs no other server. */
function copyDocsRenderer() {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = join(root, 'packages', 'cli', 'dist', 'docs-page');
  mkdirSync(to, { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'])
    if (changedAt(join(to, name)) < changedAt(join(from, name))) writeWhole(join(to, name), readFileSync(join(from, name)));
}

/** A reader at the same time sees the old file or the new one, never a part. */
function writeWhole(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function typescript() {
  return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** When the newest file or folder at or below the paths was changed; a removed file changes its folder. */
function newest(paths) {
  let at = 0;
  for (const path of paths) {
    at = Math.max(at, changedAt(path));
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const entry of readdirSync(path, { recursive: true })) at = Math.max(at, changedAt(join(path, entry)));
  }
  return at;
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main && !(await build())) process.exitCode = 1;
