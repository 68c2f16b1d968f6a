import { describe, expect, it } from 'vitest';
import { readTags } from './tags.js';

describe('a tag', () => {
  it.each([
    ['a JSON object', '{"team":"search","env":"prod"}'],
    ['a JSON object without its braces, as Azure writes it', '"env": "prod","team": "search"'],
    ['a list of keys and values, as Google Cloud writes it', '[{"key":"team","value":"search"},{"key":"env","value":"prod"}]'],
    ['keys that AWS gives a prefix', '{"user_team":"search","user_env":"prod"}'],
  ])('is found in %s', (_, text) => {
    expect(readTags(text, 'team')).toBe('search');
    expect(readTags(text, 'env')).toBe('prod');
    expect(readTags(text, 'absent')).toBe('');
  });

  it.each(['', 'null', '{}', '[]', 'team=search', '{"team":', '7', '"team"', '[1,null,{"key":3}]'])('is absent in %j', (text) => {
    expect(readTags(text, 'team')).toBe('');
  });

  it('without a value is `true`, one that is null is empty', () => {
    expect(readTags('{"spot":true,"owner":null}', 'spot')).toBe('true');
    expect(readTags('{"spot":true,"owner":null}', 'owner')).toBe('');
  });

  it('of a hostile name is a tag like any other', () => {
    expect(readTags('{"__proto__":"x","team":"a"}', '__proto__')).toBe('x');
    expect(readTags('{"team":"a"}', '__proto__')).toBe('');
    expect(readTags('{"team":"a"}', 'constructor')).toBe('');
  });
});
