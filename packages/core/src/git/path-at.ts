import { dirname, join, relative, resolve, sep } from 'node:path';
import type { CommitTree, TreeEntry } from './tree.js';

/** As many links as Linux follows on one path. */
const MOST_LINKS = 40;

/** Whether a path is the top folder of a commit or below it. @param path absolute */
export function isInTree({ root }: Pick<CommitTree, 'root'>, path: string): boolean {
  return path === root || path.startsWith(join(root, sep));
}

/**
 * The path with the links of the commit followed, whatever the working tree has there. Undefined if it leads out of the commit, or in a circle.
 * @param path absolute, below the top folder of the commit; it need not exist
 */
export async function pathAt(tree: CommitTree, path: string): Promise<string | undefined> {
  let at = path;
  for (let followed = 0; followed <= MOST_LINKS; followed++) {
    if (!isInTree(tree, at)) return undefined;
    const link = firstLink(tree, at);
    if (!link) return at;
    const target = (await contentAt(tree, link.entry)).toString('utf8');
    at = resolve(dirname(link.path), target, relative(link.path, at));
  }
  return undefined;
}

/** The content of a file of the commit, links followed. Undefined if there is no file. @param path absolute, below the top folder of the commit */
export async function readAt(tree: CommitTree, path: string): Promise<Buffer | undefined> {
  const real = await pathAt(tree, path);
  const entry = real === undefined ? undefined : tree.entry(real);
  return entry && contentAt(tree, entry);
}

function firstLink(tree: CommitTree, path: string): { path: string; entry: TreeEntry } | undefined {
  let at = tree.root;
  for (const part of relative(tree.root, path).split(sep)) {
    at = join(at, part);
    const entry = tree.entry(at);
    if (entry?.type === 'link') return { path: at, entry };
  }
  return undefined;
}

async function contentAt(tree: CommitTree, entry: TreeEntry): Promise<Buffer> {
  for await (const content of tree.contents([entry])) return content;
  return Buffer.alloc(0);
}
