import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from './create.js';
import { CelError } from './evaluator.js';
import { NoResources } from './resource-set.test-support.js';

const evaluator = createEvaluator();

function compile(source: string, variables: string[] = ['object', 'container'], limits: { maxNodes?: number; maxNesting?: number } = {}) {
  return evaluator.compile(source, { variables, maxNodes: 2000, maxNesting: 3, ...limits });
}

function evaluate(source: string, scope: { [name: string]: unknown } = {}): unknown {
  return compile(source, Object.keys(scope)).evaluate(scope);
}

/** The error of compiling, as `offset: message`. */
function refusal(source: string, limits: { maxNodes?: number; maxNesting?: number } = {}): string {
  try {
    compile(source, undefined, limits);
    return 'compiles';
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return `${error.offset}: ${error.message}`;
  }
}

describe('compiling', () => {
  it('tells which variables an expression reads, and not those that a macro binds', () => {
    expect([...compile('container.?env.orValue([]).exists(e, e == object)').variables].sort()).toEqual(['container', 'object']);
  });

  it('refuses an unknown name and names the nearest', () => {
    expect(refusal('contaner.image == "a"')).toBe("0: unknown name 'contaner' (did you mean 'container'?)");
    expect(refusal('true || x')).toBe("8: unknown name 'x' (known names: object, container)");
  });

  it('refuses an unknown function and names the nearest', () => {
    expect(refusal('  imag(container)')).toBe("2: unknown function 'imag' (did you mean 'image'?)");
    expect(refusal('"a".startWith("a")')).toBe("0: unknown method 'startWith' (did you mean 'startsWith'?)");
  });

  it('refuses a wrong number of arguments', () => {
    expect(refusal('effective(container)')).toBe("0: 'effective' takes 3 arguments, not 1");
    expect(refusal('"a".matches()')).toBe("0: 'matches' takes 1 argument, not 0");
  });

  it('does not know the variable of a macro outside of its body', () => {
    expect(refusal('list(object).all(e, e == 1) && e == 2')).toContain("31: unknown name 'e'");
    expect(refusal('cel.bind(x, x, x)')).toContain("12: unknown name 'x'");
  });

  it('does not offer what it is made of', () => {
    expect(refusal('"a".matches_("a")')).toContain("unknown method 'matches_'");
    expect(refusal('capture_()')).toContain("unknown function 'capture_'");
    expect(refusal('object.constructor == constructor')).toContain("unknown name 'constructor'");
  });

  it('gives the offset of a syntax error', () => {
    expect(refusal('object.kind == ')).toMatch(/^15: /);
    expect(refusal('"open')).toMatch(/^0: /);
  });

  it('refuses types that can never fit', () => {
    expect(refusal('1 + "a"')).toMatch(/^0: no such overload/);
    expect(refusal('container.?name.startsWith("a")')).toContain('no matching overload');
    expect(refusal('!container.?privileged')).toContain('no such overload');
  });
});

describe('the bounds on cost', () => {
  it('counts nodes', () => {
    // Four operands of two nodes, and three operators.
    expect(refusal('object.a == object.b == object.c == object.d', { maxNodes: 10 })).toContain('more than 10 nodes');
    expect(refusal('object.a == object.b == object.c == object.d', { maxNodes: 11 })).toBe('compiles');
  });

  it('counts loops inside loops, not loops in a row', () => {
    expect(refusal('list(object).filter(a, a == 1).map(a, a).all(a, a == 1)', { maxNesting: 1 })).toBe('compiles');
    expect(refusal('list(object).all(a, list(a).all(b, b == 1))', { maxNesting: 1 })).toMatch(
      /^32: loops .* nested more than 1 level deep/,
    );
    expect(refusal('list(object).all(i, a, list(a).exists(b, b == 1))', { maxNesting: 1 })).toContain('nested more than 1 level deep');
    expect(refusal('list(object).all(a, a.?x.optMap(b, b).hasValue())', { maxNesting: 1 })).toBe('compiles');
  });
});

describe('regular expressions', () => {
  it('run as RE2, in method and function form', () => {
    expect(evaluate('x.matches("^a+$") && matches(x, "a")', { x: 'aaa' })).toBe(true);
    expect(evaluate('x.matches("(?i)^A.c$")', { x: 'abC' })).toBe(true);
    expect(evaluate('x.matches("a.c") || !x.matches("(?s)a.c")', { x: 'a\nc' })).toBe(false);
  });

  it('may be joined from literals', () => {
    expect(evaluate('x.matches("^a" + r"\\d" + "$")', { x: 'a1' })).toBe(true);
  });

  it('are refused where they are no literal or no RE2', () => {
    expect(refusal('text(object).matches(text(container))')).toMatch(/^21: the pattern of matches\(\) must be a literal/);
    expect(refusal('text(object).matches("a" + text(container))')).toMatch(/^21: /);
    expect(refusal('text(object).matches("(?<=a)b")')).toMatch(/^21: not a valid RE2 pattern/);
    expect(refusal('text(object).find("(")')).toMatch(/^18: not a valid RE2 pattern/);
  });

  it('take time linear in the input for a pattern that ruins a backtracking engine', () => {
    expect(evaluate('x.matches("^(a+)+$")', { x: `${'a'.repeat(50_000)}b` })).toBe(false);
  });

  it('are bounded in size', () => {
    expect(refusal(`text(object).matches("${'a{999}'.repeat(100)}")`)).toContain('too large');
    expect(refusal(`text(object).matches("${'a'.repeat(5000)}")`)).toContain('longer than 4096');
  });
});

describe('the lint', () => {
  it('refuses arithmetic on input without a conversion', () => {
    expect(refusal('object.a - 1 == 0')).toMatch(/^0: '-' on an input value needs int/);
    expect(refusal('2 * object.?a.orValue(0) == 0')).toMatch(/^4: '\*' on/);
    expect(refusal('1 + object.a == 2')).toContain("'+' on an input value");
    expect(refusal('-object.a == 2')).toContain("'-' on an input value");
    expect(refusal('type(object.a) == int')).toContain('type() on an input value');
    expect(refusal('int(object.a) % 2 == 0 && double(object.a) * 2.0 > 1.0')).toBe('compiles');
  });

  it('lets texts be joined', () => {
    expect(refusal('"a" + object.kind == "ab"')).toBe('compiles');
  });

  it('refuses to compare an optional with a plain value, which would never be equal', () => {
    expect(refusal('container.?image == "a"')).toMatch(/^0: .*add \.orValue\(…\)/);
    expect(refusal('object.image != container.?image')).toMatch(/^16: an optional never equals a plain value/);
    expect(refusal('container.?image.orValue("") == "a" && container.?a == container.?b')).toBe('compiles');
  });
});

describe('evaluating', () => {
  it('compares the numbers of a document with ints', () => {
    expect(evaluate('x == 80 && x < 81 && x in [80, 443] && [80].exists(p, p == x)', { x: 80 })).toBe(true);
  });

  it('is false, not an error, for an equality across types', () => {
    expect(evaluate('x == "a" || x == 1 || x == true || x == null', { x: [1] })).toBe(false);
    expect(evaluate('x != "a"', { x: { a: 1 } })).toBe(true);
  });

  it('gives CelError with the offset of what failed', () => {
    const program = compile('true && object.a.b == 1');
    expect(() => program.evaluate({ object: { a: 'text' } })).toThrow(CelError);
    expect(() => program.evaluate({ object: { a: 'text' } })).toThrow(expect.objectContaining({ offset: expect.any(Number) }));
    expect(() => evaluate('quantity(x).isInteger()', { x: 'many' })).toThrow('not a quantity');
  });

  it('fails for a variable that the scope lacks', () => {
    expect(() => compile('object').evaluate({})).toThrow(CelError);
  });

  it('reads own keys only', () => {
    const scope = { x: JSON.parse('{"__proto__": {"a": 1}, "b": 1}') as unknown };
    expect(evaluate('!has(x.toString) && !has(x.a) && x.?hasOwnProperty.orValue(0) == 0 && x["__proto__"].a == 1', scope)).toBe(true);
  });

  it('reads a mapping with the key constructor when it comes as a Map', () => {
    const x = new Map<string, unknown>([
      ['constructor', 'c'],
      ['a', [1]],
    ]);
    expect(evaluate('x.constructor == "c" && x.?a.orValue([]) == [1] && keys(x) == ["constructor", "a"]', { x })).toBe(true);
  });

  it('gives the same answer each time, also when an evaluation failed between', () => {
    const program = compile('list(object).map(x, list(container).filter(y, y == x).size())');
    const scope = { object: [1, 2], container: [2, 2] };
    expect(program.evaluate(scope)).toEqual([0n, 2n]);
    expect(() => program.evaluate({})).toThrow(CelError);
    expect(program.evaluate(scope)).toEqual([0n, 2n]);
  });

  it('does not keep the shapes of what it has seen', () => {
    const program = compile('object == container');
    const shape = (bits: number) =>
      Array.from({ length: 12 }, (_, i) => i).reduce<unknown>((inner, i) => ((bits >> i) & 1 ? [inner] : { k: inner }), 1);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    for (let bits = 0; bits < 100; bits += 1) program.evaluate({ object: shape(bits), container: shape(bits) });
    const before = heap();
    for (let bits = 0; bits < 4096; bits += 1) expect(program.evaluate({ object: shape(bits), container: shape(bits) })).toBe(true);
    expect(heap() - before).toBeLessThan(50 * 1024 * 1024);
  });
});

describe('the set of resources', () => {
  class TwoNamespaces extends NoResources {
    override ofKind(kind: string): readonly unknown[] {
      return kind === 'Namespace' ? [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] : [];
    }

    override lookup(kind: string, _namespace: string, name: string): unknown {
      return this.ofKind(kind).find((item) => (item as { metadata: { name: string } }).metadata.name === name);
    }
  }

  it('is asked through a subclass of the engine', () => {
    const resources = new TwoNamespaces();
    expect(evaluate('resources.ofKind("Namespace").map(n, n.metadata.name)', { resources })).toEqual(['a', 'b']);
    expect(evaluate('resources.lookup("Namespace", "", "b").optMap(n, n.metadata.name).orValue("none")', { resources })).toBe('b');
    expect(evaluate('resources.lookup("Namespace", "", "c").hasValue()', { resources })).toBe(false);
  });
});
