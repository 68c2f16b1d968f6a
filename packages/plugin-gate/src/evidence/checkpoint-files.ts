import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Checkpoint, readCheckpoint } from './checkpoint.js';

/**
 * Writes a checkpoint into the folder, as `<size, 16 digits>.checkpoint`. When it resolves the file is on the disk, whole;
 * after a crash in it the file is there whole or not at all. One of the same size is replaced.
 * @param dir is made (mode 0700) when it does not exist
 * @returns the path of the file
 */
export async function writeCheckpoint(dir: string, note: string): Promise<string> {
  const path = join(dir, `${String(readCheckpoint(note).size).padStart(16, '0')}${SUFFIX}`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o644);
  try {
    await file.writeFile(note);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
  return path;
}

/**
 * The checkpoint of the largest size in the folder; undefined when there is none, or no such folder. Its signature is not
 * checked: a chain that is shorter than any checkpoint of it has lost records, whoever signed.
 * @throws {TypeError} when that file is not a checkpoint, or not of the size in its name
 */
export async function newestCheckpoint(dir: string): Promise<{ path: string; checkpoint: Checkpoint } | undefined> {
  const names = (await filesOf(dir)).filter((name) => NAME.test(name)).sort();
  const newest = names.at(-1);
  if (newest === undefined) return undefined;
  const path = join(dir, newest);
  const checkpoint = readCheckpoint(await readFile(path, 'utf8'));
  if (checkpoint.size !== Number.parseInt(newest, 10))
    throw new TypeError(`The size in the checkpoint ${newest} does not match its file name.`);
  return { path, checkpoint };
}

const SUFFIX = '.checkpoint';
const NAME = /^\d{16}\.checkpoint$/;

async function filesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** A new name is durable only when the folder is. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
