import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forCel, getPointer, type JsonObject, type JsonValue, noteUnknown } from '../../resource/index.js';
import type { UnknownValue } from '../../undecided.js';
import { createLanguage } from '../compiler.js';
import { CelError, UndecidedError } from '../evaluator.js';
import { NoResources } from '../resource-set.test-support.js';
import { identityOf } from '../standard/equality.js';
import { compile, type Language } from './compile.js';

const fast = createLanguage();
const { evaluator: _evaluator, ...slow }: Language = fast;
const OPTIONS = { variables: ['object', 'other', 'resources'], maxNodes: 2000, maxNesting: 3 };

function unknownAt(...pointers: string[]): UnknownValue[] {
  return pointers.map((pointer) => ({ pointer, reason: 'unknown-value', message: `${pointer} is not known.` }));
}

function scopeOf(object: JsonObject, unknown: readonly UnknownValue[], other: JsonValue = null) {
  noteUnknown(object, unknown);
  return { object: forCel(object), other };
}

/** The value, `failed`, or `undecided`. */
function outcome(language: Language, source: string, scope: { readonly [variable: string]: unknown }): string {
  try {
    return identityOf(compile(language, source, OPTIONS).evaluate(scope));
  } catch (error) {
    expect(error).toBeInstanceOf(CelError);
    return error instanceof UndecidedError ? 'undecided' : 'failed';
  }
}

describe('an expression over a value that is not known', () => {
  const object = () => ({ known: 'a', list: [{ a: 1 }, { a: 2 }], map: { x: 'y' }, broken: 3 });
  const scope = () => scopeOf(object(), unknownAt('/acl', '/list/1/a', '/map/z'));

  it.each([
    // what decides without it
    ['false && object.acl == "x"', 'false'],
    ['object.acl == "x" && false', 'false'],
    ['true || object.acl', 'true'],
    ['text(object.?acl) == "x" || object.known == "a"', 'true'],
    ['!(text(object.?acl) == "x" && object.known == "b")', 'true'],
    ['object.list.exists(i, i.a == 1)', 'true'],
    ['object.list.all(i, i.a == 2)', 'false'],
    ['list(object.?list).exists(i, text(i.?a) == "" && i.?a.orValue(0) == 1)', 'true'],
    ['object.known == "a" ? true : object.acl', 'true'],
    ['size(object.list) == 2', 'true'],
    ['object.list[0].a == 1', 'true'],
    ['has(object.known) && !has(object.absent)', 'true'],
    ['object.map.x == "y"', 'true'],
    ['"x" in object.map', 'true'],
    // what does not
    ['object.acl == "x"', 'undecided'],
    ['object.acl != "x"', 'undecided'],
    ['has(object.acl)', 'undecided'],
    ['object.?acl.hasValue()', 'undecided'],
    ['object.?acl.orValue("private") == "private"', 'undecided'],
    ['text(object.?acl) == ""', 'undecided'],
    ['list(object.?acl) == []', 'undecided'],
    ['object.list.exists(i, i.a == 3)', 'undecided'],
    ['object.list.all(i, i.a == 1 || i.a == 2)', 'undecided'],
    ['object.list.map(i, i.a) == [1, 2]', 'undecided'],
    ['object == {"known": "a"}', 'undecided'],
    ['object == other', 'false'],
    ['"z" in object.map', 'undecided'],
    ['size(object.map) == 1', 'undecided'],
    ['keys(object.?map) == ["x"]', 'undecided'],
    ['object.acl ? true : true', 'undecided'],
    ['true && object.acl', 'undecided'],
    ['false || object.acl', 'undecided'],
    // an error beside it says nothing yet
    ['object.acl == "x" && object.broken.a', 'undecided'],
    ['object.broken.a || object.acl', 'undecided'],
    ['object.broken.a && false', 'false'],
    ['object.broken.a && true', 'failed'],
  ])('%s is %s', (source, wanted) => {
    expect(outcome(fast, source, scope())).toBe(wanted);
    // The library may leave open what we decide, and decides nothing else.
    expect([wanted, 'undecided']).toContain(outcome(slow, source, scope()));
  });

  it('names the first unknown value that it reads', () => {
    const program = compile(fast, 'object.acl == 1 || object.list[1].a == 1', OPTIONS);
    expect(() => program.evaluate(scope())).toThrow(expect.objectContaining({ unknown: unknownAt('/acl')[0] }));
  });

  it('is told from an error in another evaluation', () => {
    expect(outcome(fast, 'true || object.acl', scope())).toBe('true');
    expect(outcome(fast, 'object.acl || true', scope())).toBe('true');
    expect(outcome(fast, 'object.known.a', { object: object() })).toBe('failed');
  });

  it('is undecided wherever the unknown value is below what has no place for it', () => {
    expect(outcome(fast, 'object.known == "a"', scopeOf(object(), unknownAt('/known/deep/deeper')))).toBe('undecided');
    expect(outcome(fast, 'size(object.list) == 2', scopeOf(object(), unknownAt('/list/7')))).toBe('undecided');
    expect(outcome(fast, 'object.known == "a"', scopeOf(object(), unknownAt('')))).toBe('undecided');
    expect(outcome(fast, 'object.constructor.x == 1', scopeOf({ constructor: { x: 1 } }, unknownAt('/constructor/y')))).toBe('true');
    expect(outcome(fast, 'object.constructor == 1', scopeOf({ constructor: 1, b: 1 }, unknownAt('/b')))).toBe('undecided');
    expect(outcome(fast, 'object.__proto__ == 1', scopeOf({ a: 1 }, unknownAt('/__proto__')))).toBe('undecided');
  });

  it('is undecided if a resource that the object refers to is not in the set', () => {
    const resources = new (class extends NoResources {
      override lookup = (_kind: string, _namespace: string, name: string) => (name === 'a' ? { name } : undefined);
    })();
    const refers = (name: string, rest = '') =>
      outcome(fast, `resources.referenced("g/Kind", "n", "${name}").hasValue()${rest}`, { resources });
    expect([refers('a'), refers(''), refers('b'), refers('b', ' || true'), refers('b', ' && false')]).toEqual([
      'true',
      'false',
      'undecided',
      'true',
      'false',
    ]);
    const program = compile(fast, 'resources.referenced("g/Kind", "n", "b").hasValue()', OPTIONS);
    const unknown = { reason: 'outside-input', message: 'Kind n/b is not in the input.' };
    expect(() => program.evaluate({ resources })).toThrow(expect.objectContaining({ unknown }));
    const complete = new (class extends NoResources {
      override readonly complete = true;
    })();
    expect(program.evaluate({ resources: complete })).toBe(false);
  });

  it('knows what the API creates itself', () => {
    const known = (kind: string, namespace: string, name: string) =>
      outcome(fast, `resources.referenced("${kind}", "${namespace}", "${name}").hasValue()`, { resources: new NoResources() });
    expect(known('ServiceAccount', 'shop', 'default')).toBe('true');
    expect(known('Namespace', '', 'kube-system')).toBe('true');
    expect(known('PriorityClass', '', 'system-node-critical')).toBe('true');
    expect(known('Service', 'default', 'kubernetes')).toBe('true');
    expect(known('Service', 'shop', 'kubernetes')).toBe('undecided');
    expect(known('toString', '', 'x')).toBe('undecided');
  });
});

/** As rules write them; `x` and `y` are members of the object. */
const EXPRESSIONS = [
  'object.?x.?a.orValue(false) != true && text(object.?y) == "a"',
  'text(object.?x) == "a" || object.?y.orValue(1) == 1',
  '!has(object.x) || object.x == object.?y.orValue(0)',
  'list(object.?x).exists(i, i == "a") || list(object.?y).all(i, i == 1)',
  'list(object.?x).filter(i, text(i) == "a").size() > 0',
  'list(object.?x).map(i, text(i.?a)).exists(t, t == "a")',
  'keys(object.?x).exists(k, k == "a") && "b" in object.y',
  'map(object.?x).all(k, v, v == 1) || size(object.x) == 0',
  'object.x == object.y ? object.?x.hasValue() : object.?y.hasValue()',
  'show(object.?x) == "a" || values(object.?y) == [1]',
  'object.x.a && (object.y.b || true)',
  'object.?x.?a.or(object.?y.?a).orValue(1) == 1',
  'cel.bind(z, object.?x.orValue([]), z == object.?y.orValue([]) || "a" in z)',
  'object == {"x": 1} || object.?x[?0].orValue(2) == 2',
  'object.x > 1 || object.y < 2',
  'effective(object, object.?x, "y").orValue(1) == 1',
  'entries(object.?x).exists(e, e.key == "a" && e.value == 1)',
  'lists.range(2).exists(i, list(object.?x)[?i].orValue(0) == 1)',
  'list(object.?x).transformList(i, v, v == 1).exists(b, b) && !list(object.?y).existsOne(v, v == 1)',
  'list(object.?x).sortBy(i, text(i)).size() == 1 || sets.contains(list(object.?x), [1])',
];

describe('a decided outcome', () => {
  it.each(EXPRESSIONS)('of %s holds whatever the unknown values turn out to be', (source) => {
    let decided = 0;
    fc.assert(
      fc.property(
        object(),
        fc.array(pointer(), { minLength: 1, maxLength: 2 }),
        fc.array(replacement(), { minLength: 4, maxLength: 4 }),
        (known, pointers, values) => {
          const unknown = scopeOf(without(known, pointers), unknownAt(...pointers));
          for (const language of [fast, slow]) {
            const said = outcome(language, source, unknown);
            if (said === 'undecided') continue;
            decided += 1;
            for (const value of values) expect(outcome(language, source, { object: filled(known, pointers, value) })).toBe(said);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(decided).toBeGreaterThan(0);
  });
});

const scalar = () => fc.constantFrom<JsonValue>('a', 'b', '', 0, 1, true, false);

function object(): fc.Arbitrary<JsonObject> {
  const part = () =>
    fc.oneof(scalar(), fc.array(inner(), { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner(), { maxKeys: 3 }));
  const inner = () => fc.oneof(scalar(), fc.dictionary(fc.constantFrom('a', 'b'), scalar(), { maxKeys: 2 }));
  return fc.dictionary(fc.constantFrom('x', 'y', 'z'), part(), { maxKeys: 3 });
}

function pointer(): fc.Arbitrary<string> {
  return fc.constantFrom('/x', '/y', '/x/a', '/y/b', '/x/0', '/x/1/a', '/y/0/a', '/z');
}

/** `undefined` leaves the value out. */
function replacement(): fc.Arbitrary<JsonValue | undefined> {
  return fc.oneof(fc.constant(undefined), scalar(), fc.constantFrom<JsonValue>(['a'], [1], { a: 1 }, { a: 'a' }, []));
}

/** As a plan has it: members that are not known are left out, items are null. */
function without(value: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce((object, at) => replaced(object, at, undefined), structuredClone(value));
}

function filled(value: JsonObject, pointers: readonly string[], by: JsonValue | undefined): JsonObject {
  return pointers.reduce((object, at) => replaced(object, at, by), structuredClone(value));
}

function replaced(object: JsonObject, at: string, by: JsonValue | undefined): JsonObject {
  const slash = at.lastIndexOf('/');
  const [holder, key] = [getPointer(object, at.slice(0, slash)), at.slice(slash + 1)];
  if (Array.isArray(holder)) {
    if (Number(key) < holder.length) holder[Number(key)] = by ?? null;
  } else if (typeof holder === 'object' && holder !== null) {
    if (by === undefined) delete holder[key];
    else holder[key] = by;
  }
  return object;
}
