import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';

/** Whether `--output` names a folder: it is one, or it ends in a slash. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());
}

/**
 * Makes the folder where it is not there yet; the one it is in must be.
 * @throws {BylawError} `output-unwritable`
 */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  await mkdir(path).catch((cause: NodeJS.ErrnoException) => {
    const why = REASONS[cause.code ?? ''] ?? `the system reports ${cause.code}`;
    throw new BylawError('output-unwritable', `Cannot create the folder ${path}: ${why}.`, { cause });
  });
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'its parent folder does not exist',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file with this name already exists',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOSPC: 'there is no space left',
};
