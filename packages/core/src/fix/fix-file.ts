import { isUtf8 } from 'node:buffer';
import type { Finding } from '../evaluate/index.js';
import { isInputError, type SourceDocument, splitDocuments, textInput } from '../resource/index.js';
import { lineStarts } from '../resource/lines.js';
import { fixDocument } from './fix-document.js';
import type { Fixer, Unfixed } from './fix-resource.js';
import { type Splice, spliced } from './splice.js';

export interface FileFix {
  /** Absent where nothing changes. */
  text?: { before: string; after: string };
  fixed: readonly Finding[];
  unfixed: readonly Unfixed[];
}

/** Mends what can be mended in the documents of a file. Whatever stands between them, and a byte order mark, stays as it is. */
export async function fixFile(name: string, bytes: Uint8Array, explicit: boolean, fixer: Fixer): Promise<FileFix> {
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const starts = lineStarts(before);
  const splices: Splice[] = [];
  const result = { fixed: [] as Finding[], unfixed: [] as Unfixed[] };
  for await (const part of splitDocuments(textInput(name, bytes, { explicit }))) {
    if (isInputError(part)) continue;
    const start = offsetOf(part, before, starts);
    const { text, fixed, unfixed } = fixDocument(part, { explicit, whyNot: whyNot(part, bytes, before, start) }, fixer);
    result.fixed.push(...fixed);
    result.unfixed.push(...unfixed);
    if (text !== part.text) splices.push({ start, end: start + part.text.length, text });
  }
  return splices.length === 0 ? result : { ...result, text: { before, after: spliced(before, splices) } };
}

function offsetOf({ line, column = 1 }: SourceDocument, text: string, starts: readonly number[]): number {
  const start = (starts[line - 1] ?? 0) + column - 1;
  return start === 0 && text.startsWith('\ufeff') ? 1 : start;
}

/** What was decoded and is written again must be the same bytes, also in the parts that are not changed. */
function whyNot(document: SourceDocument, bytes: Uint8Array, text: string, start: number): string | undefined {
  if (!isUtf8(bytes)) return 'a part of its file is not UTF-8';
  return text.startsWith(document.text, start) ? undefined : 'a byte order mark stands in the middle of its file';
}
