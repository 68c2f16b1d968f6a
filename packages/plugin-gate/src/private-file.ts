import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a new file of mode 0600, and makes it durable. The file has the whole content, or does not exist. A folder that is
 * missing is created with mode 0700.
 * @throws what the system reports; `EEXIST` if there is such a file
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link never takes the place of a file that is there.
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(folder);
}

/** Makes durable which files a folder has. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
