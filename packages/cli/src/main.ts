import { fileURLToPath } from 'node:url';
import { reportError } from './error-text.js';
import { withSiblings } from './plugins/siblings.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entry of the command line. Ends with the process's exit code set; nothing is thrown. */
export async function main(argv: string[] = process.argv.slice(2)): Promise<void> {
  const readerGone = dropOutputNobodyReads();
  try {
    const { flush, run } = await import('@oclif/core');
    await run(argv, { root, pjson: withSiblings(root) });
    // A closed pipe never drains: waiting for it alone would never end.
    await Promise.race([flush(), readerGone]);
  } catch (error) {
    process.exitCode = reportError(error, { json: argv.includes('--json'), debug: Boolean(process.env.DEBUG) });
  }
}

/**
 * `bylaw rules | head` closes the pipe early. The run goes on without output, so that its exit code is still the right one.
 * @returns settled once nobody reads any more
 */
function dropOutputNobodyReads(): Promise<void> {
  return new Promise((resolve) => {
    for (const stream of [process.stdout, process.stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        resolve();
      });
  });
}
