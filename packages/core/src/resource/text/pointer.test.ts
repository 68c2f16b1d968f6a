import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPointer, getPointer, joinPointer, parsePointer, pointerBelow } from './pointer.js';

describe('JSON Pointers', () => {
  it('escape ~ and / as RFC 6901 says', () => {
    expect(joinPointer('/metadata', 'annotations', 'a/b~c', 0)).toBe('/metadata/annotations/a~1b~0c/0');
    expect(parsePointer('/a~1b~0c/~01')).toEqual(['a/b~c', '~1']);
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('/')).toEqual(['']);
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
    );
  });

  it('find own members and items only', () => {
    const value = { a: [{ 'b/c': 1 }], '': 2 };
    expect(getPointer(value, '/a/0/b~1c')).toBe(1);
    expect(getPointer(value, '')).toBe(value);
    expect(getPointer(value, '/')).toBe(2);
    for (const pointer of ['/b', '/a/1', '/a/00', '/a/-1', '/a/length', '/a/0/b~1c/x', '/constructor', '/__proto__', '/a/__proto__']) {
      expect(getPointer(value, pointer)).toBeUndefined();
    }
  });

  it('know what lies below them', () => {
    expect(pointerBelow('/a', '/a/b')).toBe('/b');
    expect(pointerBelow('/a', '/a')).toBe('');
    expect(pointerBelow('', '/a')).toBe('/a');
    expect(pointerBelow('/a', '/ab')).toBeUndefined();
    expect(pointerBelow('/a/b', '/a')).toBeUndefined();
  });
});
