import { resolve } from 'node:path';
import type { PolicyCommit } from '../../config/index.js';
import { type AcceptedExceptions, exceptionKeysOf, sourceKey } from '../../evaluate/index.js';
import { isSamePath, pathAt } from '../../git/index.js';
import { type Input, textInput } from '../../resource/index.js';

/** What every exception in a manifest has in its text: `bylaw.dev/ignore` or `bylaw:ignore`. */
const MARK = 'bylaw';

type BySource = Map<string, ReadonlySet<string> | 'all'>;

/**
 * The exceptions in manifests that a commit has too, in the same file on the same object. Of what was rendered all count if nothing that it was made
 * from has changed since, else none. Those of standard input, and of files that the commit does not have, do not count.
 * @param cwd absolute; the names of the inputs are relative to it
 * @throws {BylawError} `git-failed`
 */
export async function acceptedExceptions({ tree }: PolicyCommit, inputs: readonly Input[], cwd: string): Promise<AcceptedExceptions> {
  const bySource: BySource = new Map();
  const former: { input: Input; entry: NonNullable<ReturnType<typeof tree.entry>> }[] = [];
  const compared = new Map<string, Promise<boolean>>();
  const isSame = (path: string) => {
    const same = compared.get(path) ?? isSamePath(path, tree);
    compared.set(path, same);
    return same;
  };
  for (const input of inputs) {
    if (input.rendered !== undefined) await addRendered(bySource, input, isSame);
    // A new link to an old file brings its exceptions to a place where they were not.
    else if (input.path !== undefined && (await pathAt(tree, resolve(cwd, input.file))) === input.path) {
      const entry = tree.entry(input.path);
      if (entry) former.push({ input, entry });
    }
  }
  let next = 0;
  for await (const content of tree.contents(former.map(({ entry }) => entry))) {
    const input = former[next++]?.input;
    if (input && content.includes(MARK)) bySource.set(sourceKey(input), await exceptionKeysOf(textInput(input.file, content, input)));
  }
  return { bySource };
}

/** Several inputs may be rendered under one name: their exceptions count if those of all of them do. */
async function addRendered(bySource: BySource, input: Input, isSame: (path: string) => Promise<boolean>): Promise<void> {
  const key = sourceKey(input);
  const { madeFrom = [] } = input;
  const same = madeFrom.length > 0 && (await Promise.all(madeFrom.map(isSame))).every(Boolean);
  bySource.set(key, same && bySource.get(key) !== NONE ? 'all' : NONE);
}

const NONE: ReadonlySet<string> = new Set();
