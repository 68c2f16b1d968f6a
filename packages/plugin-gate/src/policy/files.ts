import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { plural } from '@bylaw/core/plural';
import { canonical, sha256Hex } from '../json/index.js';
import { type BundleError, policyError } from './bundle.js';
import { LIMITS, readTar, TarError } from './tar.js';

/** The files of a bundle by their path in it: relative, with `/`, in Unicode's form NFC. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

/** Why a bundle cannot be read at all. */
export class BundleFilesError extends Error {
  override readonly name = 'BundleFilesError';
  constructor(readonly error: BundleError) {
    super(error.message);
  }
}

/**
 * Reads a bundle from a folder or a tar archive. Names that start with a dot are passed over. Nothing outside of the folder
 * can come in: links are refused, in archives also paths that lead out.
 * @throws {BundleFilesError}
 */
export async function readBundleFiles(path: string): Promise<BundleFiles> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new BundleFilesError({ code: 'AG-POL-002', message: `There is no policy bundle at ${path}: ${reasonOf(cause)}.` });
  });
  return info.isDirectory() ? readFolder(path) : readArchive(path);
}

/** Where a file of a bundle is for its reader. */
export function shownPath(bundle: string, path: string): string {
  return bundle.endsWith('.tar') ? `${bundle}:${path}` : join(bundle, path);
}

async function readFolder(root: string): Promise<BundleFiles> {
  const files = newFiles(root);
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((cause: unknown) => {
      throw refused(root, folder, `cannot be read: ${reasonOf(cause)}`);
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.add(path, await readWhole(root, path));
      else
        throw refused(
          root,
          path,
          entry.isSymbolicLink() ? 'is a symbolic link; a bundle may contain only regular files' : 'is not a regular file',
        );
    }
  }
  return files.all;
}

async function readArchive(path: string): Promise<BundleFiles> {
  const files = newFiles(path);
  const archive = await readWhole(path, '', LIMITS.totalBytes + LIMITS.files * 1536);
  try {
    for (const { path: given, content } of readTar(archive)) {
      const inside = given.replace(/^(\.\/)+/, '');
      const steps = inside.split('/');
      if (
        inside === '' ||
        inside.includes('\\') ||
        inside.includes('\0') ||
        steps.some((step) => step === '' || step === '..' || step === '.')
      )
        throw new TarError('The archive contains a path that is absolute, leads out of the archive, or is not normalized.');
      if (!steps.some((step) => step.startsWith('.'))) files.add(inside, content);
    }
  } catch (error) {
    if (error instanceof TarError) throw new BundleFilesError(policyError(error.message, { file: path, line: 1, column: 1 }));
    throw error;
  }
  return files.all;
}

function newFiles(root: string): { all: BundleFiles; add(path: string, content: Uint8Array): void } {
  const all = new Map<string, Uint8Array>();
  let total = 0;
  return {
    all,
    add: (given, content) => {
      const path = given.normalize('NFC');
      total += content.length;
      if (all.has(path)) throw refused(root, path, 'appears twice');
      if (Buffer.byteLength(path) > LIMITS.pathBytes)
        throw refused(root, path.slice(0, 40), `has a path that is longer than ${LIMITS.pathBytes} bytes`);
      if (content.length > LIMITS.fileBytes) throw refused(root, path, `is larger than ${LIMITS.fileBytes} bytes`);
      if (total > LIMITS.totalBytes)
        throw refused(root, path, `exceeds the limit: a bundle may contain ${LIMITS.totalBytes} bytes in total`);
      if (all.size >= LIMITS.files) throw refused(root, path, `exceeds the limit: a bundle may contain ${LIMITS.files} files`);
      all.set(path, content);
    },
  };
}

/** The file itself, even where its name was given to something else since the folder was listed. */
async function readWhole(root: string, path: string, limit: number = LIMITS.fileBytes): Promise<Uint8Array> {
  // The root may be a link: the operator named it. Opening a pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (path === '' ? 0 : constants.O_NOFOLLOW);
  let file: FileHandle | undefined;
  try {
    file = await open(join(root, path), flags);
    const info = await file.stat();
    if (!info.isFile()) throw refused(root, path, 'is not a regular file');
    if (info.size > limit) throw refused(root, path, `is larger than ${plural(limit, 'byte')}`);
    return await file.readFile();
  } catch (error) {
    if (error instanceof BundleFilesError) throw error;
    throw refused(root, path, `cannot be read: ${reasonOf(error)}`);
  } finally {
    await file?.close();
  }
}

function refused(root: string, path: string, why: string): BundleFilesError {
  const file = path === '' ? root : shownPath(root, path);
  return new BundleFilesError(policyError(`The file ${why}.`, { file, line: 1, column: 1 }));
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return (
    { ENOENT: 'it does not exist', EACCES: 'permission denied', EPERM: 'permission denied', ELOOP: 'it is a symbolic link' }[code] ?? code
  );
}

/** `sha256:` over the canonical text of the digests of all files by path: same files, same digest, in a folder or an archive. */
export function bundleDigest(files: BundleFiles): string {
  const digests = Object.fromEntries([...files].map(([path, content]) => [path, sha256Hex(content)]));
  return `sha256:${sha256Hex(canonical({ files: digests }))}`;
}
