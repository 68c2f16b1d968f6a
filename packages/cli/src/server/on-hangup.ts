import type { EventEmitter } from 'node:events';

/**
 * Runs a task at every SIGHUP, one run after the other.
 * @returns the function that ends it
 */
export function onHangup(task: () => Promise<void>, process: Pick<EventEmitter, 'on' | 'off'> = globalThis.process): () => void {
  let last = Promise.resolve();
  const onSignal = () => {
    last = last.then(task);
  };
  process.on('SIGHUP', onSignal);
  return () => void process.off('SIGHUP', onSignal);
}
