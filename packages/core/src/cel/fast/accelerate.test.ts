import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLanguage } from '../compiler.js';
import { CelError } from '../evaluator.js';
import { FUNCTIONS } from '../functions.js';
import { MACROS } from '../macros/index.js';
import { compile, type Language } from '../program/compile.js';
import { identityOf } from '../standard/equality.js';
import { EXPRESSIONS, INCOMPLETE, documentValue as value } from './expressions.test-support.js';

const fast = createLanguage();
const { evaluator: _evaluator, ...slow }: Language = fast;

describe('a fast expression', () => {
  it.each(EXPRESSIONS)('%s gives what the library gives', (source) => {
    const options = { variables: ['x', 'y'], maxNodes: 2000, maxNesting: 3 };
    const [accelerated, plain] = [compile(fast, source, options), compile(slow, source, options)];
    fc.assert(
      fc.property(value(), value(), (x, y) => {
        expect(outcome(() => accelerated.evaluate({ x, y }))).toBe(outcome(() => plain.evaluate({ x, y })));
      }),
      { numRuns: 500 },
    );
  });

  it.each(INCOMPLETE)('%s gives what the library gives when a variable has no value', (source) => {
    const options = { variables: ['x', 'y'], maxNodes: 2000, maxNesting: 3 };
    const [accelerated, plain] = [compile(fast, source, options), compile(slow, source, options)];
    fc.assert(
      fc.property(value(), (y) => {
        expect(outcome(() => accelerated.evaluate({ y }))).toBe(outcome(() => plain.evaluate({ y })));
      }),
    );
  });

  it('holds no text of an expression but as a literal', () => {
    const hostile = fc.constantFrom('"', "'", '`', '\\', '${', '}', '\n', '\r', '\u2028', '\u2029', '*/', '//', ');throw 1;(', '__proto__');
    const options = { variables: ['x'], maxNodes: 2000, maxNesting: 3 };
    fc.assert(
      fc.property(
        fc.array(hostile).map((parts) => parts.join('')),
        (text) => {
          const literal = JSON.stringify(text);
          const program = compile(
            fast,
            `[x == ${literal}, x in [${literal}], {${literal}: 1}[?${literal}].hasValue(), x[?${literal}].hasValue()]`,
            options,
          );
          const key = text !== '__proto__';
          expect(program.evaluate({ x: text })).toEqual([true, true, key, false]);
        },
      ),
    );
  });

  it('gives what the library gives for every example of the reference', () => {
    const options = { variables: ['resources'], maxNodes: 2000, maxNesting: 3 };
    for (const { example } of [...FUNCTIONS, ...MACROS].filter(({ example }) => !example.includes('resources.'))) {
      expect(outcome(() => compile(slow, example, options).evaluate({}))).toBe(outcome(() => compile(fast, example, options).evaluate({})));
    }
  });
});

/** The value as a text, or only that it failed: which of two errors is told first may differ. */
function outcome(run: () => unknown): string {
  try {
    return identityOf(run());
  } catch (error) {
    expect(error).toBeInstanceOf(CelError);
    return 'failed';
  }
}
