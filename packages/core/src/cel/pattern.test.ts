import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

  it('finds the matches that do not overlap, from left to right', () => {
    const compiled = Pattern.compile('a+');
    expect(compiled.findAll('aa b a c aaa')).toEqual(['aa', 'a', 'aaa']);
    expect(compiled.findAll('aa b a c aaa', 2)).toEqual(['aa', 'a']);
    expect(compiled.findAll('bcd')).toEqual([]);
    expect(Pattern.compile('x*').findAll('axb')).toEqual(['', 'x', '', '']);
    expect(compiled.find('b')).toBeUndefined();
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
