import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { BylawError } from '../errors.js';

/** Standard output of Git, or why it failed. */
export type GitResult = { output: Buffer } | { failed: string };

/** A listing of a million files takes about 100 MB. */
const MOST_BYTES = 1024 ** 3;

/**
 * Runs Git on a repository. Only commands that read objects and names may be run: they start no hook, filter, editor or file system monitor, whatever the
 * configuration of the repository says.
 * @param folder absolute, in the repository
 * @throws {BylawError} `git-missing`
 */
export async function runGit(folder: string, args: readonly string[], input?: Buffer): Promise<GitResult> {
  const program = await gitProgram();
  return new Promise((resolve) => {
    const child = execFile(
      program,
      ['--no-pager', '-C', folder, ...args],
      { encoding: 'buffer', maxBuffer: MOST_BYTES, env: { ...process.env, ...QUIET } },
      (error, stdout, stderr) => resolve(error ? { failed: stderr.toString('utf8').trim() || error.message } : { output: stdout }),
    );
    // Git may end before it has read everything.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

const QUIET = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
};

let found: Promise<string> | undefined;

function gitProgram(): Promise<string> {
  found ??= findGit();
  return found;
}

/** Relative folders on the PATH do not count: the working directory may be a repository that brings a program of this name. */
async function findGit(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const path = join(folder, process.platform === 'win32' ? 'git.exe' : 'git');
    const usable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return path;
  }
  throw new BylawError('git-missing', 'The program git is not on the PATH.', { hint: 'Install Git (https://git-scm.com/downloads).' });
}
