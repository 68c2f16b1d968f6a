import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path';
import type { InputError } from '../errors.js';
import { type Gitignore, gitignoreAbove, gitignoreWithin, isIgnored } from './gitignore.js';
import { chartAround, chartNotRendered, isChart, isChartFile } from './helm-chart.js';
import { bufferedInput, fileInput, type Input, unreadable } from './input.js';
import { patchFiles } from './kustomization.js';
import { isManifestName, isSkipped, sortByBytes, walkDirectory } from './walk.js';

export interface DiscoverOptions {
  /** Relative paths and patterns start here. */
  cwd: string;
  /** Standard input, for the path `-`. It is read once, when it is first opened. */
  stdin?: () => AsyncIterable<Uint8Array>;
}

export interface Discovery {
  inputs: Input[];
  errors: InputError[];
}

/**
 * Finds what the paths of a command line mean: files, directories, patterns, and `-` for standard input. The order is that of the paths, and
 * within a directory or pattern that of the bytes of the file paths; a file that is named twice is read once. A path that means nothing is
 * an error, and the others are still found. A Helm chart gives an error instead of its templates. Files that a kustomization of
 * the same tree uses as patches are left out. Never throws for what is on the disk.
 */
export async function discoverInputs(paths: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const found: Found = { inputs: new Map(), errors: [] };
  for (const path of paths) {
    if (path === '-') findStdin(found, options);
    else await findPath(found, path, options.cwd);
  }
  return { inputs: [...found.inputs.values()], errors: found.errors };
}

interface Found {
  /** By real path, so that each file is read once. */
  inputs: Map<string, Input>;
  errors: InputError[];
}

function findStdin(found: Found, options: DiscoverOptions): void {
  if (options.stdin !== undefined && !found.inputs.has('-')) found.inputs.set('-', bufferedInput('<stdin>', options.stdin));
}

async function findPath(found: Found, path: string, cwd: string): Promise<void> {
  const absolute = resolve(cwd, path);
  try {
    const status = await stat(absolute);
    if (status.isDirectory()) {
      await findInDirectory(found, path, absolute);
    } else if (status.isFile()) {
      addFile(found, await realpath(absolute), displayName(path), { explicit: true, size: status.size });
    } else {
      // A pipe (<(kustomize build)) or a device can be read only once.
      const once = fileInput(absolute, displayName(path));
      found.inputs.set(absolute, bufferedInput(once.file, once.open));
    }
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (missing && isPattern(path)) await findByPattern(found, path, cwd);
    else found.errors.push(missing ? pathNotFound(path) : unreadable(displayName(path), error));
  }
}

function addFile(found: Found, path: string, name: string, options: { explicit: boolean; size?: number }): void {
  const known = found.inputs.get(path);
  if (known === undefined) found.inputs.set(path, fileInput(path, name, options));
  else if (options.explicit) known.explicit = true;
}

async function findInDirectory(found: Found, path: string, directory: string): Promise<void> {
  const walk = await walkDirectory(directory);
  const nameOf = (file: string) => displayName(join(path, relative(walk.root, file)));
  for (const { path: at, error } of walk.unreadable) found.errors.push(unreadable(nameOf(at), error));
  for (const chart of walk.charts) found.errors.push(chartNotRendered(nameOf(chart)));
  const patches = await patchFiles(walk.files);
  for (const file of walk.files) {
    if (!patches.has(file)) addFile(found, file, nameOf(file), { explicit: false });
  }
  if (walk.files.length + walk.charts.length + walk.unreadable.length === 0) found.errors.push(noManifests(path, 'directory'));
}

async function findByPattern(found: Found, pattern: string, cwd: string): Promise<void> {
  // Loaded where it is needed: most commands see no pattern, and start faster without it.
  const { glob } = await import('tinyglobby');
  const matches = await glob(pattern.split(sep).join('/'), {
    cwd,
    absolute: true,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  const files = await filterMatches(
    matches.map((match) => normalize(match)),
    resolve(cwd, fixedPart(pattern)),
  );
  const charts = new Set<string>();
  const patches = await patchFiles(files);
  for (const file of sortByBytes(files)) {
    const chart = chartAround(file);
    if (chart !== undefined) charts.add(chart);
    else if (!patches.has(file)) addFile(found, await realpath(file), nameUnder(cwd, pattern, file), { explicit: false });
  }
  for (const chart of sortByBytes([...charts])) found.errors.push(chartNotRendered(nameUnder(cwd, pattern, chart)));
  if (files.length === 0) found.errors.push(noManifests(pattern, 'pattern'));
}

/** What a walk of `base` would leave out, a pattern leaves out too. */
async function filterMatches(matches: readonly string[], base: string): Promise<string[]> {
  const files: string[] = [];
  const rules = new Map<string, Gitignore | undefined>([[dirname(base), await gitignoreAbove(base)]]);
  for (const file of matches) {
    const directory = dirname(file);
    if (!isManifestName(file) || file.split(sep).some(isSkipped)) continue;
    if (isChart(directory) && isChartFile(basename(file))) continue;
    if (!isIgnored(await gitignoreWithin(directory, rules), file, false)) files.push(file);
  }
  return files;
}

/** Whether a path holds a wildcard: `*`, `?`, `[ab]`, `{a,b}` or `@(a|b)`. */
function isPattern(path: string): boolean {
  return /[*?[{]|[!+@]\(/.test(path);
}

/** The directories of a pattern before its first wildcard. */
function fixedPart(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => isPattern(segment));
  return segments.slice(0, wild === -1 ? -1 : wild).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

/** The name under which errors and findings show a path: as the user wrote it, with `/` on every system. */
function displayName(path: string): string {
  return normalize(path).split(sep).join('/');
}

function nameUnder(cwd: string, pattern: string, file: string): string {
  return displayName(pattern.startsWith('/') ? file : relative(cwd, file));
}

function pathNotFound(path: string): InputError {
  return {
    code: 'path-not-found',
    message: `There is no file or directory ${JSON.stringify(path)}, and as a pattern it matches nothing. Check the spelling and the working directory.`,
    location: { file: displayName(path), line: 1, column: 1 },
  };
}

function noManifests(path: string, what: 'directory' | 'pattern'): InputError {
  const why = 'Files that Git ignores do not count.';
  const message =
    what === 'directory'
      ? `The directory holds no .yaml, .yml or .json file. ${why}`
      : `The pattern ${JSON.stringify(path)} matches no .yaml, .yml or .json file. ${why} Quote it, so that the shell leaves it alone.`;
  return { code: 'no-manifests', message, location: { file: displayName(path), line: 1, column: 1 } };
}
