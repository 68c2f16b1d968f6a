import type { AnyInput } from '../../evaluate/index.js';
import { plural } from '../../plural.js';
import type { Output } from '../../report/index.js';

/** What is smaller than this is evaluated before a bar could be read. */
const BYTES_WORTH_A_BAR = 4_000_000;

/** The same for files of unknown size, such as those of a folder. */
const FILES_WORTH_A_BAR = 200;

export interface Progress {
  /** The inputs, which move the bar as they are read. */
  inputs: readonly AnyInput[];
  onProgress?: (documents: number) => void;
  /** An output that removes the bar before it writes to the same terminal. */
  around(out: Output): Output;
  stop(): void;
}

/**
 * A bar on stderr for long work on a terminal, none otherwise. It counts bytes of a few large inputs, and files of many small ones.
 * @param passes how often each input is read
 */
export async function showProgress(
  inputs: readonly AnyInput[],
  passes: number,
  { stderr, stdout }: { stderr: NodeJS.WritableStream & { isTTY?: boolean }; stdout: { isTTY?: boolean } } = process,
): Promise<Progress> {
  const bytes = inputs.reduce((sum, input) => sum + ('size' in input ? (input.size ?? 0) : 0), 0);
  const byFiles = inputs.length >= FILES_WORTH_A_BAR;
  if (!stderr.isTTY || (bytes < BYTES_WORTH_A_BAR && !byFiles)) return { inputs, around: (out) => out, stop: () => undefined };
  const { SingleBar, Presets } = await import('cli-progress');
  const total = (byFiles ? inputs.length : bytes) * passes;
  const bar = new SingleBar(
    {
      stream: stderr,
      clearOnComplete: true,
      hideCursor: false,
      linewrap: true,
      gracefulExit: false,
      format: `{bar} {percentage}% · ${byFiles ? `{value} of {total} ${total === 1 ? 'file' : 'files'}` : '{documents}'}`,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { documents: plural(0, 'document') });
  const counted = byFiles ? countedWhole : countedByBytes;
  return {
    inputs: inputs.map((input) =>
      'open' in input ? { ...input, open: (options) => counted(input.open(options), (count) => bar.increment(count)) } : input,
    ),
    onProgress: (documents) => bar.update({ documents: plural(documents, 'document') }),
    around: (out) => ({
      write: (chunk) => {
        if (stdout.isTTY) bar.stop();
        return out.write(chunk);
      },
    }),
    stop: () => bar.stop(),
  };
}

async function* countedByBytes(chunks: AsyncIterable<Uint8Array>, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** Counts when the source has been read, or given up. */
async function* countedWhole(chunks: AsyncIterable<Uint8Array>, onFile: (count: number) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    onFile(1);
  }
}
