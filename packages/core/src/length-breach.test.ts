import { describe, expect, it } from 'vitest';
import { requestCheck } from './request-check.js';
import { schemaCheck } from './schema-check.js';

describe('a value of the wrong length', () => {
  it.each([
    [{ minItems: 1 }, [], 'at least 1 item'],
    [{ maxItems: 2 }, [1, 2, 3], 'at most 2 items'],
    [{ minLength: 1 }, '', 'at least 1 character'],
    [{ maxLength: 1000 }, 'x'.repeat(1001), 'at most 1,000 characters'],
    [{ minProperties: 1 }, {}, 'at least 1 property'],
    [{ maxProperties: 0 }, { a: 1 }, 'at most 0 properties'],
  ])('is told how long it must be, in requests and in files: %j', (schema, value, words) => {
    expect(requestCheck(schema)(value)).toEqual([{ path: '', message: `must have ${words}` }]);
    expect(schemaCheck(schema)(value)).toEqual([{ path: [], message: `The file must have ${words}.` }]);
  });
});
