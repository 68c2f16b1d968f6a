import type { InputError } from '../../errors.js';
import { ReadError } from '../text/read-error.js';
import { DocumentCutter } from '../yaml/document-cutter.js';
import { placedAtStart } from '../yaml/places.js';
import { isInputError, type SourceDocument } from '../yaml/source-document.js';
import { formatOfFile } from './formats.js';
import { type Input, type OpenOptions, unreadable } from './input.js';

/**
 * The documents of an input in the order of the text, as they are read: at most one document and one chunk are in memory.
 *
 * YAML is cut as kubectl cuts it, at lines that start with `---` (a blank or the end of the line must follow), and at `...`. JSON values
 * that follow one another are one document each. Documents of nothing but comments are left out. A document that is not text, not UTF-8, or larger
 * than 16 MiB is an error, and reading goes on at the next separator. Never throws for the content or for an unreadable source.
 * Documents and errors of a rendered text say so. A file whose name tells that it is of another format is not opened: it is one empty document, about which
 * `readDocument` says so.
 */
export async function* splitDocuments(input: Input, options?: OpenOptions): AsyncGenerator<SourceDocument | InputError> {
  if (input.rendered === undefined && formatOfFile(input.file) !== undefined)
    return yield { file: input.file, index: 0, text: '', line: 1 };
  const cutter = new DocumentCutter(input.file);
  const chunks = input.open(options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await nextChunk(chunks, input);
      if ('error' in step) return yield step.error;
      const parts = step.chunk === undefined ? cutter.end() : cutter.push(step.chunk);
      yield* input.rendered === undefined && input.use === undefined ? parts : parts.map((part) => described(part, input));
      if (step.chunk === undefined || cutter.finished) return;
    }
  } finally {
    await chunks.return?.();
  }
}

/** What the input says of its text, a document of it says, too. */
function described(part: SourceDocument | InputError, { rendered, use }: Input): SourceDocument | InputError {
  if (isInputError(part)) return rendered === undefined ? part : placedAtStart(part, rendered);
  return { ...part, ...(rendered !== undefined && { rendered }), ...(use !== undefined && { use }) };
}

type Step = { chunk: Uint8Array | undefined } | { error: InputError };

/** Only the source's own failures become errors of the input; a defect of ours must stay one. */
async function nextChunk(chunks: AsyncIterator<Uint8Array>, { file, explicit }: Input): Promise<Step> {
  try {
    const { value, done } = await chunks.next();
    return { chunk: done === true ? undefined : value };
  } catch (error) {
    if (error instanceof ReadError) return { error: { code: error.code, message: error.message, location: { file, line: 1, column: 1 } } };
    return { error: unreadable(file, error, { found: !explicit }) };
  }
}
