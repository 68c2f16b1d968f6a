import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program can be started by its name; tests of it are skipped where not, and `.ci/tools` builds it. */
export function onPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
