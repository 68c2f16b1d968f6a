import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isWithin } from './boundary.js';

/** More links than this in one path count as a circle, as on Linux. */
const MAX_LINKS = 40;

/**
 * Where a path leads when every link in it is followed, whether or not something is there: a file that is opened for writing is created there.
 * @param path relative to the working directory
 * @returns an absolute path
 * @throws the error of the file system for links in a circle (`ELOOP`) and folders that cannot be searched (`EACCES`)
 */
export async function realPathOf(path: string, links = 0): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error) || dirname(absolute) === absolute) throw error;
  }
  const place = join(await realPathOf(dirname(absolute), links), basename(absolute));
  const target = await readlink(place).catch(() => undefined);
  if (target === undefined) return place;
  if (links === MAX_LINKS) throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
  return realPathOf(resolve(dirname(place), target), links + 1);
}

/**
 * Whether a path that lies in one of some folders leads out of all of them through a link, or through a link into a `.git` folder. A path that
 * itself lies outside leads wherever its owner wants.
 * @param path relative to the working directory
 * @param roots absolute and real
 * @throws as `realPathOf`
 */
export async function leadsOut(path: string, roots: readonly string[]): Promise<boolean> {
  const named = await placeWithin(resolve(path), roots);
  if (named === undefined) return false;
  const place = await realPathOf(named);
  return place !== named && !roots.some((root) => isWithin(root, place) && !relative(root, place).split(sep).includes('.git'));
}

/** The path from where it first enters one of the folders; links before that belong to whoever named it. */
async function placeWithin(path: string, roots: readonly string[]): Promise<string | undefined> {
  for (const folder of foldersAbove(path)) {
    const real = await realPathOf(folder);
    if (roots.some((root) => isWithin(root, real))) return join(real, relative(folder, path));
  }
  return undefined;
}

/** From the top down. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersAbove(above), above];
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
