import { fileURLToPath } from 'node:url';
import { BylawError } from '@bylaw/core/errors';
import { reportError } from './error-text.js';
import { withSiblings } from './plugins/siblings.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entry of the command line. Ends with the process's exit code set; nothing is thrown. */
export async function main(argv: string[] = process.argv.slice(2)): Promise<void> {
  const options = { json: ownWords(argv).includes('--json'), debug: Boolean(process.env.DEBUG) };
  try {
    const { flush, run } = await import('@oclif/core');
    const output = watchOutput();
    await run(argv, { root, pjson: withSiblings(root) });
    // A closed pipe never drains: waiting for it alone would never end.
    await Promise.race([flush(), output.gone]);
    output.check();
  } catch (error) {
    process.exitCode = reportError(error, options);
  }
}

/** What follows `--` belongs to somebody else: to the command of `bylaw run`. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/**
 * `bylaw rules | head` closes the pipe early. The run goes on without output, so that its exit code is still the right one. Where the output is
 * lost for another reason, such as a full disk, nobody may take the exit code for that of the result: `check` throws.
 * @returns `gone` settles once nothing can be written any more
 */
function watchOutput(): { gone: Promise<void>; check: () => void } {
  // That of oclif ends the process with a stack trace.
  process.stdout.removeAllListeners('error');
  let failure: NodeJS.ErrnoException | undefined;
  const gone = new Promise<void>((resolve) => {
    for (const stream of [process.stdout, process.stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && stream === process.stdout) failure ??= error;
        resolve();
      });
  });
  const check = () => {
    if (failure === undefined) return;
    const why = failure.code === 'ENOSPC' ? 'there is no space left' : `the system reports ${failure.code}`;
    throw new BylawError('output-unwritable', `Cannot write to standard output: ${why}.`, { cause: failure });
  };
  return { gone, check };
}
