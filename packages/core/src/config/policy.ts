import { dirname, join, relative, sep } from 'node:path';
import { BylawError } from '../errors.js';
import { type CommitTree, isInTree, namedCommit, pathAt, readAt, treeOf } from '../git/index.js';
import { isRuleFile, type RuleFolder } from '../rule/rule-folder.js';
import type { Config } from './config.js';
import type { ConfigSections } from './core-sections.js';
import { CONFIG_FILE, type ConfigFile, parseConfig } from './read-config.js';

/** The commit that a run takes its configuration from, in place of the working tree. */
export interface PolicyCommit {
  /** As the user named it. */
  ref: string;
  tree: CommitTree;
}

/** The commit, and what the working tree has in its place. */
export interface Policy extends PolicyCommit {
  /** The configuration of the working tree: what will be in force once the change is merged. */
  proposed: Config;
}

/**
 * @param cwd absolute
 * @param named the file that `--config` or `SVC_CONFIG` names, if any
 * @throws {BylawError} `usage`, `no-repository`, `git-ref-unknown`, `git-missing`, `git-failed`
 */
export async function openPolicy(ref: string, cwd: string, named: string | undefined): Promise<PolicyCommit> {
  if (named !== undefined)
    throw new BylawError('usage', '--policy-from cannot be used together with --config or SVC_CONFIG.', {
      hint: 'Leave out one of them: --policy-from takes bylaw.yaml from a commit, --config from a file.',
    });
  return { ref, tree: await treeOf(cwd, await namedCommit(cwd, ref)) };
}

/** The nearest `bylaw.yaml` of the commit, in a folder or above it. @throws {BylawError} `config-invalid`, `exception-invalid` */
export async function policyFile({ ref, tree }: PolicyCommit, cwd: string, sections: ConfigSections): Promise<ConfigFile | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_FILE);
    const bytes = await readAt(tree, path);
    if (bytes) return parseConfig(path, nameAt({ ref, tree }, path), bytes, sections);
    if (folder === tree.root || folder === dirname(folder)) return undefined;
  }
}

/** How messages name a file of the commit, as Git does: `origin/main:deploy/bylaw.yaml`. */
export function nameAt({ ref, tree }: PolicyCommit, path: string): string {
  return `${ref}:${relative(tree.root, path).split(sep).join('/')}`;
}

/**
 * A folder of rule files as the commit has it. A folder outside of the repository stays the one on the disk: the change cannot touch it.
 * @param folder absolute
 * @throws {BylawError} `path-not-found` if the commit has no such folder
 */
export async function rulesAt(policy: PolicyCommit, folder: string): Promise<string | RuleFolder> {
  const { tree } = policy;
  if (!isInTree(tree, folder)) return folder;
  const real = await pathAt(tree, folder);
  const below = real === undefined ? [] : [...tree.below(real)];
  const name = nameAt(policy, folder);
  if (real === undefined || below.length === 0)
    throw new BylawError('path-not-found', `The rule folder ${name} is not in the commit.`, {
      hint: 'Merge the folder first, and name it in bylaw.yaml or with --rules afterwards.',
    });
  const files = below
    .map(([path, entry]) => ({ path: relative(real, path).split(sep).join('/'), entry }))
    .filter(({ path, entry }) => entry.type === 'file' && isRuleFile(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const texts: string[] = [];
  for await (const content of tree.contents(files.map(({ entry }) => entry))) texts.push(content.toString('utf8'));
  return { name, files: files.map(({ path }, index) => [path, texts[index] ?? ''] as const) };
}
