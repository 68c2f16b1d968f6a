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
  const read = contentOf(path);
  if (read === undefined) return { path, digest: null, identity: stampOf(statSync(path, { bigint: true })) };
  const { head, digest } = read;
  if (head.subarray(0, 2).toString('latin1') === '#!' || HEADS.includes(head.toString('hex'))) return { path, digest, identity: digest };
  throw gateError('AG-RUN-001', 'The file is neither a program nor a script that begins with `#!`, so only a shell can run it.', {
    hint: 'Name its interpreter: bylaw run -- sh FILE.',
  });
}

/** ELF and Mach-O. The C library starts a shell for a file that the kernel does not know, so only files that the kernel knows are run. */
const HEADS = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

/** @returns the first four bytes and the digest; undefined if this user may not read the file */
function contentOf(path: string): { head: Buffer; digest: string } | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return readWhole(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EACCES') return undefined;
    throw gateError('AG-RUN-001', `The executable cannot be read (${String(code)}).`, { cause });
  }
}

function readWhole(descriptor: number): { head: Buffer; digest: string } {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  let head = Buffer.alloc(0);
  for (let bytes = -1; bytes !== 0; ) {
    bytes = readSync(descriptor, chunk);
    if (head.length < 4) head = Buffer.concat([head, chunk.subarray(0, Math.min(bytes, 4 - head.length))]);
    hash.update(chunk.subarray(0, bytes));
  }
  return { head, digest: `sha256:${hash.digest('hex')}` };
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return ['stat', dev, ino, size, mtimeNs, ctimeNs].join(':');
}
