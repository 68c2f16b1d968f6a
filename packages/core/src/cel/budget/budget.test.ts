import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';
import { CelError } from '../evaluator.js';
import { MAX_STEPS, StepBudget } from './budget.js';

const evaluator = createEvaluator();
const TEXT = `${'a'.repeat(50_000)}b`;
const numbers = Array.from({ length: 5_000 }, (_, index) => index);
const scope = {
  x: TEXT,
  // The same characters in another place of the memory.
  y: [...TEXT].join(''),
  // No automaton of few states follows it.
  z: Array.from({ length: 50_000 }, (_, index) => 'ab'[Math.floor(Math.sin(index) * 1e4) & 1]).join(''),
  n: numbers,
  s: numbers.map((number) => `${'x'.repeat(50)}${number}`),
  l: numbers.map((number) => ({ name: `n${number}`, value: number })),
  m: Object.fromEntries(numbers.map((number) => [`k${number}`, number])),
};

function compile(source: string) {
  return evaluator.compile(source, { variables: Object.keys(scope), maxNodes: 2000, maxNesting: 3 });
}

/** Ten milliseconds or so. */
const FEW = 1_000_000;

describe('the steps of an evaluation', () => {
  // Each of them would take minutes, hours or all memory.
  it.each([
    ['loops in loops', 'n.all(a, n.all(b, n.all(c, a >= 0)))'],
    ['loops over the characters of a text', 'x.split("").all(a, y.split("").all(b, x.split("").all(c, a != "c" || b != c)))'],
    ['loops that bind two variables', 'n.all(i, a, !n.exists(j, b, n.exists(k, c, c == "c")))'],
    ['loops that make maps', 'n.transformMap(i, a, n.transformMap(j, b, n.transformMap(k, c, c)))'],
    ['errors that || sets aside', 'n.exists(a, n.exists(b, n.exists(c, a.missing || b.missing)))'],
    ['lists of lists', 'n.map(a, n.map(b, n.map(c, [a, b, c])))'],
    ['lists that are joined', 'n.map(a, n.map(b, n + n))'],
    ['a list that is doubled', `cel.bind(a, ${sum('n')}, cel.bind(b, ${sum('a')}, cel.bind(c, ${sum('b')}, size(${sum('c')}) > 1)))`],
    ['a text that is doubled', `cel.bind(a, ${sum('x')}, cel.bind(b, ${sum('a')}, cel.bind(c, ${sum('b')}, (${sum('c')}).contains("z"))))`],
    ['texts that are compared', 'n.all(a, n.all(b, x == y))'],
    ['texts that are compared as values', 'n.all(a, n.all(b, [x][0] == {"a": y}.a))'],
    ['texts that are ordered', 'n.all(a, n.all(b, !(x < y)))'],
    ['texts that are searched', 'n.all(a, n.all(b, !x.contains("z")))'],
    ['texts that are searched for long ones', 'n.all(a, x.indexOf(x.substring(9, 25000) + "c" + x.substring(9, 25000)) < 0)'],
    ['texts that are split', 'n.all(a, n.all(b, x.split("a").size() > 1))'],
    ['texts that are measured', 'n.all(a, n.all(b, x.size() > 1))'],
    ['texts that are replaced', 'n.all(a, n.all(b, x.replace("a", "bb") != ""))'],
    ['texts that are cut', 'n.all(a, n.all(b, x.substring(1) != ""))'],
    ['texts that are joined', 'n.all(a, n.all(b, s.join(x) != ""))'],
    ['texts that are formatted', 'n.all(a, n.all(b, "%s".format([s]) != ""))'],
    ['texts that are decoded', 'n.all(a, n.all(b, base64Decode(x) != ""))'],
    ['texts that are parsed', 'n.all(a, n.all(b, parseJson(x) == null && parseYaml(x) != 1))'],
    ['texts that are parsed as durations', 'duration(x.replace("a", "1")) > duration("1s")'],
    ['times in time zones', 'n.all(a, n.all(b, timestamp("2009-02-13T23:31:30Z").getHours("Europe/Berlin") < 24))'],
    ['patterns of the engine', 'n.all(a, n.all(b, !x.matches("(a|a|a)(a|a|a)aaaaaac")))'],
    ['patterns of RE2', 'n.all(a, n.all(b, !x.matches("^(a+)+$")))'],
    ['a pattern with many states', 'n.all(a, n.all(b, !z.matches("a[ab]{60}(c|d)(c|d)?(e|f)*g")))'],
    ['matches that are found', 'n.all(a, n.all(b, x.findAll("(a|b){3}(c|a)?").size() > 1))'],
    ['matches of which each is looked for to the end', 'x.findAll("a(.*c)?").size() > 1'],
    ['lists that are searched', 'n.all(a, n.all(b, !("z" in s)))'],
    ['lists that are searched for maps', 'n.all(a, n.all(b, !({"name": "z"} in l)))'],
    ['lists that are compared', 'n.all(a, n.all(b, l == l.map(c, c)))'],
    ['lists that are sorted', 'n.all(a, n.all(b, s.sort().size() > 1))'],
    ['lists that are sorted by a key', 'n.all(a, n.all(b, s.sortBy(c, c).size() > 1))'],
    ['lists without what is twice in them', 'n.all(a, n.all(b, l.distinct().size() > 1))'],
    ['lists that are flattened', 'n.map(a, n.map(b, n)).flatten(2).size() > 1'],
    ['lists that are cut', 'n.map(a, n.map(b, n.slice(1, 5000)))'],
    ['lists that are made', 'n.map(a, n.map(b, lists.range(10000)))'],
    ['maps that are measured', 'n.all(a, n.all(b, m.size() > 1))'],
    ['maps that are listed', 'n.all(a, n.all(b, keys(m).size() + entries(m).size() > 1))'],
    ['trees that are walked', 'n.all(a, n.all(b, leaves(l).size() > 1))'],
    ['Pods that are looked at', 'n.all(a, n.all(b, !isWindows({"containers": l})))'],
    ['mounts that are looked at', 'n.all(a, n.all(b, !mountedWritable({"containers": [{"volumeMounts": l}]}, "v")))'],
    ['templates that are looked for', 'n.all(a, n.all(b, podTemplates({"apiVersion": "a/v1", "kind": "B", "spec": l}).size() == 0))'],
    ['secrets that are looked for', 'n.all(a, n.all(b, !hasSecretValue(x)))'],
  ])('count %s', (_what, source) => {
    const program = compile(source);
    const started = performance.now();
    expect(() => new StepBudget(FEW).run(() => program.evaluate(scope))).toThrow('it takes more than 1,000,000 steps on this input');
    // Far more than it takes, and far less than what is not counted would.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('are enough for what is plain', () => {
    expect(
      compile('n.all(a, l[0].name == "n0") && s.exists(a, a.matches("x+4999$")) && x.split("a").size() == 50001').evaluate(scope),
    ).toBe(true);
    expect(new StepBudget(FEW).run(() => compile('n.filter(a, a > 10).map(a, a).size() == 4989').evaluate(scope))).toBe(true);
  });

  it('are bounded for an evaluation that nobody gave a budget, each time anew', () => {
    const program = compile('n.all(a, n.all(b, n.all(c, true)))');
    expect(() => program.evaluate(scope)).toThrow(`more than ${MAX_STEPS.toLocaleString('en')} steps`);
    expect(() => program.evaluate(scope)).toThrow(CelError);
    expect(compile('n.all(a, a >= 0)').evaluate(scope)).toBe(true);
  });

  it.each([
    ['exists', '[n, n].exists(a, a.all(b, a.all(c, c >= 0))) || true'],
    ['||', 'n.all(a, n.all(b, b >= 0)) || true'],
    ['&&', '!(n.all(a, n.all(b, b >= 0)) && false)'],
    ['a macro of two variables', '[1, 2].exists(i, v, v == 2 || n.all(a, n.all(b, b >= 0)))'],
  ])('cannot be made unheard by %s', (_what, source) => {
    expect(() => new StepBudget(10_000).run(() => compile(source).evaluate(scope))).toThrow('more than 10,000 steps');
  });

  it('are the same for the same input, whatever was evaluated before', () => {
    const program = compile('s.filter(a, a.matches("(x|y)*x[0-9]+(z|$)")).size() + z.findAll("a(b|c)+a").size() == 12345');
    const needed = stepsOf(() => program.evaluate(scope));
    compile('z.matches("(x|y)*x[0-9]+(z|$)")').evaluate(scope);
    expect(stepsOf(() => program.evaluate(scope))).toBe(needed);
  });
});

describe('a budget', () => {
  const loop = compile('n.all(a, a >= 0)');
  const needed = stepsOf(() => loop.evaluate(scope));

  it('is shared by all evaluations under it, and can be filled again', () => {
    const budget = new StepBudget(2 * needed);
    const run = () => budget.run(() => loop.evaluate(scope));
    expect([run(), run()]).toEqual([true, true]);
    expect(run).toThrow(CelError);
    budget.refill();
    expect(run()).toBe(true);
  });

  it('takes its steps from the one that it runs under, whose number an error then names', () => {
    const [outer, inner] = [new StepBudget(2 * needed), new StepBudget(10 * needed)];
    const twice = () => inner.run(() => [loop.evaluate(scope), loop.evaluate(scope), loop.evaluate(scope)]);
    expect(twice).not.toThrow();
    inner.refill();
    expect(() => outer.run(twice)).toThrow(`more than ${(2 * needed).toLocaleString('en')} steps`);
    expect(() => outer.run(() => loop.evaluate(scope))).toThrow(CelError);
  });
});

function sum(name: string): string {
  return Array.from({ length: 20 }, () => name).join(' + ');
}

/** The smallest budget that is enough. */
function stepsOf(evaluate: () => unknown): number {
  let [enough, less] = [FEW * 100, 0];
  while (enough - less > 1) {
    const middle = Math.floor((enough + less) / 2);
    try {
      new StepBudget(middle).run(evaluate);
      enough = middle;
    } catch {
      less = middle;
    }
  }
  return enough;
}
