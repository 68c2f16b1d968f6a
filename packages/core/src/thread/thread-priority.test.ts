import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it.skipIf(process.platform !== 'linux')('a thread that gives way leaves the others as they were', async () => {
  const before = getPriority();
  const module = JSON.stringify(new URL('../../dist/thread/thread-priority.js', import.meta.url).href);
  const code = `import(${module}).then(({ giveWay }) => {
    giveWay();
    const { readFileSync } = require('node:fs');
    require('node:worker_threads').parentPort.postMessage(readFileSync('/proc/thread-self/stat', 'utf8'));
  });`;
  const worker = new Worker(code, { eval: true });
  const stat = await new Promise<string>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await worker.terminate();
  expect(niceOf(stat)).toBe(10);
  expect(niceOf(readFileSync('/proc/thread-self/stat', 'utf8'))).toBe(before);
});

/** The nineteenth field; the second, a name in brackets, may hold spaces. Source: proc_pid_stat(5). */
function niceOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
