import { totalmem } from 'node:os';

/** The heap of a thread, in MiB: with less than the first, rules and a small request have no room; more than the second, no request needs. */
const [LEAST, MOST] = [128, 512];

/**
 * MiB that the objects of one thread may take, so that all threads together take at most half of the memory, if that is enough for them to work at
 * all. The rest is for bodies, answers and the thread that serves sockets.
 * @param memory bytes that the process may take
 */
export function threadHeapMb(threads: number, memory: number = availableBytes()): number {
  const share = memory / 2 / threads / 1024 / 1024;
  return Math.floor(Math.min(Math.max(share, LEAST), MOST));
}

/** The memory of the machine, or of the container if that has less. */
function availableBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
