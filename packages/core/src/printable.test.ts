import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, shorten } from './printable.js';

describe('printable text', () => {
  it.each([
    ['plain text stays', 'plain text stays'],
    ['漢字 🦄 é', '漢字 🦄 é'],
    ['\u001b[31;1mred\u001b[0m', 'red'],
    ['\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', 'link'],
    ['\u001b]0;title\u001b\\after', 'after'],
    ['\u009b2Jcleared', 'cleared'],
    ['two\r\nlines\tand a tab', 'two lines and a tab'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['bell\u0007 null\u0000 lone\ud800', 'bell null lone'],
    ['\n[not an escape sequence]', ' [not an escape sequence]'],
  ])('%j is shown as %j', (raw, shown) => {
    expect(printable(raw)).toBe(shown);
  });

  it('never holds a control character, whatever the input, and is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const shown = printable(raw);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(printable(shown)).toBe(shown);
      }),
      { numRuns: 10_000 },
    );
  });

  it('takes time in proportion to the length of a hostile text', () => {
    const started = process.cpuUsage().user;
    for (const part of ['\u001b[', '\u001b]', '\u001b[0', '\u001b[ ', '\u009b']) printable(part.repeat(200_000));
    expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(5);
  });
});

describe('a shortened text', () => {
  it('keeps to its length, and cuts no character in two', () => {
    expect(shorten('abcdef', 6)).toBe('abcdef');
    expect(shorten('abcdefg', 6)).toBe('abcde…');
    expect(shorten('ab🦄cd', 4)).toBe('ab…');
  });
});
