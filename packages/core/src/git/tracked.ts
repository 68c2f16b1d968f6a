import { dirname, join } from 'node:path';
import { runGit } from './run-git.js';

/** What the index of a repository lists. */
export interface Tracked {
  /** Whether Git tracks this file or link. @param path absolute, links in its folder resolved */
  file(path: string): boolean;
  /** Whether Git tracks something below this folder. */
  folder(path: string): boolean;
  /** The tracked files below a folder, absolute, in the order of Git. */
  below(folder: string): string[];
}

/**
 * The files that Git tracks in a working tree, submodules left out. Undefined if Git is missing or refuses the repository. It reads the index only, and
 * starts no file system monitor.
 * @param root the top folder of the working tree, absolute and real
 */
export async function trackedFiles(root: string): Promise<Tracked | undefined> {
  const result = await runGit(root, ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--full-name']).catch(() => undefined);
  if (result === undefined || 'failed' in result) return undefined;
  const files = new Set<string>();
  const folders = new Set<string>([root]);
  for (const name of result.output.toString('utf8').split('\0')) {
    if (name === '') continue;
    const path = join(root, name);
    files.add(path);
    for (let at = dirname(path); !folders.has(at) && at !== dirname(at); at = dirname(at)) folders.add(at);
  }
  return {
    file: (path) => files.has(path),
    folder: (path) => folders.has(path),
    below: (folder) => (folders.has(folder) ? [...files] : []).filter((path) => path.startsWith(join(folder, '/'))),
  };
}
