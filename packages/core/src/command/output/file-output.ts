import { rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BylawError } from '../../errors.js';
import type { Output } from '../../report/index.js';

/**
 * Writes a file as a whole: when this returns it holds all that `write` wrote; when `write` fails, or the process is interrupted, the
 * file is as it was before, and no part of the new one stays.
 * @throws {BylawError} `output-unwritable`; whatever `write` throws
 */
export async function writeFileWhole(file: string, write: (out: Output) => Promise<void>): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  const interrupted = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    await writeDraft(draft, file, write);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupted);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function writeDraft(draft: string, file: string, write: (out: Output) => Promise<void>): Promise<void> {
  const handle = await open(draft, 'wx', 0o666).catch((cause) => {
    throw unwritable(file, cause);
  });
  try {
    await write({
      write: async (chunk) => {
        await handle.writeFile(chunk).catch((cause) => {
          throw unwritable(file, cause);
        });
      },
    });
  } finally {
    await handle.close();
  }
  await rename(draft, file).catch((cause) => {
    throw unwritable(file, cause);
  });
}

function unwritable(file: string, cause: NodeJS.ErrnoException): BylawError {
  const why = REASONS[cause.code ?? ''] ?? `the system says ${cause.code}`;
  return new BylawError('output-unwritable', `${file} cannot be written: ${why}.`, { cause });
}

const REASONS: { [code: string]: string } = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'the permission is missing',
  EPERM: 'the permission is missing',
  EROFS: 'its file system cannot be written',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left',
};
