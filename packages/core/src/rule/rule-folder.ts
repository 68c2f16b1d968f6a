import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BylawError } from '../errors.js';
import { leadsOut, realPathOf } from '../resource/index.js';

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
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'));
  if (entries.some((entry) => isHeaderLink(entry, directory))) {
    await refuseOutward(directory, name);
    paths.push(PACK_FILE);
  }
  paths.sort();
  return { name, files: await Promise.all(paths.map(async (path) => [path, await readFile(join(directory, path), 'utf8')] as const)) };
}

function isHeaderLink(entry: Dirent, directory: string): boolean {
  return entry.isSymbolicLink() && entry.name === PACK_FILE && entry.parentPath === directory;
}

/** @throws {BylawError} `rule-schema` if the link leads out of the folder */
async function refuseOutward(directory: string, name: string): Promise<void> {
  if (!(await leadsOut(join(directory, PACK_FILE), [await realPathOf(directory)]))) return;
  const message = 'This symbolic link leads out of the rule folder, so it was not followed. Put the file itself into the folder.';
  throw new BylawError('rule-schema', message, { location: { file: join(name, PACK_FILE), line: 1, column: 1 } });
}
