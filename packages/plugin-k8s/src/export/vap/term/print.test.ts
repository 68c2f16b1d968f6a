import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';
import { printFlat, printTerm } from './print.js';
import { readTerm } from './read-term.js';

const { rules } = await loadCatalogue({ packs: RULE_PACKS });
const expressions = rules.flatMap(({ logic }) =>
  logic.flatMap(({ when, expression, message, each }) =>
    [when ?? [], expression, message ?? [], Array.isArray(each) ? (each[1] ?? []) : []].flat(),
  ),
);

describe('the text of an expression', () => {
  it('is read as the same expression, on one line or on several: all expressions of all rules', () => {
    const printable = expressions.filter((source) => !/\.(?:transformList|transformMap|sortBy)\(/.test(source));
    expect(printable.length).toBeGreaterThan(500);
    for (const source of printable) {
      const flat = printFlat(readTerm(source));
      expect(printFlat(readTerm(flat))).toBe(flat);
      expect(printFlat(readTerm(printTerm(readTerm(source))))).toBe(flat);
    }
  });

  it.each([
    ['(a || b) && c', '(a || b) && c'],
    ['a || (b && c)', 'a || b && c'],
    ['!(a == b)', '!(a == b)'],
    ['(a ? b : c) ? d : e', '(a ? b : c) ? d : e'],
    ['a ? b : (c ? d : e)', 'a ? b : c ? d : e'],
    ['a - (b - c)', 'a - (b - c)'],
    ['(a + b).size()', '(a + b).size()'],
    ['(-1).x', '(-1).x'],
    ['1.0', '1.0'],
    ['"a\\"b\\n"', '"a\\"b\\n"'],
    [String.raw`r'\d'`, String.raw`r'\d'`],
    [String.raw`"\\\\.\\pipe\\"`, String.raw`"\\\\.\\pipe\\"`],
  ])('has the brackets and quotes that it needs: %s', (source, printed) => {
    expect(printFlat(readTerm(source))).toBe(printed);
  });

  it('is broken where it is long', () => {
    const long = Array.from({ length: 12 }, (_, index) => `object.spec.aFieldWithALongName${index} == "value"`).join(' && ');
    expect(
      Math.max(
        ...printTerm(readTerm(long))
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(140);
  });
});
