import { type Dirent, lstatSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Boundary } from './boundary.js';
import { enterDirectory, type Gitignore, gitignoreAbove, isIgnored } from './gitignore.js';
import type { Obstacle } from './obstacle.js';

/** A folder that is being looked through. */
export interface Folder {
  /** The path by which it was reached, absolute; it may lead through links. */
  path: string;
  /** The same place with all links resolved. */
  real: string;
  /** What Git ignores in it. */
  gitignore: Gitignore | undefined;
  /** Whether Git ignores the folder itself, and it is looked into because Git tracks files in it. */
  ignored: boolean;
}

/** An entry of a folder, and what it is once links are followed. */
export type Entry = EntryPlace &
  (
    | { type: 'file'; real: string; linked: boolean; size: number }
    | { type: 'folder'; real: string; linked: boolean }
    | { type: 'ignored'; folder: boolean }
    /** With the files in it that Git tracks. */
    | { type: 'skipped'; tracked: readonly string[] }
    | { type: 'obstacle'; obstacle: Obstacle }
  );

export interface EntryPlace {
  name: string;
  /** The path by which it was reached, absolute. */
  path: string;
  /** Its own place: the links on the way to it are resolved, but not the entry itself if it is one. */
  place: string;
}

/** A folder that was named, or that a link leads to: what Git ignores counts from the root of its repository on, unless that is the folder itself. */
export async function openFolder(path: string, real: string): Promise<Folder> {
  return { path, real, gitignore: await enterDirectory(real, await gitignoreAbove(real)), ignored: false };
}

/** A folder in a folder. */
export async function openChild(parent: Folder, child: { path: string; real: string }): Promise<Folder> {
  const ignored = parent.ignored || isIgnored(parent.gitignore, child.real, true);
  return { path: child.path, real: child.real, gitignore: await enterDirectory(child.real, parent.gitignore), ignored };
}

/** The folders that are never looked into. */
export function isSkipped(path: string): boolean {
  return ['.git', 'node_modules'].includes(basename(path));
}

/**
 * The entries of a folder in the order of the bytes of their names. Links are followed as far as the boundary allows.
 * @throws the error of the file system if the folder cannot be read
 */
export async function listFolder(folder: Folder, boundary: Boundary): Promise<Entry[]> {
  const found = inByteOrder(await readdir(folder.real, { withFileTypes: true }), ({ name }) => name);
  const entries: Entry[] = [];
  for (const entry of found) {
    const known = classify(folder, entry, boundary);
    entries.push(known instanceof Promise ? await known : known);
  }
  return entries;
}

/** Sorts by the bytes of a text, which is the same on every system. */
export function inByteOrder<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, bytes: Buffer.from(textOf(item)) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ item }) => item);
}

/** Most entries are known at once: no promise is made for them. */
function classify(folder: Folder, entry: Dirent, boundary: Boundary): Entry | Promise<Entry> {
  const { name } = entry;
  const at = { name, path: join(folder.path, name), place: join(folder.real, name) };
  const skipped = entry.isDirectory() && isSkipped(name);
  if (skipped || entry.isSymbolicLink() || folder.ignored || isIgnored(folder.gitignore, at.place, entry.isDirectory()))
    return classifyOther(folder, entry, at, boundary);
  return ownEntry(entry, at);
}

async function classifyOther(folder: Folder, entry: Dirent, at: EntryPlace, boundary: Boundary): Promise<Entry> {
  const { name } = entry;
  if (entry.isDirectory() && isSkipped(name)) {
    const tracked = name === '.git' ? undefined : await boundary.tracked();
    return { ...at, type: 'skipped', tracked: tracked?.below(at.place) ?? [] };
  }
  // To Git, a link to a folder is a file.
  if ((folder.ignored || isIgnored(folder.gitignore, at.place, entry.isDirectory())) && !(await isTracked(at.place, entry, boundary)))
    return { ...at, type: 'ignored', folder: entry.isDirectory() };
  return entry.isSymbolicLink() ? followLink(at, boundary) : ownEntry(entry, at);
}

/** An entry other than a link. A file that has just disappeared is reported when it is read. */
function ownEntry(entry: Dirent, at: EntryPlace): Entry {
  if (entry.isDirectory()) return { ...at, type: 'folder', real: at.place, linked: false };
  if (!entry.isFile()) return { ...at, type: 'obstacle', obstacle: { path: at.path, place: at.place, what: specialFile(entry) } };
  return { ...at, type: 'file', real: at.place, linked: false, size: sizeOf(at.place) };
}

function sizeOf(file: string): number {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** What was added to Git in spite of its patterns is a part of the repository. */
async function isTracked(place: string, entry: Dirent, boundary: Boundary): Promise<boolean> {
  const tracked = await boundary.tracked();
  return (entry.isDirectory() ? tracked?.folder(place) : tracked?.file(place)) ?? false;
}

async function followLink(at: EntryPlace, boundary: Boundary): Promise<Entry> {
  const obstacle = (what: Obstacle['what'], more: Pick<Obstacle, 'folder' | 'error'> = {}): Entry => ({
    ...at,
    type: 'obstacle',
    obstacle: { path: at.path, place: at.place, what, ...more },
  });
  try {
    const real = await realpath(at.place);
    const status = await stat(real);
    const folder = status.isDirectory();
    if (folder && (isSkipped(at.place) || isSkipped(real))) return { ...at, type: 'skipped', tracked: [] };
    if (!boundary.holds(real)) return obstacle('leads-out', { folder });
    if (folder) return { ...at, type: 'folder', real, linked: true };
    if (status.isFile()) return { ...at, type: 'file', real, linked: true, size: status.size };
    return obstacle(specialFile(status));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return obstacle('leads-nowhere');
    return code === 'ELOOP' ? obstacle('runs-in-a-circle') : obstacle('unreadable', { error });
  }
}

function specialFile(file: Pick<Dirent, 'isFIFO' | 'isSocket'>): Obstacle['what'] {
  return file.isFIFO() ? 'pipe' : file.isSocket() ? 'socket' : 'device';
}
