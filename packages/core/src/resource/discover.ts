import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { InputError } from '../errors.js';
import { addFile, addTree, displayName, type Found, refuseCharts } from './found.js';
import { CHART_FILE, chartAround } from './helm-chart.js';
import { bufferedInput, fileInput, type Input, unreadable } from './input.js';
import { isPattern, matchPattern } from './pattern.js';
import { sourcesAmong, sourcesAt } from './render-sources.js';
import type { Rendering } from './renderer.js';
import { sortByBytes, walkDirectory } from './walk.js';

export interface DiscoverOptions {
  /** Relative paths and patterns start here. */
  cwd: string;
  /** Standard input, for the path `-`. It is read once, when it is first opened. */
  stdin?: () => AsyncIterable<Uint8Array>;
  /** How charts and kustomizations are rendered. Absent: a chart is an error, and a kustomization is read as the files that it is made of. */
  rendering?: Rendering;
}

export interface Discovery {
  inputs: Input[];
  errors: InputError[];
}

/**
 * Finds what the paths of a command line mean: files, directories, patterns, and `-` for standard input. The order is that of the paths, and
 * within a directory or pattern that of the bytes of the file paths; a file that is named twice is read once. A path that means nothing is
 * an error, and the others are still found. Charts and kustomizations are rendered, each once, and stand where their folder does; what they
 * were made of is not read as well. One that does not render is an error, and its files are read as if it were none; files that a
 * kustomization of the same tree uses as patches are left out. Never throws for what is on the disk.
 */
export async function discoverInputs(paths: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const found: Found = { inputs: new Map(), errors: [], rendered: new Set(), covered: new Set() };
  for (const path of paths) {
    if (path === '-') findStdin(found, options);
    else await findPath(found, path, options);
  }
  return { inputs: [...found.inputs.values()], errors: found.errors };
}

function findStdin(found: Found, options: DiscoverOptions): void {
  if (options.stdin !== undefined && !found.inputs.has('-')) found.inputs.set('-', bufferedInput('<stdin>', options.stdin));
}

async function findPath(found: Found, path: string, options: DiscoverOptions): Promise<void> {
  const absolute = resolve(options.cwd, path);
  try {
    const status = await stat(absolute);
    if (status.isDirectory()) {
      await findInDirectory(found, path, absolute, options.rendering);
    } else if (status.isFile()) {
      await findFile(found, path, { path: await realpath(absolute), size: status.size }, options.rendering);
    } else {
      // A pipe (<(kustomize build)) or a device can be read only once.
      const once = fileInput(absolute, displayName(path));
      found.inputs.set(absolute, bufferedInput(once.file, once.open));
    }
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (missing && isPattern(path)) await findByPattern(found, path, options);
    else found.errors.push(missing ? pathNotFound(path) : unreadable(displayName(path), error));
  }
}

/** A packed chart is rendered, and so is the whole chart for one of its templates. */
async function findFile(
  found: Found,
  shown: string,
  file: { path: string; size: number },
  rendering: Rendering | undefined,
): Promise<void> {
  const renderers = rendering?.renderers ?? [];
  const chart = chartAround(file.path);
  const sources = [
    ...renderers.filter((renderer) => renderer.recognises(file.path)).map((renderer) => ({ renderer, path: file.path })),
    ...(chart === undefined ? [] : sourcesAt(chart, [CHART_FILE], renderers)),
  ];
  if (sources.length === 0) return addFile(found, file.path, displayName(shown), { explicit: true, size: file.size });
  const nameOf = (path: string) => displayName(join(dirname(shown), relative(dirname(file.path), path)));
  await addTree(found, { files: [], sources }, nameOf, rendering);
}

async function findInDirectory(found: Found, path: string, directory: string, rendering: Rendering | undefined): Promise<void> {
  const walk = await walkDirectory(directory, rendering?.renderers);
  const nameOf = (file: string) => displayName(join(path, relative(walk.root, file)));
  for (const { path: at, error } of walk.unreadable) found.errors.push(unreadable(nameOf(at), error));
  refuseCharts(found, walk, nameOf);
  await addTree(found, walk, nameOf, rendering);
  if (walk.files.length + walk.charts.length + walk.sources.length + walk.unreadable.length === 0)
    found.errors.push(noManifests(path, 'directory'));
}

async function findByPattern(found: Found, pattern: string, { cwd, rendering }: DiscoverOptions): Promise<void> {
  const { names, files, charts } = await matchPattern(pattern, cwd);
  const renderers = rendering?.renderers ?? [];
  const sources = [...charts.flatMap((chart) => sourcesAt(chart, [CHART_FILE], renderers)), ...sourcesAmong(files, renderers)];
  const nameOf = (path: string) => {
    const name = names.get(path) ?? path;
    return displayName(pattern.startsWith('/') ? name : relative(cwd, name));
  };
  refuseCharts(found, { charts: sortByBytes(charts), sources }, nameOf);
  await addTree(found, { files, sources }, nameOf, rendering);
  if (files.length + charts.length === 0) found.errors.push(noManifests(pattern, 'pattern'));
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
