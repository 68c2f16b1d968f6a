import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { TreeEntry } from './tree.js';

/** Whether a file on the disk has the content of an entry, byte for byte. False if it cannot be read. */
export async function isSameFile(path: string, { type, object, size }: TreeEntry): Promise<boolean> {
  if (type !== 'file') return false;
  try {
    if ((await stat(path)).size !== size) return false;
    const hash = hashOf(object, size);
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex') === object;
  } catch {
    return false;
  }
}

/** Whether a symbolic link on the disk leads where an entry does. */
export async function isSameLink(path: string, { type, object, size }: TreeEntry): Promise<boolean> {
  if (type !== 'link') return false;
  const target = await readlink(path, { encoding: 'buffer' }).catch(() => undefined);
  return target !== undefined && hashOf(object, size).update(target).digest('hex') === object;
}

/** Git hashes the type and the length before the content; SHA-256 where a repository uses it. Source: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
function hashOf(object: string, size: number) {
  return createHash(object.length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`);
}
