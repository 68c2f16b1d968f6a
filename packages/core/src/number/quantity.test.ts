import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Quantity } from './quantity.js';

function nanos(text: string): bigint | undefined {
  return Quantity.parse(text)?.nanos;
}

describe('a quantity', () => {
  it.each([
    ['0', 0n],
    ['1', 1_000_000_000n],
    ['+1', 1_000_000_000n],
    ['-1.5', -1_500_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['100m', 100_000_000n],
    ['1n', 1n],
    ['1u', 1_000n],
    ['2k', 2_000_000_000_000n],
    ['1.5Gi', 1_610_612_736_000_000_000n],
    ['1Ei', 1_152_921_504_606_846_976_000_000_000n],
    ['1E', 1_000_000_000_000_000_000_000_000_000n],
    ['12e6', 12_000_000_000_000_000n],
    ['1E3', 1_000_000_000_000n],
    ['1e-3', 1_000_000n],
  ])('%s', (text, expected) => {
    expect(nanos(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '1 ',
    '.',
    '-',
    'Mi',
    'Three',
    '200K',
    '1,3G',
    '1Gi ',
    '1gi',
    '1e',
    '1e1.5',
    '0x10',
    'NaN',
    'Infinity',
    '1KiB',
    '1'.repeat(129),
  ])('%j is none', (text) => {
    expect(nanos(text)).toBeUndefined();
  });

  it('keeps nine decimal places and rounds away from zero', () => {
    expect(nanos('0.0000000001')).toBe(1n);
    expect(nanos('-0.0000000001')).toBe(-1n);
    expect(nanos('1e-50')).toBe(1n);
    expect(nanos('0e-50')).toBe(0n);
  });

  it('caps what is larger than an int64, which is then no whole number', () => {
    const huge = Quantity.parse('9999999999999999999999999999999999999G');
    expect(huge?.nanos).toBe((2n ** 63n - 1n) * 1_000_000_000n);
    expect(huge?.isInteger()).toBe(false);
    expect(nanos('1e999999999')).toBe((2n ** 63n - 1n) * 1_000_000_000n);
    expect(Quantity.parse('50000000G')?.toInteger()).toBe(50_000_000_000_000_000n);
  });

  it('compares like the number it is', () => {
    const amount = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom('m', '', 'k', 'M'));
    const scale = { m: 1, '': 1_000, k: 1_000_000, M: 1_000_000_000 };
    fc.assert(
      fc.property(amount, amount, ([a, unitA], [b, unitB]) => {
        const [left, right] = [Quantity.parse(`${a}${unitA}`), Quantity.parse(`${b}${unitB}`)];
        const expected = Math.sign(a * scale[unitA as 'm'] - b * scale[unitB as 'm']);
        expect(Number(left?.compareTo(right ?? new Quantity(0n)))).toBe(expected);
      }),
      { numRuns: 10_000 },
    );
  });
});
