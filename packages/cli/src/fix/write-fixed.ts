import { access, constants, readFile, stat } from 'node:fs/promises';
import { writeFileWhole } from '@bylaw/core/command/output';
import { type Input, leadsOut, repositoryAround } from '@bylaw/core/resource';

/**
 * Puts a new text in the place of a file, whole or not at all, and keeps its permissions. A file that is not any more what it was when it was
 * read is left alone.
 * @returns why it was not written, as a clause without a full stop
 */
export async function writeFixed({ file, path }: Input, before: Uint8Array, after: string): Promise<string | undefined> {
  if (path === undefined) return 'it was not read from a file';
  try {
    const cwd = process.cwd();
    const repository = await repositoryAround(cwd);
    if (await leadsOut(file, repository === undefined ? [cwd] : [cwd, repository]))
      return 'a symbolic link leads to its file, which is outside of the working directory and its Git repository';
    // Taking the place of a file needs no right to write to it; changing it should.
    await access(path, constants.W_OK);
    if (!(await readFile(path)).equals(before)) return 'its file has changed since it was read; run the command again';
    await writeFileWhole(path, async (out) => out.write(after), await stat(path));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === '') throw error;
  return REASONS[code] ?? `its file cannot be written (${code})`;
}

const REASONS: { [code: string]: string } = {
  EACCES: 'there is no permission to write its file',
  EPERM: 'there is no permission to write its file',
  EROFS: 'its file system is read-only',
  ENOENT: 'its file no longer exists',
  ENOSPC: 'there is no space left to write its file',
};
