import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { every, type Schedule } from './schedule.js';

/**
 * How often the file is looked at, in seconds. A change takes effect at the second look that finds it the same, so within three
 * looks: well below the second that a withdrawal may take.
 */
const LOOK_SECONDS = 0.25;

/**
 * Looks at a file again and again, and tells when it has changed and then stayed the same for one look: a file that is being
 * written, or is replaced in two steps, is not read in between. The file is opened for each look, through all links, because network
 * file systems have no events, and links such as those of a Kubernetes ConfigMap change without the file.
 * @param changed called once at the start, and then at each change. False: call again at the next look
 */
export function watchFile(path: string, changed: () => Promise<boolean>, failed: (error: unknown) => void): Schedule {
  let seen: string | undefined;
  let handled: string | undefined;
  return every(
    LOOK_SECONDS,
    async () => {
      const now = await stateOf(path);
      const settled = now === seen;
      seen = now;
      // The state is from before the file is read: what is read may be newer, and is then read once more.
      if (settled && now !== handled && (await changed())) handled = now;
    },
    failed,
  );
}

/** Which file it is, and when it was last changed. A network file system asks its server about a file that is opened. */
async function stateOf(path: string): Promise<string> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
      return [dev, ino, size, mtimeNs, ctimeNs].join();
    } finally {
      await handle.close();
    }
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
  }
}
