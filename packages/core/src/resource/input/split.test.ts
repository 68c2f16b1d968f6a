import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputError } from '../../errors.js';
import { MAX_DOCUMENT_BYTES } from '../text/limits.js';
import { isInputError, type SourceDocument } from '../yaml/source-document.js';
import { type Input, textInput } from './input.js';
import { splitDocuments } from './split.js';

async function split(content: string | Uint8Array): Promise<(SourceDocument | InputError)[]> {
  return collect(textInput('a.yaml', content));
}

async function collect(input: Input): Promise<(SourceDocument | InputError)[]> {
  const items: (SourceDocument | InputError)[] = [];
  for await (const item of splitDocuments(input)) items.push(item);
  return items;
}

function inChunks(content: string | Uint8Array, size: number): Input {
  const bytes = Buffer.from(content);
  return {
    file: 'a.yaml',
    explicit: true,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

function texts(items: (SourceDocument | InputError)[]): string[] {
  return items.map((item) => (isInputError(item) ? item.code : item.text));
}

function lines(items: (SourceDocument | InputError)[]): (number | undefined)[] {
  return items.map((item) => (isInputError(item) ? item.location?.line : item.line));
}

describe('splitting a file into documents', () => {
  it('cuts at lines that start with ---, and keeps the marker with the document that it opens', async () => {
    const items = await split('a: 1\n---\nb: 2\n--- # comment\nc: 3\n');
    expect(texts(items)).toEqual(['a: 1\n', '---\nb: 2\n', '--- # comment\nc: 3\n']);
    expect(lines(items)).toEqual([1, 2, 4]);
    expect(items.map((item) => !isInputError(item) && item.index)).toEqual([0, 1, 2]);
  });

  it('cuts nowhere else', async () => {
    expect(texts(await split('a: |\n  x\n  ---\n  y\n---x: 1\n'))).toEqual(['a: |\n  x\n  ---\n  y\n---x: 1\n']);
    expect(texts(await split('a: x ---\nb: --- \n'))).toEqual(['a: x ---\nb: --- \n']);
  });

  it('takes a marker with content on its line', async () => {
    expect(texts(await split('--- {a: 1}\n--- {b: 2}\n'))).toEqual(['--- {a: 1}\n', '--- {b: 2}\n']);
  });

  it('leaves out documents of nothing but comments and blank lines', async () => {
    expect(texts(await split('---\n# nothing\n\n---\n---\na: 1\n---\n'))).toEqual(['---\na: 1\n']);
    expect(await split('')).toEqual([]);
    expect(await split('\n\n')).toEqual([]);
    expect(await split('---')).toEqual([]);
    expect(await split('a')).toHaveLength(1);
  });

  it('keeps comments and directives with the document below them', async () => {
    expect(texts(await split('# licence\n---\na: 1\n'))).toEqual(['# licence\n---\na: 1\n']);
    expect(texts(await split('%YAML 1.1\n---\na: 1\n...\n%YAML 1.1\n---\nb: 1\n'))).toEqual([
      '%YAML 1.1\n---\na: 1\n',
      '...\n%YAML 1.1\n---\nb: 1\n',
    ]);
  });

  it('reads lines that end in CR LF, and a byte order mark', async () => {
    const items = await split('\ufeffa: 1\r\n---\r\nb: 2\r\n');
    expect(texts(items)).toEqual(['a: 1\r\n', '---\r\nb: 2\r\n']);
    expect(lines(items)).toEqual([1, 2]);
  });

  it('drops the byte order marks of files that were joined to one', async () => {
    const items = await split('a: 1\n---\n\ufeffb: 2\n---\n# chart\n\ufeffc: "\ufeff"\n---\nd: 1\n\ufeffe: 2\n');
    expect(texts(items)).toEqual(['a: 1\n', '---\nb: 2\n', '---\n# chart\nc: "\ufeff"\n', '---\nd: 1\n\ufeffe: 2\n']);
    expect(lines(items)).toEqual([1, 2, 4, 7]);
    expect(await split('a: 1\n---\n\ufeff# nothing\n')).toHaveLength(1);
  });

  it('cuts a stream of JSON values, and knows the column of one that starts within a line', async () => {
    const items = await split('{"a": "}{"}\n{"b": [1, {}]}{"c": "\\"}"}\n\n[{"d": 1}] ');
    expect(texts(items)).toEqual(['{"a": "}{"}\n', '{"b": [1, {}]}', '{"c": "\\"}"}\n\n', '[{"d": 1}] ']);
    expect(items).toMatchObject([{ line: 1 }, { line: 2 }, { line: 2, column: 15 }, { line: 4 }]);
  });

  it('leaves a template and a mapping of YAML in one piece', async () => {
    expect(await split('{{ if x }}\na: 1\n{{ end }}\n')).toHaveLength(1);
    expect(await split("{a: '}'}\n{b: 1}\n")).toHaveLength(1);
  });

  it('reports the document that holds a zero byte, and reads the others', async () => {
    const items = await split('a: 1\n---\nb: 1\nc: \0\n---\nd: 1\n');
    expect(items).toMatchObject([
      { text: 'a: 1\n' },
      { code: 'binary-content', location: { file: 'a.yaml', line: 4, column: 1 } },
      { text: '---\nd: 1\n', line: 5 },
    ]);
  });

  it('reports binary junk once', async () => {
    const junk = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919 + (i >> 3)) % 256));
    expect(await collect(inChunks(junk, 4_096))).toMatchObject([{ code: 'binary-content', location: { file: 'a.yaml' } }]);
  });

  it('reports the document that is not UTF-8, with the place of the first bad byte, and reads the others', async () => {
    const items = await split(Buffer.concat([Buffer.from('a: 1\n---\nb: 2\nc: é'), Buffer.from([0xff, 0x0a]), Buffer.from('---\nd: 1\n')]));
    expect(items).toMatchObject([
      { text: 'a: 1\n' },
      { code: 'not-utf8', location: { line: 4, column: 5 } },
      { text: '---\nd: 1\n', line: 5 },
    ]);
  });

  it('refuses UTF-16 text in one word', async () => {
    expect(await split(Buffer.from('\ufeffa: 1\n', 'utf16le'))).toMatchObject([
      { code: 'not-utf8', message: expect.stringContaining('UTF-16') },
    ]);
  });

  it('refuses a document over the limit with the line on which it starts, and reads the others', async () => {
    const large = `${'# padding padding padding\n'.repeat(MAX_DOCUMENT_BYTES / 26 + 1)}x: 1\n`;
    const items = await collect(inChunks(`a: 1\n---\nb: 1\n${large}---\nc: 1\n`, 262_144));
    expect(items).toMatchObject([{ text: 'a: 1\n' }, { code: 'document-too-large', location: { line: 2 } }, { text: '---\nc: 1\n' }]);
    expect(lines(items)[2]).toBe(large.split('\n').length + 3);
  });

  it('refuses a single line over the limit', async () => {
    expect(texts(await collect(inChunks(`a: ${'x'.repeat(MAX_DOCUMENT_BYTES)}`, 262_144)))).toEqual(['document-too-large']);
  });

  it('holds one document at a time: it reads no further than the document that it gives out', async () => {
    const document = Buffer.from(`---\n${'key: value of a line\n'.repeat(2_000)}`);
    const copies = 500; // 20 MB
    let pulled = 0;
    let given = 0;
    const input: Input = {
      file: 'a.yaml',
      explicit: true,
      async *open() {
        for (; pulled < copies; pulled++) yield document;
      },
    };
    for await (const item of splitDocuments(input)) {
      expect(isInputError(item)).toBe(false);
      expect(pulled - given++).toBeLessThanOrEqual(1);
    }
    expect(given).toBe(copies);
  });

  it('reports a source that fails as an error of the file', async () => {
    const input: Input = {
      file: 'gone.yaml',
      explicit: true,
      // biome-ignore lint/correctness/useYield: the source fails before its first byte
      async *open() {
        throw Object.assign(new Error('no'), { code: 'EACCES' });
      },
    };
    expect(await collect(input)).toMatchObject([{ code: 'path-unreadable', location: { file: 'gone.yaml' } }]);
  });

  it('stays fast on markers without end', async () => {
    expect(await split('...\n'.repeat(200_000))).toEqual([]);
    expect(await split('---\n'.repeat(200_000))).toEqual([]);
    expect(await split('# c\n'.repeat(200_000))).toEqual([]);
  });

  it('finds the same documents however the bytes arrive', async () => {
    const pieces = fc.constantFrom(
      '---',
      '...',
      '\n',
      '\r\n',
      'a: 1',
      '{"a": 1}',
      '[1]',
      ' ',
      '# c',
      '%YAML 1.1',
      '\ufeff',
      'é',
      '\0',
      '"',
      '\\',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), async (parts, size) => {
        const text = parts.join('');
        expect(await collect(inChunks(text, size))).toEqual(await split(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('loses no text: the documents and their places add up to the file', async () => {
    const pieces = fc.constantFrom('---', '\n', 'a: 1', '{"a": 1}', ' ', 'é', 'x');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
        const text = `z: 1\n${parts.join('')}`;
        for (const item of await split(text)) {
          if (isInputError(item)) throw new Error(item.code);
          const start =
            text
              .split('\n')
              .slice(0, item.line - 1)
              .join('\n').length +
            (item.line > 1 ? 1 : 0) +
            (item.column ?? 1) -
            1;
          expect(text.slice(start, start + item.text.length)).toBe(item.text);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
