import { createHash } from 'node:crypto';
import { accessSync, type BigIntStats, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { gateError } from '../error-table.js';

/** The file that a command runs. */
export interface Executable {
  /** Absolute, as it was found; symbolic links in it are not resolved, because programs look at the name they are called by. */
  readonly path: string;
  /** SHA-256 of the file: `sha256:` and 64 hexadecimal digits. Null if this user may run the file but not read it. */
  readonly digest: string | null;
  /** What must stay the same from the decision to the start: the digest, or what the file system says of a file that cannot be read. */
  readonly identity: string;
}

/**
 * Finds what a shell would run for the first word of a command: a path, or a name on PATH.
 * @throws {BylawError} AG-RUN-001. The message does not repeat the word: `TOKEN=x command` is a common mistake.
 */
export function findExecutable(word: string, { cwd, path }: { cwd: string; path: string | undefined }): Executable {
  const candidates = word.includes('/') ? [resolve(cwd, word)] : foldersOf(path).map((folder) => resolve(cwd, join(folder, word)));
  const found = word === '' ? undefined : candidates.find(isProgram);
  if (found !== undefined) return identify(found);
  throw gateError('AG-RUN-001', 'The first word of the command is not an executable file, and no folder on PATH has such a file.', {
    hint: word.includes('=')
      ? 'Set environment variables before `bylaw`: NAME=value bylaw run -- COMMAND.'
      : 'Check the spelling. Shell functions, aliases and built-in commands need a shell: bylaw run -- sh -c TEXT.',
  });
}

/** Whether the path still leads to the same file with the same content. */
export function isUnchanged(executable: Executable): boolean {
  try {
    return identify(executable.path).identity === executable.identity;
  } catch {
    return false;
  }
}

/** POSIX: an empty entry is the working directory. */
function foldersOf(path: string | undefined): string[] {
  return path === undefined || path === '' ? [] : path.split(delimiter);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function identify(path: string): Executable {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (cause) {
    if (errorCode(cause) !== 'EACCES') throw unusable('The executable cannot be read', cause);
    return { path, digest: null, identity: stampOf(statSync(path, { bigint: true })) };
  }
  try {
    const digest = digestOf(descriptor);
    return { path, digest, identity: digest };
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw unusable('The executable cannot be read', cause);
  } finally {
    closeSync(descriptor);
  }
}

/** The C library starts a shell for a file that the kernel does not know, so only files that the kernel knows are run. */
const HEADS = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

function digestOf(descriptor: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  let first = true;
  for (;;) {
    const bytes = readSync(descriptor, chunk);
    const read = chunk.subarray(0, bytes);
    if (first && read.subarray(0, 2).toString('latin1') !== '#!' && !HEADS.includes(read.subarray(0, 4).toString('hex')))
      throw gateError('AG-RUN-001', 'The file is neither a program nor a script that begins with `#!`, so only a shell can run it.', {
        hint: 'Name its interpreter: bylaw run -- sh FILE.',
      });
    if (bytes === 0) return `sha256:${hash.digest('hex')}`;
    hash.update(read);
    first = false;
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return ['stat', dev, ino, size, mtimeNs, ctimeNs].join(':');
}

function unusable(message: string, cause: unknown): Error {
  return gateError('AG-RUN-001', `${message}${errorCode(cause) === undefined ? '' : ` (${errorCode(cause)})`}.`, { cause });
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
