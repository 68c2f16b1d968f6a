import { canonical } from '@bylaw/core/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IJsonError, parseIJson } from './parse.js';

const read = (text: string) => parseIJson(Buffer.from(text));

describe('reading I-JSON', () => {
  it.each([
    ['{"a":[1,2.5,-3e2,"x",true,false,null,{}]}', { a: [1, 2.5, -300, 'x', true, false, null, {}] }],
    [' \t\r\n[ ] ', []],
    ['"\\u00e9\\n\\ud83d\\ude00é😀"', 'é\n😀é😀'],
    ['{"":{"a:b":"\\":","c\\\\":"}"}}', { '': { 'a:b': '":', 'c\\': '}' } }],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991.0', -9007199254740991],
    ['1e15', 1e15],
    ['{"constructor":1,"toString":2,"hasOwnProperty":3}', { constructor: 1, toString: 2, hasOwnProperty: 3 }],
  ])('takes %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['an empty text', ''],
    ['white space', '  '],
    ['what is no JSON', '{a:1}'],
    ['two values', '{} {}'],
    ['a comment', '{} // x'],
    ['a trailing comma', '[1,]'],
    ['a leading zero', '[01]'],
    ['NaN', '[NaN]'],
    ['a raw line feed in a string', '"a\nb"'],
    ['a byte order mark', '\ufeff{}'],
    ['white space that JSON does not have', '\u00a0{}'],
    ['a member that occurs twice', '{"a":1,"a":1}'],
    ['a member that occurs twice, once with an escape', '{"a":1,"\\u0061":2}'],
    ['a member that occurs twice in depth', '[{"x":{"b":1,"c":2,"b":3}}]'],
    ['the member __proto__', '{"__proto__":{"admin":true}}'],
    ['the member __proto__ written with an escape', '{"a":{"\\u005f_proto__":1}}'],
    ['a lone high surrogate', '"\\ud800"'],
    ['a lone low surrogate', '"a\\udc00b"'],
    ['surrogates in the wrong order', '["\\ude00\\ud83d"]'],
    ['a lone surrogate in a name', '{"\\ud800":1}'],
    ['an integer beyond 2^53−1', '9007199254740992'],
    ['an integer below −(2^53−1)', '[-9007199254740992]'],
    ['such an integer with a fraction of zero', '{"n":9007199254740993.0}'],
    ['such an integer with an exponent', '{"n":9.007199254740993e15}'],
    ['a number that is too large for a double', '1e400'],
    ['a negative one', '[-1e999]'],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow(IJsonError);
  });

  it.each([
    ['a byte that no UTF-8 has', [0x22, 0xff, 0x22]],
    ['a character that is cut', [0x22, 0xe2, 0x82, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a code point beyond the last', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s', (_, bytes) => {
    expect(() => parseIJson(Uint8Array.from(bytes))).toThrow('The text is not valid UTF-8.');
  });

  it('reads minus zero as the zero that is recorded', () => {
    expect(read('[-0,{"n":-0.0},-0e5]')).toStrictEqual([0, { n: 0 }, 0]);
    expect(read('-0')).toBe(0);
  });

  it('reads a part of a larger buffer', () => {
    const buffer = Buffer.from('xx{"a":1}yy');
    expect(parseIJson(buffer.subarray(2, 9))).toEqual({ a: 1 });
  });

  it('never shows a piece of what it refuses', () => {
    const secret = 'k9Zs3cretQ7';
    for (const text of [
      `{"${secret}"`,
      `{"${secret}":1,"${secret}":2}`,
      `["${secret}\\ud800"]`,
      secret,
      `"${secret.repeat(1000)}"`,
      `{"__proto__":"${secret}"}`,
    ])
      expect(() => read(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret.slice(0, 4)) }));
  });
});

describe('the bounds of a text', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const list = (length: number) => `[${Array(length).fill('0').join()}]`;
  const object = (members: number) => `{${Array.from({ length: members }, (_, index) => `"m${index}":0`).join()}}`;
  const text = (bytes: number) => JSON.stringify('a'.repeat(bytes));

  it.each([
    ['32 levels', nested(32), nested(33)],
    ['32 levels of objects', `${'{"a":'.repeat(31)}{}${'}'.repeat(31)}`, `${'{"a":'.repeat(32)}{}${'}'.repeat(32)}`],
    ['1,000 elements', list(1000), list(1001)],
    ['256 members', object(256), object(257)],
    ['a string of 8 KiB', text(8192), text(8193)],
    ['a string of 8 KiB that is not ASCII', JSON.stringify('é'.repeat(4096)), JSON.stringify('é'.repeat(4097))],
    ['a name of 8 KiB', `{${text(8192)}:1}`, `{${text(8193)}:1}`],
  ])('are %s', (_, within, over) => {
    expect(() => read(within)).not.toThrow();
    expect(() => read(over)).toThrow(IJsonError);
  });

  it('hold for a text of 64 KiB that nests as deep as it can', () => {
    expect(() => read(nested(32_768))).toThrow('The text is nested more than 32 levels deep.');
  });

  it.each([
    `{"action":{"parameters":{"manifest":${text(60_000)}}}}`,
    `{"action":{"parameters":[{"deep":[${text(60_000)}]}]}}`,
    `{"action":{"parameters":${text(60_000)}}}`,
    `{"proposal":{"action":{"parameters":{"a":{"b":${text(60_000)}}}}}}`,
  ])('leave the length of strings in parameters to the body', (body) => {
    expect(() => read(body)).not.toThrow();
  });

  it.each([
    `{"action":{"resource":${text(8193)}}}`,
    `{"parameters":{"a":${text(8193)}}}`,
    `{"action":[{"parameters":${text(8193)}}]}`,
    `{"x":{"action":{"parameters":${text(8193)}}}}`,
    `{"proposal":{"proposal":{"action":{"parameters":${text(8193)}}}}}`,
    `{"action":{"action":{"parameters":${text(8193)}}}}`,
    `[{"action":{"parameters":${text(8193)}}}]`,
  ])('hold for strings everywhere else', (body) => {
    expect(() => read(body)).toThrow('A string is longer than 8192 bytes.');
  });
});

describe('any text', () => {
  const json = fc.json({ maxDepth: 8, stringUnit: 'binary' });

  it('is read as JSON reads it, or refused', () => {
    fc.assert(
      fc.property(json, (text) => {
        let value: unknown;
        try {
          value = read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(IJsonError);
          return;
        }
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('of arbitrary bytes is read or refused, and nothing else happens', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.array(fc.constantFrom(...'{}[]:,"\\u0d8eE+-.1 ta'), { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        try {
          parseIJson(input);
        } catch (error) {
          expect(error).toBeInstanceOf(IJsonError);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('with a member written twice anywhere is refused', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => text !== '__proto__');
    const place = fc.constantFrom<(inner: string) => string>(
      (inner) => inner,
      (inner) => `[1,${inner},{"a":":"}]`,
      (inner) => `{"x":"\\"{:","y":${inner}}`,
    );
    fc.assert(
      fc.property(name, fc.string({ maxLength: 8 }), place, (member, value, around) => {
        const [key, filler] = [JSON.stringify(member), JSON.stringify(value)];
        const object = `{${key}:${filler},"${member.length + 100}":${filler},${key}:0}`;
        expect(() => read(around(object))).toThrow('An object has two members with the same name.');
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps its canonical form when it is read again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (!text.isWellFormed() || text.includes('\\ud') || text.includes('__proto__')) return;
        let once: ReturnType<typeof read>;
        try {
          once = read(text);
        } catch {
          return; // a number that is not I-JSON
        }
        expect(canonical(read(canonical(once)))).toBe(canonical(once));
      }),
      { numRuns: 2000 },
    );
  });
});
