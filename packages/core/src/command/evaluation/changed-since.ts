import { lstat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { BylawError } from '../../errors.js';
import { contentKeys, type EvaluationRequest } from '../../evaluate/index.js';
import { type CommitTree, commonCommit, isSameEntry, isSamePath, repositoryFolder, treeOf } from '../../git/index.js';
import { MOST_NAMED, type Note } from '../../note.js';
import { number, plural } from '../../plural.js';
import { type Input, textInput } from '../../resource/index.js';

/** The part of a run that has changed. */
export interface ChangedPart extends Required<Pick<EvaluationRequest, 'setInputs' | 'unchanged'>> {
  inputs: Input[];
  notes: Note[];
}

/**
 * Restricts inputs to what has changed since the branch began from a revision: in files the objects that are not the same in the same file of that commit,
 * and everything that is rendered from files which have changed. What Git does not track, standard input, pipes, what is rendered from a folder
 * behind a link, and files that a plugin reads together count as changed. Uncommitted changes count too.
 * @throws {BylawError} `no-repository` if no input is in a working tree; `git-ref-unknown`, `git-missing`, `git-failed`
 */
export async function changedSince(revision: string, inputs: readonly Input[], cwd: string): Promise<ChangedPart> {
  const trees = new Trees(revision);
  const changed: Input[] = [];
  const former: { input: Input; tree: CommitTree; path: string }[] = [];
  for (const input of inputs) {
    // What a reader makes of a file depends on the others.
    if (input.reader !== undefined) {
      changed.push(input);
      continue;
    }
    const paths = input.madeFrom ?? (input.path === undefined ? [] : [input.path]);
    const same = await everyOne(paths, (path) => trees.isSame(path));
    const shown = await trees.isReachedAsBefore(resolve(cwd, input.file));
    if (paths.length > 0 && same && shown) continue;
    changed.push(input);
    const tree = input.path === undefined ? undefined : await trees.around(dirname(input.path));
    if (tree && shown && input.path !== undefined) former.push({ input, tree, path: input.path });
  }
  const commits = trees.commits();
  if (inputs.length > 0 && commits.length === 0)
    throw new BylawError('no-repository', 'No input is in a Git working tree, so --changed-since cannot find out what has changed.', {
      hint: 'Remove --changed-since, or pass files and folders of a clone.',
    });
  return {
    inputs: changed,
    setInputs: inputs,
    unchanged: await unchangedObjects(former),
    notes: inputs.length === changed.length ? [] : [note(revision, commits, inputs, changed)],
  };
}

function note(revision: string, commits: readonly string[], inputs: readonly Input[], changed: readonly Input[]): Note {
  const count = inputs.length - changed.length;
  const since = commits.length === 1 ? `${revision} (commit ${commits[0]?.slice(0, 10)})` : revision;
  const listed = new Set(changed);
  return {
    code: 'unchanged',
    message: `${number(count)} of ${plural(inputs.length, 'file')} ${count === 1 ? 'has' : 'have'} not changed since ${since} and ${count === 1 ? 'was' : 'were'} not evaluated.`,
    count,
    first: inputs
      .filter((input) => !listed.has(input))
      .slice(0, MOST_NAMED)
      .map(({ file }) => file),
  };
}

/** The objects that each changed file held before, read from the commits. */
async function unchangedObjects(
  former: readonly { input: Input; tree: CommitTree; path: string }[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const keys = new Map<string, ReadonlySet<string>>();
  for (const [tree, own] of Map.groupBy(former, (one) => one.tree)) {
    const there = own.flatMap(({ input, path }) => {
      const entry = tree.entry(path);
      return entry?.type === 'file' ? [{ file: input.file, entry }] : [];
    });
    let next = 0;
    for await (const content of tree.contents(there.map(({ entry }) => entry))) {
      const { file } = there[next++] ?? { file: '' };
      keys.set(file, await contentKeys(textInput(file, content)));
    }
  }
  return keys;
}

async function everyOne<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

/** The trees of the repositories that hold the inputs, each at the commit that the branch there began from. */
class Trees {
  private readonly byRoot = new Map<string, Promise<CommitTree>>();
  private readonly roots = new Map<string, string | undefined>();
  private readonly known: CommitTree[] = [];
  private readonly same = new Map<string, Promise<boolean>>();

  constructor(private readonly revision: string) {}

  commits(): string[] {
    return [...new Set(this.known.map(({ commit }) => commit))];
  }

  /** @param folder absolute and real */
  async around(folder: string): Promise<CommitTree | undefined> {
    if (!this.roots.has(folder)) this.roots.set(folder, repositoryFolder(folder));
    const root = this.roots.get(folder);
    if (root === undefined) return undefined;
    const known = this.byRoot.get(root) ?? this.open(root);
    this.byRoot.set(root, known);
    return known;
  }

  private async open(root: string): Promise<CommitTree> {
    const tree = await treeOf(root, await commonCommit(root, this.revision));
    this.known.push(tree);
    return tree;
  }

  /** Whether a file, or everything in a folder, is what it was. @param path absolute and real */
  isSame(path: string): Promise<boolean> {
    const known = this.same.get(path) ?? this.compare(path);
    this.same.set(path, known);
    return known;
  }

  private async compare(path: string): Promise<boolean> {
    const status = await lstat(path).catch(() => undefined);
    const tree = await this.around(status?.isDirectory() ? path : dirname(path));
    return tree !== undefined && status !== undefined && isSamePath(path, tree);
  }

  /** Whether the links on the way to a path are what they were: a new link to an old file brings in its objects. */
  async isReachedAsBefore(path: string): Promise<boolean> {
    const parts = path.split(sep);
    for (let length = 2; length <= parts.length; length++) {
      const part = parts.slice(0, length).join(sep);
      const status = await lstat(part).catch(() => undefined);
      if (!status?.isSymbolicLink()) continue;
      const tree = await this.around(dirname(part));
      // A link outside of every repository is one of the machine.
      if (tree && !(await isSameEntry(part, tree))) return false;
    }
    return true;
  }
}
