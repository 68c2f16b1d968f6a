import { describe, expect, it } from 'vitest';
import { apiKeyCheck, apiKeyDigest } from './api-keys.js';

describe('API keys', () => {
  it('are digested as sha256sum does', () => {
    expect(apiKeyDigest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('are found by their value, wherever they are in the list', () => {
    const keys = ['a', 'b', 'c'].map((key) => ({ id: `id-${key}`, sha256: apiKeyDigest(key) }));
    const check = apiKeyCheck(keys);
    expect(['a', 'b', 'c'].map(check)).toEqual(['id-a', 'id-b', 'id-c']);
    expect(['', 'd', 'A', 'aa', apiKeyDigest('a')].map(check)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(apiKeyCheck([])('a')).toBeUndefined();
  });
});
