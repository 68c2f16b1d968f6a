import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type Language } from '../compile.js';
import { createLanguage } from '../create.js';
import { identityOf } from '../equality.js';
import { CelError } from '../evaluator.js';
import { FUNCTIONS } from '../functions.js';
import { MACROS } from '../macros.js';
import { celValue } from '../values.js';

const fast = createLanguage();
const { evaluator: _evaluator, ...slow }: Language = fast;

/** Expressions as rules write them, with every form that has a fast path. */
const EXPRESSIONS = [
  'x.?a.?b.orValue(false) != true',
  'x.?a[?"b"].orValue("") == "a" || list(x.?a)[?0].hasValue()',
  'x.a.b == y.a',
  'x["a"]["b"] != y',
  'x.a > 1 && y.b <= x.a',
  'x.?a.orValue(0) >= y.?a.orValue(1)',
  'x.a < y.a ? x.b : y.b',
  '"a" in x || "b" in y.a',
  'x in ["a", "b", 1, true]',
  'x in y',
  '!(x == null) && !x.a',
  'x.a && (y.a || x.b)',
  'x.a || y.b.c',
  'x + y',
  '"a" + text(x) + show(y)',
  'x.all(i, i == "a")',
  'x.exists(i, i.a == y)',
  'list(x).filter(i, i != y).map(i, [i, y])',
  'x.map(i, x.filter(j, j == i).size())',
  'x.all(i, y.exists(j, i == j) || i.a)',
  'x.exists_one(i, i == y)',
  'x.map(i, i == y, i)',
  'map(x).all(k, v, k == v || v.a)',
  'map(x).transformList(k, v, v == 1, k)',
  'text(x).startsWith(text(y)) || text(x).matches("^a+b?$")',
  'x.startsWith(y) || x.contains("a") && x.endsWith("b")',
  'x.split(",").size() + size(y)',
  'x.?a.optMap(a, a == y).orValue(x == y)',
  'x.?a.or(y.?a).orValue(1)',
  'has(x.a) && has(x.a.b)',
  'cel.bind(z, x.?a.orValue(y), z == y)',
  'optional.of(x).a.b.hasValue()',
  'number(x, 0) < number(y, 1) && -number(x, 0) < 3',
  'x.?a == y.?a',
  '[x, y, [x]] == [y, x, [y]]',
  '{"a": x, "b": y}.?a.orValue(1) == y',
  'keys(x).sort() == keys(y).sort() && x == y',
  'effective(x, y, "a").orValue(y) == x',
  'mountedWritable(x, y) || isUnder(x, ["/a", y])',
];

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

/** Documents of few words, so that values meet often. */
function value(): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('a', 'b', 'ab', '', 0, 1, 1.5, Number.NaN, 1n, 2n, true, false, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '0', 'constructor', '__proto__', 'name'), tie('tree'), { maxKeys: 3 }),
    ),
  }));
  return tree.map(celValue);
}
