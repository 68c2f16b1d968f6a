import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

/** How far the links below a folder are followed. */
export interface Boundary {
  /** Whether something may be read that lies here. @param path absolute and real */
  holds(path: string): boolean;
}

/**
 * Within the folder itself, and within the Git repository that holds it; a `.git` folder is outside. A repository of the home directory or of the whole
 * file system is no boundary: it would let a link reach every file of the user.
 * @param root absolute and real
 */
export async function boundaryOf(root: string): Promise<Boundary> {
  const repository = await repositoryAround(root);
  const roots = repository === undefined ? [root] : [root, repository];
  return { holds: (path) => roots.some((each) => isWithin(each, path) && !relative(each, path).split(sep).includes('.git')) };
}

/** Whether a path is a folder or lies below it. Both absolute and normalised. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The nearest folder, this one or above it, with a `.git` that is a folder, or a file as in a worktree or a submodule. */
async function repositoryAround(root: string): Promise<string | undefined> {
  let at = root;
  while (!existsSync(join(at, '.git'))) {
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
  const home = await realpath(homedir()).catch(() => undefined);
  return at === home || dirname(at) === at ? undefined : at;
}
