import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BylawError } from '../../errors.js';
import { repositoryAround } from '../../resource/files/boundary.js';
import { leadsOut, realPathOf } from '../../resource/files/real-path.js';

/**
 * The place that a command writes to when a person names this file. A repository that comes from a stranger may hold links, so a path in the working
 * directory must stay there, and a path elsewhere in its Git repository must stay in the repository. Other paths are followed wherever they lead.
 * @param file relative to the working directory
 * @returns an absolute path, for a file or folder without links
 * @throws {BylawError} `output-unwritable`
 */
export async function outputPlace(file: string): Promise<string> {
  const cwd = process.cwd();
  const repository = await repositoryAround(cwd);
  try {
    if (await leadsOut(file, [cwd])) throw refusal(file, 'working directory');
    if (repository !== undefined && (await leadsOut(file, [repository]))) throw refusal(file, 'Git repository');
    const absolute = resolve(file);
    const status = await stat(absolute).catch(() => undefined);
    // `/dev/stdout` leads to what has no path.
    return status && !status.isFile() && !status.isDirectory() ? absolute : await realPathOf(absolute);
  } catch (cause) {
    throw cause instanceof BylawError ? cause : unwritable(file, cause);
  }
}

function refusal(file: string, folder: string): BylawError {
  return new BylawError('output-unwritable', `Cannot write ${file}: a symbolic link in this path leads out of the ${folder}.`, {
    hint: 'Remove the link, or name the file that it leads to.',
  });
}

/** The error for a file that the system does not let us write. */
export function unwritable(file: string, cause: unknown): BylawError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const why = REASONS[code ?? ''] ?? `the system reports ${code}`;
  return new BylawError('output-unwritable', `Cannot write ${file}: ${why}.`, { cause });
}

const REASONS: { [code: string]: string } = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder',
  ELOOP: 'its links run in a circle',
  ENOSPC: 'no space is left on the device',
};
