import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '@bylaw/core/config';

/**
 * The absolute path of a program: the one that a variable names, or else the first of some names that is on the PATH. Relative folders on the
 * PATH do not count: the working directory is often the repository that is evaluated, which must not bring the program that runs.
 */
export async function findProgram(variable: string, names: readonly string[], env: Environment): Promise<string | undefined> {
  const named = env[variable];
  if (named !== undefined && named !== '') return isAbsolute(named) && (await isExecutable(named)) ? named : undefined;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute);
  for (const name of names)
    for (const folder of folders) {
      const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (await isExecutable(path)) return path;
    }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
