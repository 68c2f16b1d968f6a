import { describe, expect, it } from 'vitest';
import { createLanguage } from '../compiler.js';
import { LIBRARY_FUNCTIONS } from './library-functions.js';

describe('a function that stands in for one of the library', () => {
  it('has the signature of one', () => {
    const { functions } = createLanguage().environment.getDefinitions();
    const known = new Set(functions.map(({ signature }) => signature));
    expect(Object.keys(LIBRARY_FUNCTIONS).filter((signature) => !known.has(signature))).toEqual([]);
  });
});
