import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { nativePattern } from './native-pattern.js';
import { Pattern } from './pattern.js';

describe('a pattern', () => {
  it('matches what the same regular expression of JavaScript matches', () => {
    // Both languages read these alike; RE2 rules out most texts by the literals that a match must hold.
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      'ba',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(ab|c)',
      '.',
      '\\.',
      '^',
      '$',
      '(?:a|)',
      'a?',
      'b*',
      '(ab)+',
      'c{2}',
      '\\w',
      '\\b',
    );
    const pattern = fc.array(fc.oneof(atom, fc.constant('|')), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '.', ' '), maxLength: 12 });
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 3 }), fc.boolean(), (source, texts, folded) => {
        const compiled = Pattern.compile(folded ? `(?i)${source}` : source);
        const expected = new RegExp(source, folded ? 'i' : '');
        for (const candidate of texts) expect(compiled.test(candidate)).toBe(expected.test(candidate));
      }),
      { numRuns: 5_000 },
    );
  });

  it('finds what RE2 finds, where the engine runs it', () => {
    const character = fc.constantFrom('a', 'k', 's', '-', '.', '[ab]', '[^a\\s]', '[a-k.-]', '\\.', '\\s', '\\w', '\\d', '\\x22', '\\n');
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        character,
        fc.constantFrom('^', '$'),
        fc.array(tie('tree'), { maxLength: 4 }).map((parts) => parts.join('')),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}|${b})`),
        tie('tree').map((part) => `(?:${part})?`),
      ),
    }));
    const pattern = fc.tuple(
      fc.boolean(),
      tree,
      fc.oneof(
        fc.constant(''),
        character.map((one) => `${one}+`),
        fc.constant('[^k]{2,}'),
      ),
    );
    const text = fc.string({
      unit: fc.constantFrom('a', 'k', 's', 'K', '\u212a', '\u017f', '-', '.', '"', ' ', '\n', '\u2028', '\u{1f600}', '\ud83d'),
      maxLength: 10,
    });
    let translated = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 3 }), ([folded, start, end], texts) => {
        const source = `${folded ? '(?i)' : ''}${start}${end}`;
        const native = nativePattern(source);
        if (native === undefined) return;
        translated += 1;
        const re2 = RE2JS.compile(source);
        for (const candidate of texts) {
          const expected: string[] = [];
          for (const matcher = re2.matcher(candidate); matcher.find(); ) expected.push(matcher.group() ?? '');
          expect(Pattern.compile(source).findAll(candidate)).toEqual(expected);
          expect(Pattern.compile(source).findAll(candidate, 1)).toEqual(expected.slice(0, 1));
          expect(Pattern.compile(source).test(candidate)).toBe(expected.length > 0);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(translated).toBeGreaterThan(500);
  });

  it.each([
    '(a|a?)+b',
    'a*b',
    '(a+)+',
    'a+$',
    '(a|b|c|d)(a|b|c|d)(a|b|c|d)(a|b|c|d)',
    'a+|b',
    '(ab)+',
    'a{2,}b',
    'a{101,}',
    'a+?',
    'a*',
    '(a?|b)?c',
  ])('leaves %s, which could backtrack or matches nothing, to RE2', (source) => {
    expect(nativePattern(source)).toBeUndefined();
  });

  it('finds the matches that do not overlap, from left to right', () => {
    const compiled = Pattern.compile('a+');
    expect(compiled.findAll('aa b a c aaa')).toEqual(['aa', 'a', 'aaa']);
    expect(compiled.findAll('aa b a c aaa', 2)).toEqual(['aa', 'a']);
    expect(compiled.findAll('bcd')).toEqual([]);
    expect(Pattern.compile('x*').findAll('axb')).toEqual(['', 'x', '', '']);
    expect(compiled.find('b')).toBeUndefined();
  });

  it.each(['b+', '(b*)b'])('finds where the matches of %s are, in UTF-16 units', (source) => {
    expect(Pattern.compile(source).matches('😀 b é bb')).toEqual([
      { offset: 3, text: 'b' },
      { offset: 7, text: 'bb' },
    ]);
    expect(Pattern.compile(source).matches('ac')).toEqual([]);
  });

  it('replaces the matches, up to a limit', () => {
    const compiled = Pattern.compile('(a)b');
    const bracket = ([, first]: readonly string[]) => `[${first}]`;
    expect(compiled.replaceAll('ab xab', bracket)).toBe('[a] x[a]');
    expect(compiled.replaceAll('ab xab', bracket, 2)).toBe('[a] x[a]');
    expect(compiled.replaceAll('ab xab', bracket, 1)).toBeUndefined();
    expect(compiled.replaceAll('xyz', bracket, 0)).toBe('xyz');
    expect(Pattern.compile('b|^').replaceAll('aba', () => '$1')).toBe('$1a$1a');
  });
});
