import type { ASTNode } from '@marcbachmann/cel-js';
import { fault, spend } from '../budget/budget.js';
import { costOf, spendOnError, spendOnObjects, spendOnText } from '../budget/costs.js';
import { entriesOf, isMap, mapOf } from '../standard/values.js';
import {
  Bindings,
  type CheckedType,
  type Checker,
  type Context,
  type Expansion,
  elementsOf,
  type Macro,
  type MacroCall,
  truth,
  variableName,
} from './macro.js';

/** The macros that loop over a list or a map and that the library lacks; most bind two variables (index or key, and value). */
export const loops: readonly Macro[] = [
  {
    signature: 'list.all(ast, ast, ast): bool',
    form: 'range.all(key, value, predicate)',
    summary: 'Whether the predicate is true for every element of a list (key = index) or map.',
    example: '[1, 2].all(i, v, v == i + 1) && {"a": 1}.all(k, v, k == "a" && v == 1)',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'bool', (elements) => quantify(elements, false)),
  },
  {
    signature: 'list.exists(ast, ast, ast): bool',
    form: 'range.exists(key, value, predicate)',
    summary: 'Whether the predicate is true for at least one element.',
    example: '{"a": 1, "b": 2}.exists(k, v, k == "b" && v == 2)',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'bool', (elements) => quantify(elements, true)),
  },
  {
    signature: 'list.existsOne(ast, ast, ast): bool',
    form: 'range.existsOne(key, value, predicate)',
    summary: 'Whether the predicate is true for exactly one element.',
    example: '[5, 6].existsOne(i, v, i == 1) && ![5, 5].existsOne(i, v, v == 5)',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'bool', countsOne),
  },
  {
    signature: 'list.existsOne(ast, ast): bool',
    form: 'range.existsOne(element, predicate)',
    summary: 'The same over the items of a list or the keys of a map (also called exists_one).',
    example: '[1, 2].existsOne(x, x > 1)',
    variables: 1,
    loops: true,
    expand: (call) => loop(call, 1, 'bool', countsOne),
  },
  {
    signature: 'list.transformList(ast, ast, ast): list<dyn>',
    form: 'range.transformList(key, value, transform)',
    summary: 'The list of the results.',
    example: '["a", "b"].transformList(i, v, string(i) + v) == ["0a", "1b"]',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'list<dyn>', (elements) => elements.map(({ body }) => body())),
  },
  {
    signature: 'list.transformList(ast, ast, ast, ast): list<dyn>',
    form: 'range.transformList(key, value, filter, transform)',
    summary: 'The list of the results for the elements that pass the filter.',
    example: '{"a": 1, "b": 2}.transformList(k, v, v > 1, k) == ["b"]',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'list<dyn>', (elements) => elements.filter(({ keep }) => keep()).map(({ body }) => body())),
  },
  {
    signature: 'list.transformMap(ast, ast, ast): map<dyn, dyn>',
    form: 'range.transformMap(key, value, transform)',
    summary: 'The map with the same keys and the results as values.',
    example: '{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'map<dyn, dyn>', mapped),
  },
  {
    signature: 'list.transformMap(ast, ast, ast, ast): map<dyn, dyn>',
    form: 'range.transformMap(key, value, filter, transform)',
    summary: 'The same for the elements that pass the filter.',
    example: '{"a": 1, "b": 2}.transformMap(k, v, k == "b", v) == {"b": 2}',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'map<dyn, dyn>', (elements) => mapped(elements.filter(({ keep }) => keep()))),
  },
  {
    signature: 'list.transformMapEntry(ast, ast, ast): map<dyn, dyn>',
    form: 'range.transformMapEntry(key, value, entry)',
    summary: 'The map that merges the results, each of which must be a map; a repeated key is an error.',
    example: '["a"].transformMapEntry(i, v, {v: i}) == {"a": 0}',
    variables: 2,
    loops: true,
    expand: (call) => loop(call, 2, 'map<dyn, dyn>', (elements) => merged(elements, call.ast)),
  },
  {
    signature: 'list.transformMapEntry(ast, ast, ast, ast): map<dyn, dyn>',
    form: 'range.transformMapEntry(key, value, filter, entry)',
    summary: 'The same for the elements that pass the filter.',
    example: '["a", "b"].transformMapEntry(i, v, i > 0, {v: i}) == {"b": 1}',
    variables: 2,
    loops: true,
    expand: (call) =>
      loop(call, 2, 'map<dyn, dyn>', (elements) =>
        merged(
          elements.filter(({ keep }) => keep()),
          call.ast,
        ),
      ),
  },
  {
    signature: 'list.sortBy(ast, ast): list<dyn>',
    form: 'list.sortBy(element, key)',
    summary:
      'The list sorted by the results of the key expression: all numbers, all strings or all bools. Elements with equal keys keep their order.',
    example: '[{"n": 2}, {"n": 1}].sortBy(e, e.n).map(e, e.n) == [1, 2]',
    variables: 1,
    loops: true,
    expand: (call) => loop(call, 1, 'list<dyn>', (elements) => sorted(elements, call.ast)),
  },
];

/** One element of a range, with its variables bound while `keep` or `body` runs. */
interface Element {
  readonly key: unknown;
  readonly value: unknown;
  /** The filter; only where the macro has one. */
  keep(): boolean;
  /** The last argument: predicate, transform or key. */
  body(): unknown;
  /** The last argument as a predicate. */
  holds(): boolean;
}

/**
 * A macro over the elements of its receiver. `variables` is 1 (list item or map key) or 2 (index or key, and value); the
 * last argument is the body, and one between it and the variables is a filter.
 */
function loop(call: MacroCall, variables: 1 | 2, result: string, run: (elements: Element[]) => unknown): Expansion {
  const { receiver, args } = call;
  const bindings = new Bindings(args.slice(0, variables).map(variableName));
  const [filter, body] = bodiesOf(args.slice(variables), call.ast);
  const cost = costOf(body) + (filter === undefined ? 0 : costOf(filter));
  return {
    async: false,
    typeCheck: (checker, _self, context) => {
      const range = checker.check(receiver, context);
      if (!['list', 'map', 'dyn'].includes(range.kind)) throw fault('only a list or a map has elements', receiver);
      const scope = bindings.declare(context, variableTypes(range, variables, checker), checker);
      if (filter !== undefined) checkPredicate(checker, filter, scope);
      if (result === 'bool') checkPredicate(checker, body, scope);
      else checker.check(body, scope);
      return checker.getType(result);
    },
    evaluate: (runner, _self, context) => {
      const range = runner.run(receiver, context);
      const elements = elementsOf(range, receiver).map(([key, value]): Element => {
        const values = variables === 2 ? [key, value] : [Array.isArray(range) ? value : key];
        const evaluate = (node: ASTNode) => {
          spend(cost);
          return runner.run(node, bindings.bind(context, values, runner));
        };
        return {
          key,
          value,
          keep: () => filter === undefined || truth(evaluate(filter), filter),
          body: () => evaluate(body),
          holds: () => truth(evaluate(body), body),
        };
      });
      return run(elements);
    },
  };
}

function bodiesOf(bodies: readonly ASTNode[], ast: ASTNode): [ASTNode | undefined, ASTNode] {
  const [first = ast, second] = bodies;
  return second === undefined ? [undefined, first] : [first, second];
}

function variableTypes(range: CheckedType, variables: 1 | 2, checker: Checker): CheckedType[] {
  const dyn = checker.getType('dyn');
  const key = range.kind === 'list' ? checker.getType('int') : (range.keyType ?? dyn);
  const value = range.valueType ?? dyn;
  if (variables === 2) return [key, value];
  return [range.kind === 'list' ? value : key];
}

function checkPredicate(checker: Checker, node: ASTNode, scope: Context): void {
  if (!checker.check(node, scope).isDynOrBool()) throw fault('the predicate must be a bool', node);
}

/** `exists` (wanted true) and `all` (wanted false): an error counts only when no element decides. */
function quantify(elements: readonly Element[], wanted: boolean): boolean {
  let error: unknown;
  for (const element of elements) {
    try {
      if (element.holds() === wanted) return wanted;
    } catch (thrown) {
      spendOnError();
      error ??= thrown;
    }
  }
  if (error !== undefined) throw error;
  return !wanted;
}

function countsOne(elements: readonly Element[]): boolean {
  return elements.filter((element) => element.holds()).length === 1;
}

function mapped(elements: readonly Element[]): unknown {
  spendOnObjects(elements.length);
  return mapOf(elements.map(({ key, body }) => [String(key), body()] as const));
}

function merged(elements: readonly Element[], node: ASTNode): unknown {
  const entries = elements.flatMap(({ body }) => {
    const entry = body();
    if (!isMap(entry)) throw fault('the entry must be a map', node);
    return entriesOf(entry);
  });
  spendOnObjects(entries.length);
  if (new Set(entries.map(([key]) => key)).size < entries.length) throw fault('two entries have the same key', node);
  return mapOf(entries);
}

function sorted(elements: readonly Element[], node: ASTNode): unknown[] {
  const keyed = elements.map(({ value, body }) => ({ value, key: body() }));
  const kinds = new Set(keyed.map(({ key }) => (typeof key === 'bigint' ? 'number' : typeof key)));
  const sortable = kinds.size === 0 || (kinds.size === 1 && ['number', 'string', 'boolean'].some((kind) => kinds.has(kind as 'number')));
  if (!sortable) throw fault('the keys must be all numbers, all strings or all bools', node);
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ value }) => value);
}

/** Steps of one comparison of a sort. */
const PER_COMPARISON = 5;

function compare(a: unknown, b: unknown): number {
  spend(PER_COMPARISON);
  if (typeof a === 'string') spendOnText(a);
  // Both are numbers, strings or booleans, and of one kind: `sorted` has checked it.
  const [left, right] = [a as number, b as number];
  return left < right ? -1 : left > right ? 1 : 0;
}
