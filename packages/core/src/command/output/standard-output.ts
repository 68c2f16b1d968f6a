import type { Output } from '../../report/index.js';

/** Standard output. A write waits while its reader is slow, and is dropped once nobody reads. */
export function standardOutput(): Output {
  const { stdout } = process;
  let open = true;
  stdout.once('error', () => {
    open = false;
  });
  return {
    write: (chunk) => {
      if (!open || stdout.write(chunk)) return undefined;
      return new Promise<void>((resolve) => {
        stdout.once('drain', resolve);
        stdout.once('error', () => resolve());
      });
    },
  };
}
