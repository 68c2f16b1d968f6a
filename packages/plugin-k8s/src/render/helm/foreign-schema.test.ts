import { describe, expect, it } from 'vitest';
import { folderWith } from '../testing/files.test-support.js';
import { hasForeignSchema } from './foreign-schema.js';

describe('a chart whose schema takes its words from elsewhere', () => {
  it.each([
    ['a place in itself', '{"$ref": "#/$defs/a", "$defs": {"a": {"const": 1}}}', false],
    ['a version of the standard', '{"$schema": "https://json-schema.org/draft/2020-12/schema"}', false],
    ['a file', '{"properties": {"a": {"$ref": "file:///etc/passwd"}}}', true],
    ['a file, with escapes', '{"$r\\u0065f": "\\u0066ile:///etc/passwd"}', true],
    ['a path', '{"allOf": [{"$ref": "../x.json"}]}', true],
    ['an address', '{"$schema": "http://127.0.0.1/"}', true],
    ['what cannot be read', '{"$ref": ', true],
  ])('refers to %s: %s', async (_what, schema, foreign) => {
    const chart = folderWith({ 'charts/a/values.schema.json': schema, 'values.yaml': '' });
    expect(await hasForeignSchema(chart, ['charts/a/values.schema.json', 'values.yaml'])).toBe(foreign);
  });

  it('is every chart with a packed one in it', async () => {
    expect(await hasForeignSchema(folderWith(), ['charts/a-1.0.0.tgz'])).toBe(true);
  });
});
