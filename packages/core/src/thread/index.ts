/** Worker threads: one of them, a pool of them with fair shares and limits, and what a program of theirs calls. */
export { PoolBusyError } from './fair-queue.js';
export { serveThread } from './serve-thread.js';
export { ProgramError, startThread, type Thread } from './thread.js';
export { ThreadMemoryError, threadHeapMb } from './thread-memory.js';
export { type AskOptions, SMALL, type SmallMessages, ThreadPool, type ThreadPoolOptions, ThreadTimeoutError } from './thread-pool.js';
export { giveWay } from './thread-priority.js';
