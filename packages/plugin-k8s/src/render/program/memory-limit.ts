import { readFileSync } from 'node:fs';

/** Between two looks a program can take no more than some hundred megabytes. */
const INTERVAL_MS = 100;

/**
 * Calls once when a process holds more memory than it may. Linux tells how much that is; elsewhere nothing is watched, and only time is a limit.
 * @returns ends it
 */
export function watchMemory(pid: number | undefined, maxBytes: number, onMore: () => void): () => void {
  if (pid === undefined || process.platform !== 'linux') return () => undefined;
  const timer = setInterval(() => {
    if (residentBytes(pid) <= maxBytes) return;
    clearInterval(timer);
    onMore();
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

/** 0 for a process that has ended. */
function residentBytes(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
