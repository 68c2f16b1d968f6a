import { isUtf8 } from 'node:buffer';
import type { Finding } from '../evaluate/index.js';
import { type Input, isInputError, type SourceDocument, splitDocuments, textInput } from '../resource/index.js';
import { lineStarts } from '../resource/text/lines.js';
import { type DocumentFix, fixDocument } from './fix-document.js';
import type { Fixer, Unfixed } from './fix-resource.js';
import { maskSecrets } from './mask-secrets.js';
import { type Splice, spliced } from './text/splice.js';

export interface FileFix {
  /** Absent where nothing changes. */
  text?: FileText;
  fixed: readonly Finding[];
  unfixed: readonly Unfixed[];
}

export interface FileText {
  before: string;
  after: string;
  /** The same texts without the values of Secrets; absent where there are none. */
  masked?: { before: string; after: string };
}

/** Fixes what can be fixed in the documents of a file. Everything between them, and a byte order mark, stays unchanged. */
export async function fixFile(
  { file, explicit, use }: Pick<Input, 'file' | 'explicit' | 'use'>,
  bytes: Uint8Array,
  fixer: Fixer,
): Promise<FileFix> {
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const starts = lineStarts(before);
  const documents: PlacedFix[] = [];
  for await (const part of splitDocuments(textInput(file, bytes, { explicit, ...(use && { use }) }))) {
    if (isInputError(part)) continue;
    const start = offsetInFile(part, before, starts);
    const fix = fixDocument(part, { explicit, whyNot: whyNot(bytes, start) }, fixer);
    documents.push({ ...fix, start, before: part.text });
  }
  return {
    ...(documents.some((document) => document.text !== document.before) && { text: fileText(before, documents) }),
    fixed: documents.flatMap(({ fixed }) => fixed),
    unfixed: documents.flatMap(({ unfixed }) => unfixed),
  };
}

interface PlacedFix extends DocumentFix {
  /** Where the document starts in the file; undefined where the file does not hold exactly this text. */
  start: number | undefined;
  before: string;
}

function fileText(before: string, documents: readonly PlacedFix[]): FileText {
  const put = (newText: (document: PlacedFix) => string) =>
    spliced(
      before,
      documents.flatMap((document) => replaced(document, newText(document))),
    );
  const after = put(({ text }) => text);
  const secret = documents.filter(({ secrets }) => secrets.length > 0);
  if (secret.length === 0) return { before, after };
  const masked = (newText: (document: PlacedFix) => string) =>
    secret.every(({ start }) => start !== undefined) ? put((document) => maskSecrets(newText(document), document.secrets)) : '';
  return { before, after, masked: { before: masked((document) => document.before), after: masked(({ text }) => text) } };
}

function replaced({ start, before }: PlacedFix, text: string): Splice[] {
  return start === undefined || text === before ? [] : [{ start, end: start + before.length, text }];
}

/** The readers pass over a byte order mark in the middle of a file, so that a document may differ from what is there. */
function offsetInFile({ line, column = 1, text }: SourceDocument, file: string, starts: readonly number[]): number | undefined {
  const start = (starts[line - 1] ?? 0) + column - 1;
  const place = start === 0 && file.startsWith('\ufeff') ? 1 : start;
  return file.startsWith(text, place) ? place : undefined;
}

/** What was decoded and is written again must be the same bytes, also in the parts that are not changed. */
function whyNot(bytes: Uint8Array, start: number | undefined): string | undefined {
  if (!isUtf8(bytes)) return 'part of its file is not UTF-8';
  return start === undefined ? 'its file has a byte order mark in the middle' : undefined;
}
