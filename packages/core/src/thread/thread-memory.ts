import { totalmem } from 'node:os';
import type { ResourceLimits, Worker } from 'node:worker_threads';

/** Thrown for work that needs more memory than one thread has. Its thread is replaced. */
export class ThreadMemoryError extends Error {
  override readonly name = 'ThreadMemoryError';
}

/** MiB that no request needs. */
const MOST = 768;

/** A body of JSON takes up to 22 times its size when it is parsed, which cannot be interrupted: `{},` becomes an object of 56 bytes and its place. */
const TIMES_BODY = 36;

/**
 * MiB that the objects of one thread may take, so that all threads together take at most half of the memory, if that is enough for a body of the
 * largest size. The rest is for bodies, answers and the thread that serves sockets.
 * @param maxBodyBytes of a request
 * @param memory bytes that the process may take
 */
export function threadHeapMb(threads: number, maxBodyBytes: number, memory: number = availableBytes()): number {
  const share = memory / 2 / threads / MIB;
  return Math.floor(Math.max(Math.min(share, MOST), (TIMES_BODY * maxBodyBytes) / MIB));
}

const MIB = 1024 * 1024;

/** The memory of the machine, or of the container if that has less. */
function availableBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The engine ends the whole process, not only the thread, when one large block does not fit below its limit. So that limit is a margin higher. */
const MARGIN_MB = 256;

/** MiB for objects that were just made. More saves the collector little, and the engine takes it three times, for each thread. */
const YOUNG_MB = 24;

/** What a thread is started with. `watchHeap` ends one with a limit at the limit itself. */
export function resourceLimits(heapMb: number | undefined): ResourceLimits {
  return { maxYoungGenerationSizeMb: YOUNG_MB, ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb + MARGIN_MB }) };
}

const WATCH_MS = 50;

/**
 * Watches the memory of a thread while it works, from the thread that calls.
 * @param onExceeded called, perhaps more than once, when the objects of the thread take more than the limit
 * @returns ends the watch
 */
export function watchHeap(worker: Worker, heapMb: number, onExceeded: () => void): () => void {
  const look = async () => {
    // It rejects when the thread has ended, which its own events tell.
    const heap = await worker.getHeapStatistics().catch(() => undefined);
    if (heap && heap.used_heap_size > heapMb * MIB) onExceeded();
  };
  const timer = setInterval(() => void look(), WATCH_MS).unref();
  return () => clearInterval(timer);
}

/** Whether a thread was at the limit of the engine, or made a text, a list or a buffer that is longer than the engine can hold. */
export function isOutOfMemory({ code, name, message }: { code?: unknown; name: string; message: string }): boolean {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return true;
  return name === 'RangeError' && /^(Invalid (string|array|typed array) length|Array buffer allocation failed)/.test(message);
}
