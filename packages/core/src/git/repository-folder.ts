import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder, this one or one above it, with a `.git` that is a folder, or a file as in a worktree or a submodule. @param folder absolute */
export function repositoryFolder(folder: string): string | undefined {
  let at = folder;
  while (!existsSync(join(at, '.git'))) {
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
  return at;
}
