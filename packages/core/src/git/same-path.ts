import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameFile, isSameLink } from './object-hash.js';
import type { CommitTree } from './tree.js';

/** Whether a file or link of the working tree, or everything in a folder, is what it is in a commit. @param path absolute */
export async function isSamePath(path: string, tree: CommitTree): Promise<boolean> {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return false;
  return status.isDirectory() ? isSameFolder(path, tree) : isSameEntry(path, tree);
}

/** Whether a file or link is what it is in a commit. @param path absolute */
export async function isSameEntry(path: string, tree: CommitTree): Promise<boolean> {
  const entry = tree.entry(path);
  return entry !== undefined && (entry.type === 'link' ? isSameLink(path, entry) : isSameFile(path, entry));
}

/** Folders that no renderer reads. */
const IGNORED = new Set(['.git', 'node_modules']);

/** A link may lead out of the folder, to what is not compared here: it counts as a change. */
async function isSameFolder(folder: string, tree: CommitTree): Promise<boolean> {
  const left = new Set(tree.below(folder).keys());
  const rest = [folder];
  for (let at = rest.pop(); at !== undefined; at = rest.pop())
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (!IGNORED.has(entry.name)) rest.push(path);
      } else if (!left.delete(path) || !(entry.isFile() && (await isSameEntry(path, tree)))) return false;
    }
  return left.size === 0;
}
