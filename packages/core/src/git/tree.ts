import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BylawError } from '../errors.js';
import { runGit } from './run-git.js';

/** The files of one commit. */
export interface CommitTree {
  /** The top folder of the working tree, absolute and real. */
  root: string;
  /** Full identifier of the commit. */
  commit: string;
  /** A file or link of the commit. @param path absolute, below `root`, links in it not followed */
  entry(path: string): TreeEntry | undefined;
  /** The entries below a folder, by their absolute paths. */
  below(folder: string): ReadonlyMap<string, TreeEntry>;
  /** The contents of entries, in order, a few at a time. */
  contents(entries: readonly TreeEntry[]): AsyncGenerator<Buffer, void, void>;
}

export interface TreeEntry {
  type: 'file' | 'link';
  /** Hash of the content, as Git computes it. */
  object: string;
  /** Bytes. */
  size: number;
}

/**
 * The commit that a branch began from: the newest one that a revision and the checked-out commit have in common.
 * @param folder absolute, in the repository
 * @throws {BylawError} `no-repository`, `git-ref-unknown`, `git-missing`, `git-failed`
 */
export async function commonCommit(folder: string, revision: string): Promise<string> {
  await repositoryRoot(folder);
  const named = await commitOf(folder, revision);
  const head = await commitOf(folder, 'HEAD');
  const result = await runGit(folder, ['merge-base', named, head]);
  if ('output' in result) return result.output.toString('utf8').trim();
  throw new BylawError('git-ref-unknown', `${JSON.stringify(revision)} and the checked-out commit have no common ancestor in this clone.`, {
    hint: 'A shallow clone does not contain older commits. Fetch them with `git fetch --unshallow` (in GitHub Actions: `fetch-depth: 0`).',
  });
}

/**
 * The commit that a revision names. A name that is both a tag and a branch, or both a branch here and one of a remote, is refused: whoever may push one
 * of them could put it before the other.
 * @param folder absolute, in the repository
 * @throws {BylawError} `no-repository`, `git-ref-unknown`, `git-missing`, `git-failed`
 */
export async function namedCommit(folder: string, revision: string): Promise<string> {
  await repositoryRoot(folder);
  const commit = await commitOf(folder, revision);
  const candidates = ['', 'tags/', 'heads/', 'remotes/'].map((kind) => `refs/${kind}${revision}`);
  const listing = /^[\w./-]+$/.test(revision) ? await text(folder, ['for-each-ref', '--format=%(refname)', ...candidates]) : '';
  const names = listing.split('\n').filter((name) => candidates.includes(name));
  if (names.length < 2) return commit;
  throw new BylawError('git-ref-unknown', `${JSON.stringify(revision)} may be ${names.join(' or ')}.`, {
    hint: `Give the full name, such as ${names.find((name) => name.startsWith('refs/remotes/')) ?? names[0]}.`,
  });
}

/**
 * The files of a commit, as they are in the object store: nothing of the working tree is looked at.
 * @param folder absolute, in the repository
 * @throws {BylawError} `no-repository`, `git-missing`, `git-failed`
 */
export async function treeOf(folder: string, commit: string): Promise<CommitTree> {
  const root = await repositoryRoot(folder);
  const listing = await text(folder, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]);
  const entries = new Map<string, TreeEntry>();
  for (const line of listing.split('\0')) {
    const match = LINE.exec(line);
    const [, mode, object, size, path] = match ?? [];
    if (object === undefined || path === undefined) continue; // a submodule, or the end
    entries.set(path, { type: mode === '120000' ? 'link' : 'file', object, size: Number(size) });
  }
  const nameOf = (path: string) => relative(root, path).split(sep).join('/');
  return {
    root,
    commit,
    entry: (path) => entries.get(nameOf(path)),
    below(directory) {
      const prefix = directory === root ? '' : `${nameOf(directory)}/`;
      return new Map([...entries].flatMap(([name, entry]) => (name.startsWith(prefix) ? [[join(root, name), entry]] : [])));
    },
    contents: (wanted) => contentsOf(folder, wanted),
  };
}

const LINE = /^(\d{6}) blob ([0-9a-f]{40,64}) +(\d+)\t([\s\S]+)$/;

/** Contents that are in memory together, in bytes, if no single one is larger. */
const AT_ONCE = 32 * 1024 * 1024;

async function* contentsOf(folder: string, entries: readonly TreeEntry[]): AsyncGenerator<Buffer, void, void> {
  for (let start = 0; start < entries.length; ) {
    let end = start;
    let bytes = 0;
    do bytes += entries[end++]?.size ?? 0;
    while (end < entries.length && bytes + (entries[end]?.size ?? 0) <= AT_ONCE);
    yield* await batchOf(folder, entries.slice(start, end));
    start = end;
  }
}

async function batchOf(folder: string, entries: readonly TreeEntry[]): Promise<Buffer[]> {
  const input = Buffer.from(entries.map(({ object }) => `${object}\n`).join(''));
  const result = await runGit(folder, ['cat-file', '--batch'], input);
  if ('failed' in result) throw failed(result.failed);
  let offset = 0;
  return entries.map(({ object, size }) => {
    const header = `${object} blob ${size}\n`;
    const start = offset + header.length;
    if (result.output.toString('latin1', offset, start) !== header) throw failed(`object ${object} is missing`);
    offset = start + size + 1;
    return result.output.subarray(start, start + size);
  });
}

async function repositoryRoot(folder: string): Promise<string> {
  const result = await runGit(folder, ['rev-parse', '--show-toplevel']);
  if ('output' in result) return realpath(result.output.toString('utf8').replace(/\n$/, ''));
  if (!/not a git repository|must be run in a work tree/.test(result.failed)) throw failed(result.failed);
  throw new BylawError('no-repository', `${JSON.stringify(folder)} is not in a Git working tree.`, {
    hint: 'Run the command in a clone of the repository.',
  });
}

async function commitOf(folder: string, revision: string): Promise<string> {
  // No argument of a program holds a zero byte.
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const result = revision.includes('\0') ? undefined : await runGit(folder, args);
  if (result && 'output' in result) return result.output.toString('utf8').trim();
  throw new BylawError('git-ref-unknown', `Git cannot find the commit ${JSON.stringify(revision)}.`, {
    hint: 'Pass a branch, a tag or a commit of this clone, such as origin/main. Fetch it first if the clone does not contain it.',
  });
}

async function text(folder: string, args: readonly string[]): Promise<string> {
  const result = await runGit(folder, args);
  if ('failed' in result) throw failed(result.failed);
  return result.output.toString('utf8');
}

function failed(why: string): BylawError {
  return new BylawError('git-failed', `Git failed: ${why.split('\n')[0]}`, {
    hint: 'Run `git status` in this folder to see what is wrong.',
  });
}
