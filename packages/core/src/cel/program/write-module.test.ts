import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forCel, type JsonObject, noteUnknown } from '../../resource/index.js';
import { forgetRaised, raisedUnknown, UnknownError } from '../../undecided.js';
import { StepBudget } from '../budget/budget.js';
import { createLanguage } from '../compiler.js';
import { CelError, type Program } from '../evaluator.js';
import { documentValue, EXPRESSIONS, INCOMPLETE } from '../fast/expressions.test-support.js';
import { FUNCTIONS } from '../functions.js';
import { MACROS } from '../macros/index.js';
import { NoResources } from '../resource-set.test-support.js';
import { modulePrograms } from '../runtime/module-programs.js';
import { type Precompiled, programOf } from '../runtime/precompiled.js';
import { identityOf } from '../standard/equality.js';
import { compile, type Language } from './compile.js';
import { writeModule } from './write-module.js';

const language = createLanguage();
const { evaluator: _evaluator, ...interpreted }: Language = language;
const BOUNDS = { maxNodes: 2000, maxNesting: 3 };
const OPTIONS = { variables: ['x', 'y'], ...BOUNDS };

/** Beside those of the test of `accelerate`: all that has a stand-in, and what unusual operands do. */
const MORE = [
  'dyn(x) + dyn(y) == x || dyn(x) - dyn(y) == y',
  'dyn(x) * dyn(y) == x || dyn(x) / dyn(y) == x || dyn(x) % dyn(y) == y',
  '-dyn(x) == y || [-dyn(y)] == [x]',
  'x < y || x <= y || x > y || x >= y',
  'x in [1, 1.5, true, null] || y in list(x) || [x] in list(y) || x in [["a"], [1]]',
  'double(x) == 1.0 || string(y) == "1" || bool(x)',
  'double(y) > 0.5 ? string(x) : string(double(x))',
  'size(x) == 1 || size(y) > 0 || y.size() == 1',
  'list(x).join() == "ab" || list(y).join(",") == "a,b"',
  'x[?y].hasValue() || x[?text(y)].orValue(1) == 1 || x.?a[?y].hasValue() || list(x)[?0] == y.?a',
  'optional.of(x) == y.?a || x.?a != y.?b || optional.of(x).value() == y',
  '[x.?a, y.?a, optional.none()].filter(o, o.hasValue()).map(o, o.value())',
  '[x.?a, optional.of(y)].exists(o, o.?b.hasValue()) || [[x.?a]].flatten().exists(o, text(o) == "a")',
  'cel.bind(o, x.?a, o.hasValue() ? o.value() == y : o.orValue(y) == 1)',
  'cel.bind(m, {"a": x, "b": [y]}, m.b.exists(i, i == m.a) || m[text(y)] == x)',
  '[[1, 2], [3]].map(l, l.size()) == x || [1.5, 2.5].exists(d, d == y) || [1, 2].all(i, i < 3 && x == i)',
  'math.floor(x) == y || math.greatest(dyn(x), dyn(y)) == x',
  'list(x).first().orValue(y) == y.?a.orValue(1) || list(x).distinct() == list(y)',
  'text(x).matches("a|b") || text(y).find("(a|a?)+b") == x || x.split(",") == y',
  'number(x, 1) == 1 ? 3u == 3u : b"a" == b"a" || x == 1u',
  'type(dyn(x)) == string || type(dyn(y)) == type(dyn(x))',
];

/** What a resource that is not in the input leaves undecided, and what another operand decides. */
const REFERENCES = [
  'resources.referenced("g/K", "n", text(x.?name)).hasValue()',
  '!resources.referenced("g/K", "n", text(x.?name)).hasValue() || text(x.?name) == "b"',
  'text(x.?name) == "b" || resources.referenced("g/K", "n", text(x.?name)).?spec.?name.orValue("") == "a"',
  'resources.referenced("g/K", "n", text(x.?name)).hasValue() && resources.referenced("g/K", "n", "c").hasValue() && text(x.?name) != "a"',
  'list(x.?names).exists(name, resources.referenced("g/K", "n", text(name)).hasValue())',
  'list(x.?names).all(name, resources.referenced("g/K", "n", text(name)).?spec.?name.orValue("") != "b" || name == "c")',
  'list(x.?names).filter(name, resources.referenced("g/K", "n", text(name)).hasValue()).size() > 1 || list(x.?names).size() == 0',
  'cel.bind(found, resources.referenced("g/K", "n", text(x.?name)), found.?spec.?name.orValue("") == "a" || !found.hasValue())',
  'resources.referenced("g/K", "n", text(x.?name)).hasValue() ? list(x.?names).size() > 1 : resources.referenced("g/K", "n", "b").hasValue()',
  '"name " + resources.referenced("g/K", "n", text(x.?name)).?spec.?name.orValue("")',
];

/** The programs of a module, as another process would load it. */
function programsOf(sources: readonly string[], variables: readonly string[]): ReadonlyMap<string, Precompiled> {
  const text = writeModule(
    language,
    sources.map((source) => ({ source, variables })),
    BOUNDS,
  );
  const module: { exports: unknown } = { exports: undefined };
  new Function('module', text)(module);
  return modulePrograms(module.exports);
}

/** All that a caller can see: the value or the error, the steps, and what was unknown. */
function outcome(program: Program, scope: { readonly [variable: string]: unknown }, steps: number): unknown {
  const budget = new StepBudget(steps);
  forgetRaised();
  const result = budget.run(() => {
    try {
      return { value: program.evaluate(scope) };
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return { error: error.constructor.name, message: error.message, offset: error.offset };
    }
  });
  return { ...result, ...('value' in result && { value: shown(result.value) }), left: budget.left, raised: raisedUnknown()?.message };
}

/** What the value is, as far as it is known. */
function shown(value: unknown): string {
  try {
    return identityOf(value);
  } catch (error) {
    if (error instanceof UnknownError) return 'unknown';
    throw error;
  }
}

/** Compares code made ahead of time with the compiled program, each time as if it were the first. Counts how often the code did not give up. */
function comparison(source: string, variables = OPTIONS.variables) {
  const [[, code] = fail()] = programsOf([source], variables);
  const compiled = compile(language, source, { variables, ...BOUNDS });
  const counts = { ran: 0 };
  return {
    counts,
    compare(scope: { readonly [variable: string]: unknown }, steps = 1e9) {
      let gaveUp = false;
      const program = programOf(source, code, () => {
        gaveUp = true;
        return compiled;
      });
      expect(outcome(program, scope, steps), source).toEqual(outcome(compiled, scope, steps));
      if (!gaveUp) counts.ran += 1;
    },
  };
}

function fail(): never {
  throw new Error('the module is empty');
}

describe('code that was made ahead of time', () => {
  it.each([...EXPRESSIONS, ...MORE])('%s gives the result, the error and the steps of the compiled expression', (source) => {
    const { compare } = comparison(source);
    fc.assert(
      fc.property(documentValue(), documentValue(), (x, y) => compare({ x, y })),
      { numRuns: 300 },
    );
  });

  it.each(INCOMPLETE)('%s does so when a variable has no value', (source) => {
    const { compare } = comparison(source);
    fc.assert(fc.property(documentValue(), (y) => compare({ y })));
  });

  it.each([...EXPRESSIONS, ...MORE])('%s does so when it runs out of steps', (source) => {
    const { compare } = comparison(source);
    const steps = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(documentValue(), documentValue(), steps, (x, y, limit) => compare({ x, y }, limit)),
      { numRuns: 100 },
    );
  });

  it.each([...EXPRESSIONS, ...MORE])('%s does so when something is unknown', (source) => {
    const { compare } = comparison(source);
    const pointer = fc.constantFrom('', '/a', '/b', '/0', '/a/b', '/c');
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    fc.assert(
      fc.property(object, object, pointer, (x, y, at) => {
        const known = structuredClone(x) as JsonObject; // of JSON values
        noteUnknown(known, [{ pointer: at === '' ? '/a' : at, reason: 'unknown-value', message: 'it is not known' }]);
        compare({ x: forCel(known), y });
      }),
      { numRuns: 100 },
    );
  });

  it.each(REFERENCES)('%s does so when a resource is not in the input, and needs no compiler', (source) => {
    const { compare, counts } = comparison(source, ['x', 'resources']);
    const names = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'));
    const list = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 4 });
    let runs = 0;
    fc.assert(
      fc.property(names, list, fc.boolean(), (inSet, x, complete) => {
        const resources = new (class extends NoResources {
          override readonly complete = complete;
          override lookup = (_kind: string, _namespace: string, name: string) => (inSet.includes(name) ? { spec: { name } } : undefined);
        })();
        compare({ x: { names: x, name: x[0] ?? 'a' }, resources });
        runs += 1;
      }),
    );
    expect(counts.ran).toBe(runs);
  });

  it('does so on arbitrary JSON', () => {
    const comparisons = [...EXPRESSIONS, ...MORE].map((source) => comparison(source));
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(json, json, (x, y) => {
        for (const { compare } of comparisons) compare({ x, y });
      }),
      { numRuns: 60 },
    );
  });

  it('does so for every example of the reference', () => {
    for (const { example } of [...FUNCTIONS, ...MACROS].filter(({ example }) => !example.includes('resources.')))
      comparison(example).compare({});
  });

  it('gives what the library gives', () => {
    const input = fc.tuple(documentValue(), documentValue());
    for (const source of MORE) {
      const plain = compile(interpreted, source, OPTIONS);
      const [[, code] = fail()] = programsOf([source], OPTIONS.variables);
      fc.assert(
        fc.property(input, ([x, y]) => {
          const program = programOf(source, code, () => compile(language, source, OPTIONS));
          expect(resultOf(() => program.evaluate({ x, y }))).toBe(resultOf(() => plain.evaluate({ x, y })));
        }),
        { numRuns: 100 },
      );
    }
  });

  it('needs no compiler for what rules do with a usual document', () => {
    const x = { a: { b: 'c' }, list: ['a', 'b'], n: 5, ports: [{ port: 80, name: 'x' }], flag: true };
    for (const source of [
      'x.?a.?b.orValue("") == "c" && "a" in list(x.?list) && !(0 in list(x.?list))',
      'list(x.?ports).exists(p, number(p.?port, 0) < 1024 && p.?name.hasValue()) && x.?flag.orValue(false)',
      '[x.?a, x.?b].filter(o, o.hasValue()).map(o, o.value()).size() == 1 && x.a[?"b"].hasValue()',
      '"has " + list(x.?list).join(", ") + show(x.?n) != "" && double(number(x.?n, 0)) * 2.0 > 1.0',
      'x.?a == x.?a && x.a == {"b": "c"} && x.list == ["a", "b"] && x.?n != x.?flag && size(x.list) == 2',
      'text(x.a.b).startsWith("c") && text(x.a.b).endsWith("c") && !text(x.a.b).contains("d") && text(x.a.b).matches("^c$")',
    ]) {
      const { compare, counts } = comparison(source);
      compare({ x, y: null });
      expect(counts.ran, source).toBe(1);
    }
  });

  it('stays the compiled program once it has given up', () => {
    const source = 'x.a == 1';
    const [[, code] = fail()] = programsOf([source], ['x']);
    let compilations = 0;
    const program = programOf(source, code, () => {
      compilations += 1;
      return compile(language, source, OPTIONS);
    });
    expect(program.evaluate({ x: { a: 1 } })).toBe(true);
    expect(compilations).toBe(0);
    expect(() => program.evaluate({ x: {} })).toThrow('No such key: a');
    expect(program.evaluate({ x: { a: 2 } })).toBe(false);
    expect(() => program.evaluate({ x: null })).toThrow(CelError);
    expect(compilations).toBe(1);
    expect(program.conjuncts()).toEqual([source]);
  });

  it('tells the variables that the expression reads', () => {
    expect([...(programsOf(['x.a == 1 && [1].all(i, i == 1)'], ['x', 'y']).values().next().value?.variables ?? [])]).toEqual(['x']);
  });
});

describe('a module of code', () => {
  it('is the same for the same expressions', () => {
    const expressions = [...EXPRESSIONS, ...MORE].map((source) => ({ source, variables: OPTIONS.variables }));
    expect(writeModule(createLanguage(), expressions, BOUNDS)).toBe(writeModule(language, expressions, BOUNDS));
  });

  it('holds no text of an expression but as a literal', () => {
    const hostile = fc.constantFrom('"', "'", '`', '\\', '${', '}', '\n', '\r', '\u2028', '\u2029', '*/', '//', ');throw 1;(', '__proto__');
    fc.assert(
      fc.property(
        fc.array(hostile).map((parts) => parts.join('')),
        (text) => {
          const literal = JSON.stringify(text);
          const source = `[x == ${literal}, x in [${literal}], {${literal}: 1}[?${literal}].hasValue(), x[?${literal}].hasValue(), x.contains(${literal})]`;
          const { compare, counts } = comparison(source, ['x']);
          compare({ x: text });
          expect(counts.ran).toBe(1);
        },
      ),
    );
  });

  it('holds variables and patterns as literals, too', () => {
    const { compare, counts } = comparison(String.raw`text(x).matches(r'^["\x60]$') && y in {"*/": 1}`);
    for (const x of ['"', '`', "'", 1]) compare({ x, y: '*/' });
    expect(counts.ran).toBe(4);
  });
});

function resultOf(run: () => unknown): string {
  try {
    return identityOf(run());
  } catch (error) {
    expect(error).toBeInstanceOf(CelError);
    return 'failed';
  }
}
