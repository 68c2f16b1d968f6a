import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestCheck } from './request-check.js';

const check = requestCheck({
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$' },
    level: { enum: ['low', 'high'] },
    labels: { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'string' } },
    codes: { type: 'object', additionalProperties: { type: 'number' } },
    items: { type: 'array', uniqueItems: true, items: { type: 'object', required: ['id'] } },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
});

describe('checking a request', () => {
  it.each([
    [{ name: 'a', labels: { a: 'b' }, items: [{ id: 1 }], either: 1 }, undefined],
    [{}, { path: '', message: 'must have the member name' }],
    [{ name: 1 }, { path: '/name', message: 'must be string' }],
    [
      { name: 'a', level: 's3cret' },
      { path: '/level', message: 'must be one of low, high' },
    ],
    [
      { name: 'a', s3cret: 1 },
      { path: '', message: 'has a member that is not allowed' },
    ],
    [
      { name: 'a', labels: { secret: 1 } },
      { path: '/labels/*', message: 'must be string' },
    ],
    [
      { name: 'a', labels: { 271828: 1 } },
      { path: '/labels', message: 'must match pattern "^[a-z]+$"' },
    ],
    [
      { name: 'a', codes: { 271828: 'x' } },
      { path: '/codes/*', message: 'must be number' },
    ],
    [
      { name: 'a', labels: { S3CRET: 'x' } },
      { path: '/labels', message: 'must match pattern "^[a-z]+$"' },
    ],
    [
      { name: 'a', items: [{ id: 1 }, {}] },
      { path: '/items/1', message: 'must have the member id' },
    ],
    [
      { name: 'a', items: [{ id: 1 }, { id: 1 }] },
      { path: '/items', message: 'must not contain the same item twice' },
    ],
    [
      { name: 'a', either: true },
      { path: '/either', message: 'must be string' },
    ],
  ])('says what is wrong with %j', (value, breach) => {
    if (breach) expect(check(value)).toContainEqual(breach);
    else expect(check(value)).toEqual([]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, JSON.parse('-1e999')])('takes %d for no number', (value) => {
    expect(requestCheck({ type: 'object', properties: { n: { type: 'number' } } })({ n: value })).toEqual([
      { path: '/n', message: 'must be number' },
    ]);
  });

  it.each([
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2026-99-99', false],
    ['2026-1-1', false],
    ['2026-01-01T00:00:00Z', false],
  ])('takes %s for a day: %s', (day, isOne) => {
    const message = 'must be a valid date, such as 2026-12-31';
    expect(requestCheck({ properties: { day: { type: 'string', format: 'date' } } })({ day })).toEqual(
      isOne ? [] : [{ path: '/day', message }],
    );
  });

  it('never quotes the value', () => {
    const secret = 's3cr3tvalue';
    const text = fc.constantFrom(secret, 'name', 'labels', 'items', 'a');
    const leaf = fc.oneof(text, fc.integer());
    const below = (inner: fc.Arbitrary<unknown>) =>
      fc.oneof(leaf, fc.array(inner, { maxLength: 3 }), fc.dictionary(text, inner, { maxKeys: 4 }));
    const value = below(below(below(leaf)));
    fc.assert(
      fc.property(value, (any) => {
        expect(JSON.stringify(check(any))).not.toContain(secret);
      }),
      { numRuns: 20_000 },
    );
  });
});
