import type { ASTNode } from '@marcbachmann/cel-js';
import { fault } from '../budget/budget.js';
import { spendOnObjects } from '../budget/costs.js';
import { libraryClasses } from '../library.js';
import { isMap } from '../standard/values.js';

/** A macro: a method whose arguments are expressions, some of which it evaluates with new variables. */
export interface Macro {
  /** In the library's notation, with every argument an `ast`. */
  readonly signature: string;
  /** As the reference shows it. */
  readonly form: string;
  readonly summary: string;
  /** A CEL expression that is true; a test evaluates it. */
  readonly example: string;
  /** How many of the first arguments name variables; the arguments after them see the variables. */
  readonly variables: 1 | 2;
  /** Whether it counts for the bound on nesting. */
  readonly loops: boolean;
  readonly expand: (call: MacroCall) => Expansion;
}

/** What the library hands to a macro when it parses a call. */
export interface MacroCall {
  readonly ast: ASTNode;
  readonly receiver: ASTNode;
  readonly args: readonly ASTNode[];
}

/** What a macro makes of a call: the library runs `typeCheck` once and `evaluate` each time, with the expansion itself. */
export interface Expansion {
  typeCheck(checker: Checker, self: Expansion, context: Context): unknown;
  evaluate(runner: Runner, self: Expansion, context: Context): unknown;
  /** Nothing here waits. */
  async: false;
}

export interface CheckedType {
  readonly kind: string;
  readonly valueType?: CheckedType;
  readonly keyType?: CheckedType;
  isDynOrBool(): boolean;
}

export interface Checker {
  check(node: ASTNode, context: Context): CheckedType;
  getType(name: string): CheckedType;
}

export interface Runner {
  run(node: ASTNode, context: Context): unknown;
}

/** A scope of the library: made once when an expression is checked, filled each time it runs. */
export interface Context {
  forkWithVariable(name: string, type: CheckedType): Context;
  reuse(parent: Context): Context;
  setIterValue(value: unknown, runner: Runner): Context;
}

/** @throws {ParseError} when the argument is not a plain name. */
export function variableName(node: ASTNode | undefined): string {
  if (node?.op === 'id') return node.args;
  throw new (libraryClasses().ParseError)({ message: 'the variable of a macro must be a plain name', ...(node && { node }) });
}

/** The variables of a macro: bound once per element. */
export class Bindings {
  #scopes: Context[] = [];

  constructor(private readonly names: readonly string[]) {}

  /** Declares the variables; the result is the scope in which the bodies are checked. */
  declare(context: Context, types: readonly CheckedType[], checker: Checker): Context {
    let scope = context;
    this.#scopes = this.names.map((name, index) => {
      const type = types[index];
      // The elements of an empty literal have a type that nothing matches.
      scope = scope.forkWithVariable(name, type === undefined || type.kind === 'param' ? checker.getType('dyn') : type);
      return scope;
    });
    return scope;
  }

  /** Gives the variables their values; the result is the scope in which the bodies run. */
  bind(context: Context, values: readonly unknown[], runner: Runner): Context {
    let scope = context;
    this.#scopes.forEach((own, index) => {
      scope = own.reuse(scope).setIterValue(values[index], runner);
    });
    return scope;
  }
}

/** Key and value of each element: an index for a list, which is an int. */
export function elementsOf(range: unknown, node: ASTNode): [unknown, unknown][] {
  const elements = pairsOf(range);
  if (elements === undefined) throw fault('only a list or a map has elements', node);
  spendOnObjects(elements.length);
  return elements;
}

function pairsOf(range: unknown): [unknown, unknown][] | undefined {
  if (Array.isArray(range)) return range.map((item, index): [unknown, unknown] => [BigInt(index), item]);
  if (range instanceof Map) return [...range];
  return isMap(range) ? Object.entries(range) : undefined;
}

/** @throws {EvaluationError} when a predicate is neither true nor false. */
export function truth(value: unknown, node: ASTNode): boolean {
  if (typeof value === 'boolean') return value;
  throw fault('the predicate must be a bool', node);
}
