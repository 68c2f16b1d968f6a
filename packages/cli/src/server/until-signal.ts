import type { EventEmitter } from 'node:events';

/**
 * Waits for SIGTERM or SIGINT, then closes in order. A SIGINT after that (a person who will not wait) ends the process at once; a SIGTERM does
 * not, because a service manager that signals a whole group reaches a process twice: directly, and through its launcher.
 * @returns when everything is closed
 */
export async function untilSignal(
  close: () => Promise<void>,
  process: Pick<EventEmitter, 'on' | 'off'> & { exit(code: number): void } = globalThis.process,
): Promise<void> {
  let signals = 0;
  let first = () => {};
  const signalled = new Promise<void>((resolve) => {
    first = resolve;
  });
  const onSignal = (name: string, number: number) => {
    signals++;
    if (signals === 1) first();
    else if (name === 'SIGINT') process.exit(128 + number);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  await signalled;
  await close();
  for (const name of SIGNALS) process.off(name, onSignal);
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
