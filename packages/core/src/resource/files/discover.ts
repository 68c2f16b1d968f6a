import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { InputError } from '../../errors.js';
import type { Note } from '../../note.js';
import { fileInput, type GroupReader, type Input, unreadable, withReader } from '../input/input.js';
import { onceInput } from '../input/once-input.js';
import { addFile, addTree, displayName, type Found, newFound, refuseCharts } from './found.js';
import { CHART_FILE, chartAround } from './helm-chart.js';
import { addLeftOut, notesOf, nothingIn } from './left-out.js';
import { lookalikes } from './lookalikes.js';
import { fixedPart, isPattern, matchPattern } from './pattern.js';
import { sourcesAt } from './render-sources.js';
import type { Rendering } from './renderer.js';
import { shownPath, type Walk, walkDirectory } from './walk.js';

export interface DiscoverOptions {
  /** Relative paths and patterns start here. */
  cwd: string;
  /** Standard input, for the path `-`. It is read once, when it is first opened. */
  stdin?: () => AsyncIterable<Uint8Array>;
  /** How charts and kustomizations are rendered. Absent: a chart is an error, and a kustomization is read as the files that it is made of. */
  rendering?: Rendering;
  /** What reads files together, see `GroupReader`. */
  readers?: readonly GroupReader[];
}

export interface Discovery {
  inputs: Input[];
  errors: InputError[];
  /** What was left out without an error, because it holds no manifests that could be read. */
  notes: Note[];
}

/**
 * Finds what the paths of a command line mean: files, directories, patterns, and `-` for standard input. The order is that of the paths, and
 * within a directory or pattern that of the bytes of the file names; a file that is named twice is read once. A path that means nothing is
 * an error, and the others are still found. So is what cannot be read below a directory and may hold manifests, such as a link that leads out of the
 * repository; a path that is named is followed wherever it leads.
 *
 * Charts and kustomizations are rendered, each once, and are in the place of their folder; what they were made of is not read as well. One that
 * does not render is an error, and its files are read as if it were none. Of patches that were not applied, and of the data of charts and
 * kustomizations, only whole objects are evaluated, see `FileUse`.
 * Never throws for what is on the disk.
 */
export async function discoverInputs(paths: readonly string[], options: DiscoverOptions): Promise<Discovery> {
  const found = newFound();
  for (const path of paths) {
    if (path === '-') findStdin(found, options);
    else await findPath(found, path, options);
  }
  const inputs = [...found.inputs.values()].map((input) => withReader(input, options.readers ?? []));
  return { inputs, errors: found.errors, notes: notesOf(found, await lookalikes(found.others)) };
}

function findStdin(found: Found, options: DiscoverOptions): void {
  if (options.stdin !== undefined && !found.inputs.has('-')) found.inputs.set('-', onceInput('<stdin>', options.stdin));
}

async function findPath(found: Found, path: string, options: DiscoverOptions): Promise<void> {
  const { cwd, rendering } = options;
  const absolute = resolve(cwd, path);
  try {
    const status = await stat(absolute);
    if (status.isDirectory()) {
      await addWalk(found, await walkDirectory(absolute, rendering?.renderers), { named: path, start: path }, options);
    } else if (status.isFile()) {
      await findFile(found, path, { path: await realpath(absolute), size: status.size }, rendering);
    } else {
      // A pipe (<(kustomize build)) or a device can be read only once.
      const once = fileInput(absolute, displayName(path));
      found.inputs.set(absolute, onceInput(once.file, once.open));
    }
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (missing && isPattern(path)) {
      const walk = await matchPattern(path, cwd, rendering?.renderers);
      await addWalk(found, walk, { named: path, start: fixedPart(path), pattern: true }, options);
    } else found.errors.push(missing ? pathNotFound(path) : unreadable(displayName(path), error, { found: false }));
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
  await addTree(found, { root: chart ?? file.path, files: [], kustomizations: [], sources }, nameOf, rendering);
}

/** What a walk was made for: the path as the user wrote it, and the folder in which it starts, in the same words. */
interface Named {
  named: string;
  start: string;
  pattern?: boolean;
}

async function addWalk(
  found: Found,
  walk: Walk,
  { named, start, pattern = false }: Named,
  { rendering, readers = [] }: DiscoverOptions,
): Promise<void> {
  const shown = (path: string) => displayName(join(start, relative(walk.root, path)));
  const nameOf = (real: string) => shown(shownPath(walk, real));
  takeForReaders(walk, readers, nameOf);
  const hidden = addLeftOut(found, walk, { shown, nameOf });
  refuseCharts(found, walk, nameOf);
  await addTree(found, { ...walk, files: [...walk.files.keys()] }, nameOf, rendering);
  if (walk.files.size + walk.charts.size + walk.sources.length + hidden === 0)
    found.errors.push(nothingIn(walk, displayName(named), pattern));
}

/** Files that a reader recognises are read, whatever else their names say. */
function takeForReaders({ files, others }: Walk, readers: readonly GroupReader[], nameOf: (real: string) => string): void {
  if (readers.length === 0) return;
  for (const [real, path] of others) {
    if (!readers.some((reader) => reader.recognises(nameOf(real)))) continue;
    files.set(real, path);
    others.delete(real);
  }
}

function pathNotFound(path: string): InputError {
  return {
    code: 'path-not-found',
    message: `There is no file or directory ${JSON.stringify(path)}, and no file matches it as a pattern. Check the spelling and the working directory.`,
    location: { file: displayName(path), line: 1, column: 1 },
  };
}
