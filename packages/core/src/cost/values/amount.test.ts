import { describe, expect, it } from 'vitest';
import { parseAmount } from './amount.js';

describe('an amount', () => {
  it.each([
    ['12.5', 12.5],
    ['-1.2e-7', -1.2e-7],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    [' 7 ', 7],
    ['0', 0],
    ['0E-18', 0],
    ['0e5', 0],
    ['1,234.50', 1234.5],
    ['12,345,678', 12_345_678],
    ['$10,000.00 ', 10_000],
    ['-$5.25', -5.25],
    ['€3', 3],
    ['(12.00)', -12],
    ['($1,200)', -1200],
    ['0.000000000000000000001', 1e-21],
  ])('is read from %j', (text, value) => {
    expect(parseAmount(text)).toBe(value);
  });

  it.each(['', '  ', 'null', 'NULL', 'N/A', 'None'])('is absent in %j', (text) => {
    expect(parseAmount(text)).toBeNull();
  });

  it.each([
    ...['NaN', 'Infinity', '-Infinity', '1e999', 'abc', '12 EUR', '1.2.3', '--5', '0x10', '0b1', '0o7'],
    ...['1,23', '12,34.5', '(5', '5)', '1_000', '1e', '$', '()', '-'],
  ])('is none in %j', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  it('is none in a text of digits that is longer than any number', () => {
    expect(parseAmount(`${'1'.repeat(4_000_000)}x`)).toBeUndefined();
  });
});
