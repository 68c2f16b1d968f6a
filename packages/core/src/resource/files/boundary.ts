import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, relative, sep } from 'node:path';
import { repositoryFolder } from '../../git/repository-folder.js';
import { type Tracked, trackedFiles } from '../../git/tracked.js';

/** How far the links below a folder are followed, and what Git tracks there. */
export interface Boundary {
  /** Whether something may be read that lies here. @param path absolute and real */
  holds(path: string): boolean;
  /** What Git tracks in the repository; undefined if there is none, or Git does not tell. Git is asked once, when this is first called. */
  tracked(): Promise<Tracked | undefined>;
  /** Whether there is a repository. */
  inRepository: boolean;
}

/**
 * Within the folder itself, and within the Git repository that holds it; a `.git` folder is outside. A repository of the home directory or of the whole
 * file system does not count as a boundary: it would let a link reach every file of the user.
 * @param root absolute and real
 */
export async function boundaryOf(root: string): Promise<Boundary> {
  const repository = await repositoryAround(root);
  const roots = repository === undefined ? [root] : [root, repository];
  let tracked: Promise<Tracked | undefined> | undefined;
  return {
    holds: (path) => roots.some((each) => isWithin(each, path) && !relative(each, path).split(sep).includes('.git')),
    tracked: async () => {
      if (repository === undefined) return undefined;
      tracked ??= trackedFiles(repository);
      return tracked;
    },
    inRepository: repository !== undefined,
  };
}

/** Whether a path is a folder or lies below it. Both absolute and normalised. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The Git repository that holds a folder, unless it is that of the home directory or of the whole file system.
 * @param root absolute and real
 */
export async function repositoryAround(root: string): Promise<string | undefined> {
  const repository = repositoryFolder(root);
  if (repository === undefined || dirname(repository) === repository) return undefined;
  const home = await realpath(homedir()).catch(() => undefined);
  return repository === home ? undefined : repository;
}
