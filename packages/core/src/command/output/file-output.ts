import { rmSync, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Output } from '../../report/index.js';
import { outputPlace, unwritable } from './output-place.js';

/**
 * Writes a file as a whole: when this returns it holds all that `write` wrote; when `write` fails, or the process is interrupted, the
 * file is as it was before, and no part of the new one stays. A link stays a link: what it leads to is written, unless `outputPlace` refuses it. A
 * device or a pipe, such as `/dev/null`, stays what it is and takes what comes.
 * @param like what the file is to keep of the one whose place it takes; the owner only root can keep
 * @throws {BylawError} `output-unwritable`; whatever `write` throws
 */
export async function writeFileWhole(
  file: string,
  write: (out: Output) => Promise<void>,
  like?: Pick<Stats, 'mode' | 'uid' | 'gid'>,
): Promise<void> {
  const place = await outputPlace(file);
  const status = await stat(place).catch(() => undefined);
  if (status && !status.isFile() && !status.isDirectory()) return writeStream(place, file, write);
  const draft = join(dirname(place), `.${basename(place)}.${process.pid}.tmp`);
  const interrupted = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    await writeDraft(draft, place, file, write, like);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupted);
  }
}

/** A draft that is renamed would take the place of the device. */
async function writeStream(place: string, displayPath: string, write: (out: Output) => Promise<void>): Promise<void> {
  const handle = await open(place, 'w').catch((cause) => {
    throw unwritable(displayPath, cause);
  });
  try {
    await write(outputOf(handle, displayPath));
  } finally {
    await handle.close();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function writeDraft(...[draft, place, shown, write, like]: [string, string, ...Parameters<typeof writeFileWhole>]): Promise<void> {
  const handle = await open(draft, 'wx', 0o666).catch((cause) => {
    throw unwritable(shown, cause);
  });
  try {
    if (like) await handle.chmod(like.mode & 0o7777);
    if (like && process.getuid?.() === 0) await handle.chown(like.uid, like.gid);
    await write(outputOf(handle, shown));
  } finally {
    await handle.close();
  }
  await rename(draft, place).catch((cause) => {
    throw unwritable(shown, cause);
  });
}

function outputOf(handle: FileHandle, displayPath: string): Output {
  return {
    write: async (chunk) => {
      await handle.writeFile(chunk).catch((cause) => {
        throw unwritable(displayPath, cause);
      });
    },
  };
}
