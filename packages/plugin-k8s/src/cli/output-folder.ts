import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';

/** Whether `--output` names a folder: it is one, or it ends in a slash. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());
}

/**
 * Makes the folder where it is not there yet; the one it stands in must be.
 * @throws {BylawError} `output-unwritable`
 */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  await mkdir(path).catch((cause: NodeJS.ErrnoException) => {
    const why = REASONS[cause.code ?? ''] ?? `the system says ${cause.code}`;
    throw new BylawError('output-unwritable', `The folder ${path} cannot be made: ${why}.`, { cause });
  });
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'the folder that it is to stand in does not exist',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of that name',
  EACCES: 'the permission is missing',
  EPERM: 'the permission is missing',
  EROFS: 'its file system cannot be written',
  ENOSPC: 'no space is left',
};
