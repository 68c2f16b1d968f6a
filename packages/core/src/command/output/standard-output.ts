import type { Output } from '../../report/index.js';

/** Standard output. A write waits while its reader is slow, and is dropped once nobody reads. */
export function standardOutput(): Output {
  shared ??= outputTo(process.stdout);
  return shared;
}

/** One for the process: each would listen to the same stream. */
let shared: Output | undefined;

/** The same for any stream. It keeps two listeners, however much is written. */
export function outputTo(stream: NodeJS.WritableStream): Output {
  let open = true;
  let goOn = () => {};
  stream.on('error', () => {
    open = false;
    goOn();
  });
  stream.on('drain', () => goOn());
  return {
    write: (chunk) => {
      if (!open || stream.write(chunk)) return undefined;
      return new Promise<void>((resolve) => {
        goOn = resolve;
      });
    },
  };
}
