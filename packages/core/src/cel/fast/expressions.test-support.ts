import fc from 'fast-check';
import { celValue } from '../standard/values.js';

/** Expressions as rules write them, with every form that has a fast path. */
export const EXPRESSIONS = [
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
  // operands that need statements, in every place that an operand can have
  'x.a || list(y).exists(i, i == x)',
  'list(x).exists(i, i == y) || x.a',
  'x.a && list(y).all(i, i.a) && y.b',
  'x.a ? list(y).map(i, i) : list(x).filter(i, i.a)',
  'x.?a.orValue(list(y).exists(i, i.b))',
  'x.?a.or(list(y).filter(i, i == x)[?0]).orValue(2) == y',
  'list(x).all(i, list(y).all(j, list(i).exists(k, k == j) || i == j))',
  'list(x).map(i, list(y).map(i, i).size() + size(list(i)))',
  'cel.bind(a, list(x).filter(i, i == y), cel.bind(b, a.size(), b > 0 && a == [y]))',
  'cel.bind(a, text(x), list(y).map(a, a) == [a])',
  'keys(x).all(k, k == "a" || y[k] == 1)',
  'list(x).map(i, y.a, i) == list(x).filter(i, y.a)',
  '!list(x).exists(i, i.a) && (x.a || !y.b)',
  // what is known of a value
  'size(list(x)) == 0 || 2 < size(list(y))',
  'x[0] == y || list(y)[1] == x || text(x).split("a")[2] == y',
  'size(list(x)) >= 2 ? size(list(x)) : size(y)',
  'text(x) == text(y) || text(x) in ["a", "b"] || x in ["a", "b", "c", "d", "e", "f", "g", "h", "i"]',
  'text(x) in ["a", "b", "c", "d", "e", "f", "g", "h", "ab"]',
  'x == null || null != y || x == "a" || true == y || x != false',
  '"a" + "b" == text(x) + "b" && list(x) + list(y) == x + y',
  'x == 1 || x != 1.5 || y < 2 || y >= 1.5',
  'x.size() == 2 || "constructor" in x || "b" in list(x)',
  'x[y] == x.?a.orValue(1) || x[?"a" + text(y)].hasValue() || x[?y].hasValue()',
  'x.constructor == 1 || x.?toString.hasValue() || x["__proto__"] == y',
  '{"a": 1, "constructor": x, y: 2} == {"a": x}',
  '[x, y].exists(i, i == null || i.?a.orValue("") == "a")',
  '[x.?a, y.?b].exists(i, i.orValue(1) == 1)',
  '[x.?a, optional.of(y)].map(i, text(i))',
  // what the library runs, with the variables of macros around it
  'list(x).exists(i, has(i.a) && has(x.b))',
  'list(x).map(i, map(i).transformList(k, v, list(y).exists(j, j == v && i != k)))',
  'list(x).map(i, i.?a.optMap(a, [a, i].filter(j, j != y)).orValue([]))',
  'list(x).sortBy(i, text(i)).map(i, cel.bind(j, i, j == y))',
  '-number(x, 0) == y || double(number(x, 0)) - double(number(y, 0)) == 0.0 || double(number(x, 0)) * 2.0 > 3.0',
  'int(number(x, 1)) / int(number(y, 0)) == 1 || int(number(x, 0)) % int(number(y, 2)) == 1',
  'x.lowerAscii().split(y)[0].trim() == y.replace("a", "b") || text(x).upperAscii().find("[A-Z]") == y',
];

/** Of these, `x` is given no value. */
export const INCOMPLETE = ['y == 1 || x == 1', 'x.a || y', 'list(y).exists(i, i == 1 || x.a)', 'map(y).all(k, v, v == 1 && x)'];

/** Documents of few words, so that values meet often. */
export function documentValue(): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('a', 'b', 'ab', '', 0, 1, 1.5, Number.NaN, 1n, 2n, true, false, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc
        .dictionary(fc.constantFrom('a', 'b', 'c', '0', 'constructor', '__proto__', 'name'), tie('tree'), { maxKeys: 3 })
        .filter((members) => !isLikePrototype(Object.getOwnPropertyDescriptor(members, '__proto__')?.value)),
    ),
  }));
  return tree.map(celValue);
}

/** The library takes any map to have a member `__proto__` that is an empty map, when it compares the map with one that has it. */
function isLikePrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
