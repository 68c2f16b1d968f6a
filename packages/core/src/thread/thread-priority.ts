import { setPriority } from 'node:os';

/** Of `nice`: such a thread gets a tenth of the time of one that is as it was, where both want more than there is. */
const LOWER = 10;

/**
 * Lets the calling thread give way to those that must answer at once: the one that serves sockets, and those of the admission webhook. Large
 * requests keep every processor busy for seconds. On Linux a priority belongs to a thread; elsewhere to the process, and is left as it is.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOWER);
  } catch {
    // Some sandboxes do not let a process say so. It then works as before.
  }
}
