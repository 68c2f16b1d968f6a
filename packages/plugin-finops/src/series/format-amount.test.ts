import { describe, expect, it } from 'vitest';
import { formatAmount, formatChange, formatColumn } from './format-amount.js';

describe('an amount as text', () => {
  it.each([
    [0, '0.00 USD'],
    [12.345, '12.35 USD'],
    [-3, '-3.00 USD'],
    [999.99, '999.99 USD'],
    [1234.5, '1,235 USD'],
    [-2197.4, '-2,197 USD'],
    [4069708420536, '4,069,708,420,536 USD'],
    [0.0123, '0.01 USD'],
    [0.0005, '0.0005 USD'],
    [-0.000001, '-0.000001 USD'],
  ])('%d is %s', (amount, text) => {
    expect(formatAmount(amount, 'USD')).toBe(text);
  });

  it('has cents in columns, and a dash where there is none', () => {
    expect([1234567.5, 0.000001, null, -1234.567, 100].map(formatColumn)).toEqual(['1,234,567.50', '0.000001', '–', '-1,234.57', '100.00']);
  });

  it('has its sign where it is a change', () => {
    expect([1, 0, -1].map((amount) => formatChange(amount, 'EUR'))).toEqual(['+1.00 EUR', '0.00 EUR', '-1.00 EUR']);
  });
});
