import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlobs } from './glob.js';

const matches = (glob: string, text: string, separator: '.' | '/' = '/') => compileGlobs([glob], separator)(text);

describe('globs', () => {
  it.each([
    ['a/b', 'a/b'],
    ['*', 'anything'],
    ['*', ''],
    ['**', 'any/thing'],
    ['**', ''],
    ['a/*', 'a/b'],
    ['a/*/c', 'a/b/c'],
    ['a/**', 'a/b/c'],
    ['a/**', 'a/'],
    ['**/c', 'a/b/c'],
    ['a/**/c', 'a/b/x/c'],
    ['a*c', 'abbc'],
    ['a*c', 'ac'],
    ['**b**', 'a/b/c'],
    ['*.*', 'a.b'],
    ['[a]?', '[a]?'],
    ['a***b', 'a/b'],
  ])('%s covers %s', (glob, text) => {
    expect(matches(glob, text)).toBe(true);
  });

  it.each([
    ['a/b', 'a/bc'],
    ['a/b', 'A/b'],
    ['*', 'a/b'],
    ['a/*', 'a/b/c'],
    ['a/*', 'a'],
    ['a/**', 'a'],
    ['a*c', 'a/c'],
    ['a/*/c', 'a/c'],
    ['[a]?', 'ab'],
    ['.*', 'x'],
    ['a.b', 'axb'],
  ])('%s does not cover %s', (glob, text) => {
    expect(matches(glob, text)).toBe(false);
  });

  it('end segments where they are told to', () => {
    expect(matches('kubernetes.*', 'kubernetes.deployment', '.')).toBe(true);
    expect(matches('kubernetes.*', 'kubernetes.deployment.update', '.')).toBe(false);
    expect(matches('kubernetes.**', 'kubernetes.deployment.update', '.')).toBe(true);
    expect(matches('kubernetes.**', 'kubernetes', '.')).toBe(false);
    expect(matches('k*', 'kubernetes/x', '.')).toBe(true);
  });

  it('cover what one of several covers', () => {
    const globs = compileGlobs(['a', 'b/*', '**x'], '/');
    expect(['a', 'b/c', 'q/x', 'b', 'q'].map(globs)).toEqual([true, true, true, false, false]);
  });

  it('agree with regular expressions', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**');
    const glob = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(glob, text, (pattern, value) => {
        const expression = pattern.replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'));
        expect(matches(pattern, value)).toBe(new RegExp(`^${expression}$`).test(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('take their time however many stars there are', () => {
    const text = `${'a'.repeat(2000)}b`;
    expect(matches(`${'*a'.repeat(200)}c`, text)).toBe(false);
    expect(matches(`${'**a*'.repeat(100)}c`, text)).toBe(false);
  });
});
