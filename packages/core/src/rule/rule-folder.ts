import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BylawError } from '../errors.js';

/** A folder of rule files in memory: it need not be on the disk, and can be sent to a thread. */
export interface RuleFolder {
  /** How messages name it. */
  name: string;
  /** Path below the folder, with slashes, and text; sorted by path. */
  files: readonly (readonly [path: string, text: string])[];
}

/** The header of a pack. */
export const PACK_FILE = 'pack.yaml';

/** Whether a file below a rule folder holds a rule or the header of the pack. @param path below the folder, with slashes */
export function isRuleFile(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Reads a folder, with everything below it. @throws {BylawError} `path-not-found` */
export async function readRuleFolder(directory: string, name: string): Promise<RuleFolder> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new BylawError('path-not-found', `Cannot read the rule folder ${directory}.`, { cause, hint: 'Pass a folder of rule files.' });
  });
  const paths = entries
    .filter((entry) => entry.isFile() && isRuleFile(entry.name))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  return { name, files: await Promise.all(paths.map(async (path) => [path, await readFile(join(directory, path), 'utf8')] as const)) };
}
