import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { InputError } from '@bylaw/core/errors';
import { type Boundary, unreadable } from '@bylaw/core/resource';

/** Helm holds a chart in memory as a whole; these are far above what it takes. */
const MAX_FILES = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** A copy of a chart that holds no links, so that Helm can read nothing else. */
export interface StagedChart {
  /** The files in it, relative to it and with `/`. */
  files: string[];
  /** Where the links lead that were followed, absolute and real. */
  linked: string[];
  /** What was left out of it, under the names that the user knows. */
  errors: InputError[];
}

/**
 * Copies a chart. Links are followed within the boundary, and what they lead to is copied in their place; any other link is an error, as is a file
 * that cannot be read. Folders of Git are left out, and so are folders that `.helmignore` names in full, which Helm leaves out, too.
 * @param chart absolute and real
 * @param displayName the name under which the user knows it
 * @param target a folder that does not exist yet
 * @returns undefined if the chart holds more than 20,000 files or 256 MiB
 */
export async function stageChart(chart: string, displayName: string, boundary: Boundary, target: string): Promise<StagedChart | undefined> {
  const staged: StagedChart = { files: [], linked: [], errors: [] };
  const copy: Copy = { staged, boundary, displayName: displayName, target, bytes: 0, entries: 0, ignored: await ignoredFolders(chart) };
  return (await copyFolder(copy, chart, '', [chart])) ? staged : undefined;
}

/** The state of one copy. */
interface Copy {
  staged: StagedChart;
  boundary: Boundary;
  displayName: string;
  target: string;
  bytes: number;
  entries: number;
  /** Names of folders at the top of the chart. */
  ignored: ReadonlySet<string>;
}

/**
 * Copies a folder.
 * @param name relative to the chart, with `/`; empty for the chart itself
 * @param above the folder and those that it is in, by the links that led here
 * @returns false if the chart is too large
 */
async function copyFolder(copy: Copy, folder: string, name: string, above: readonly string[]): Promise<boolean> {
  await mkdir(join(copy.target, name), { recursive: true });
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    copy.staged.errors.push(unreadable(posix.join(copy.displayName, name), error, { found: true }));
    return [];
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === '.git' || (name === '' && entry.isDirectory() && copy.ignored.has(entry.name))) continue;
    if (++copy.entries > MAX_FILES) return false;
    const [path, inner] = [join(folder, entry.name), posix.join(name, entry.name)];
    const place = entry.isSymbolicLink() ? await followed(copy, path, inner, above) : path;
    if (place !== undefined && !(await copyEntry(copy, place, inner, above))) return false;
  }
  return true;
}

async function copyEntry(copy: Copy, path: string, name: string, above: readonly string[]): Promise<boolean> {
  const displayName = posix.join(copy.displayName, name);
  try {
    const status = await stat(path);
    if (status.isDirectory()) return await copyFolder(copy, path, name, [...above, path]);
    if (!status.isFile()) {
      copy.staged.errors.push(
        failed('not-a-file', 'This is a pipe, socket or device in a chart, so the chart was rendered without it.', displayName),
      );
      return true;
    }
    copy.bytes += status.size;
    if (copy.bytes > MAX_BYTES) return false;
    await copyFile(path, join(copy.target, name), constants.COPYFILE_FICLONE);
    copy.staged.files.push(name);
  } catch (error) {
    copy.staged.errors.push(unreadable(displayName, error, { found: true }));
  }
  return true;
}

/** Where a link leads, or undefined with an error. */
async function followed(copy: Copy, path: string, name: string, above: readonly string[]): Promise<string | undefined> {
  const displayName = posix.join(copy.displayName, name);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && copy.boundary.holds(real) && !above.includes(real)) {
    copy.staged.linked.push(real);
    return real;
  }
  const where =
    real === undefined
      ? 'to nothing'
      : above.includes(real)
        ? 'to a folder that it is in'
        : 'out of the evaluated folder and its Git repository';
  const message = `This link in a chart leads ${where}, so the chart was rendered without it. Put the file itself into the chart, or remove the link.`;
  copy.staged.errors.push(failed('link-not-followed', message, displayName));
  return undefined;
}

function failed(code: InputError['code'], message: string, file: string): InputError {
  return { code, message, location: { file, line: 1, column: 1 } };
}

/**
 * The folders at the top of a chart that `.helmignore` names in full, such as `node_modules/`. Patterns and exceptions are left to Helm, and so are the
 * folders that hold manifests.
 */
async function ignoredFolders(chart: string): Promise<Set<string>> {
  const file = join(chart, '.helmignore');
  const isFile = await lstat(file).then(
    (status) => status.isFile(),
    () => false,
  );
  const text = isFile ? await readFile(file, 'utf8') : '';
  const lines = text.split('\n').map((line) => line.trim());
  if (lines.some((line) => line.startsWith('!'))) return new Set();
  const names = lines.flatMap((line) => /^\/?([\w.@-]+)\/?$/.exec(line)?.[1] ?? []);
  return new Set(names.filter((name) => !['templates', 'crds', 'charts'].includes(name)));
}
