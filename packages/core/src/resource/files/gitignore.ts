import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The .gitignore files that hold in a directory, the nearest first. Undefined = none. */
export interface Gitignore {
  readonly directory: string;
  readonly patterns: Ignore;
  readonly outer: Gitignore | undefined;
}

/** What holds in `directory`: its own .gitignore before those of the directories above it. */
export async function enterDirectory(directory: string, outer: Gitignore | undefined): Promise<Gitignore | undefined> {
  const text = await readGitignore(join(directory, '.gitignore'));
  return text === undefined ? outer : { directory, patterns: ignore().add(text), outer };
}

/** Undefined for anything but a regular file: Git does not follow a link there, and a pipe would never end. */
async function readGitignore(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isFile() ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What the directories above `directory` ignore, up to the root of its Git repository; nothing outside of one. A directory that is itself
 * ignored was named on purpose, so nothing above it counts.
 */
export async function gitignoreAbove(directory: string): Promise<Gitignore | undefined> {
  let rules: Gitignore | undefined;
  for (const parent of parentsInRepository(directory)) rules = await enterDirectory(parent, rules);
  return isIgnored(rules, directory, true) ? undefined : rules;
}

/** As Git decides: the last pattern that matches in the nearest file wins, and a `!` pattern takes a path back in. */
export function isIgnored(rules: Gitignore | undefined, path: string, isDirectory: boolean): boolean {
  for (let rule = rules; rule !== undefined; rule = rule.outer) {
    const inside = relative(rule.directory, path).split(sep).join('/');
    const result = rule.patterns.test(isDirectory ? `${inside}/` : inside);
    if (result.ignored) return true;
    if (result.unignored) return false;
  }
  return false;
}

/** Which paths the patterns of such a file match, relative to its folder and with `/`. `.helmignore` has nearly the same patterns. */
export function matcherOf(text: string): (path: string) => boolean {
  const patterns = ignore().add(text);
  return (path) => patterns.ignores(path);
}

/** From the root of the repository down; empty when `directory` is that root, or is in no repository. */
function parentsInRepository(directory: string): string[] {
  const parents: string[] = [];
  for (let at = directory; !existsSync(join(at, '.git')); at = dirname(at)) {
    if (dirname(at) === at) return [];
    parents.unshift(dirname(at));
  }
  return parents;
}
