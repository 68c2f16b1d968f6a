import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { BylawError } from '../errors.js';
import { costError } from './cost-error.js';

/** Text of a file, in pieces, under the name by which errors call it. */
export interface CostFile {
  name: string;
  /** JSON: one array of rows, or an object with them as `rows`; or JSON lines. Else CSV. */
  form: 'csv' | 'json';
  text: AsyncIterable<string>;
}

/**
 * Files of the command line as cost input: CSV or JSON, by their first byte; `.gz` is unpacked on the way; `-` is standard input.
 * @throws {BylawError} `usage` where standard input is named twice, `path-not-found`, `path-unreadable`, and `cost-file-invalid` for what cannot be unpacked, when the text is read
 */
export async function costFilesAt(
  paths: readonly string[],
  stdin: () => AsyncIterable<Uint8Array> = () => process.stdin,
): Promise<CostFile[]> {
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new BylawError('usage', 'Standard input (-) is given twice but can be read only once.', { hint: 'Remove one of them.' });
  const files: CostFile[] = [];
  for (const path of paths) files.push(await fileAt(path, path === '-' ? stdin() : await bytesOf(path)));
  return files;
}

async function bytesOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  const status = await stat(path).catch((cause) => {
    throw new BylawError('path-not-found', `File not found: ${path}.`, { cause, hint: 'Check the spelling and the working directory.' });
  });
  if (status.isDirectory()) throw new BylawError('path-unreadable', `${path} is a folder.`, { hint: 'Pass the files in it.' });
  return createReadStream(path, { highWaterMark: 1 << 18 });
}

const GZIP = [0x1f, 0x8b];

async function fileAt(path: string, source: AsyncIterable<Uint8Array>): Promise<CostFile> {
  const name = path === '-' ? '<stdin>' : path;
  const iterator = guarded(name, source)[Symbol.asyncIterator]();
  const first = await iterator.next();
  const head = first.done ? new Uint8Array() : first.value;
  const all = joined(head, iterator);
  const text = decodeUtf8(name, head[0] === GZIP[0] && head[1] === GZIP[1] ? unpacked(name, all) : all);
  const texts = text[Symbol.asyncIterator]();
  const begin = await texts.next();
  const start = begin.done ? '' : begin.value;
  return { name, form: /^\s*[[{]/.test(start) ? 'json' : 'csv', text: joined(start, texts) };
}

async function* joined<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T, void, void> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* guarded(name: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* source;
  } catch (cause) {
    throw new BylawError('path-unreadable', `Cannot read ${name}.`, { cause, hint: 'Check its permissions.' });
  }
}

async function* unpacked(name: string, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const gunzip = createGunzip();
  const feeding = feed(gunzip, packed);
  try {
    yield* gunzip;
    await feeding;
  } catch (cause) {
    throw cause instanceof BylawError
      ? cause
      : costError('cost-file-invalid', `${name} is not a complete gzip file: it is damaged or truncated.`, { cause });
  }
}

async function feed(gunzip: ReturnType<typeof createGunzip>, packed: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of packed) if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once('drain', resolve));
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error instanceof Error ? error : undefined);
  }
}

async function* decodeUtf8(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw cause instanceof TypeError
      ? costError('cost-file-invalid', `${name} is not UTF-8 text.`, { cause, hint: 'Export it as CSV or JSON in UTF-8.' })
      : cause;
  }
}
