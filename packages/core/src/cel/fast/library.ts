import { type ASTNode, EvaluationError } from '@marcbachmann/cel-js';
import { fault } from '../budget/budget.js';
import { spendOnError } from '../budget/costs.js';

/** The library's scope, as far as its nodes read it when they run. */
export interface Scope {
  getValue(name: string): unknown;
  getCheckedValue(evaluator: LibraryEvaluator, node: ASTNode): unknown;
}

/** The scope of one macro variable. The library makes it when it checks the macro. */
export interface VariableScope {
  readonly iterType: { readonly kind: string; readonly type: string };
  /** @throws {EvaluationError} for a value of another type. */
  setIterValue(value: unknown, evaluator: LibraryEvaluator): unknown;
}

/** The library's evaluator, which runs what we do not. */
export interface LibraryEvaluator {
  debugType(value: unknown): unknown;
  debugTypeDeep(value: unknown): unknown;
}

/** What the library keeps on a node beside its public type, once it is checked. */
export interface CheckedNode {
  readonly checkedType?: { readonly kind: string; readonly type: string };
  readonly candidates?: { readonly declarations: readonly Declaration[] };
  readonly meta: {
    evaluate(evaluator: LibraryEvaluator, node: unknown, scope: Scope): unknown;
    readonly alternate?: CheckedNode & { readonly op: string; readonly args: unknown };
    readonly macro?: LibraryMacro;
  };
  evaluate(evaluator: LibraryEvaluator, node: unknown, scope: Scope): unknown;
  readonly handle?: (...args: unknown[]) => unknown;
}

export interface LibraryMacro {
  evaluate(evaluator: LibraryEvaluator, macro: unknown, scope: Scope): unknown;
  /** The scope of its variable; only of `cel.bind`. */
  readonly bindCtx?: VariableScope;
}

/** An overload of a function. */
export interface Declaration {
  readonly signature: string;
  readonly handler: (...args: unknown[]) => unknown;
  readonly receiverType: { readonly name: string } | null;
  readonly argTypes: readonly { readonly name: string; readonly kind: string }[];
}

/** The library's own view of a node: see CheckedNode. */
export function checked(node: ASTNode): CheckedNode {
  return node as unknown as CheckedNode;
}

export function isOptionalNode(node: ASTNode): boolean {
  return checked(node).checkedType?.kind === 'optional';
}

/** The first of the errors that are set aside. @throws when the budget does not allow for another one, or was used up by it. */
export function setAside(error: unknown, node: ASTNode | undefined, first: unknown): unknown {
  spendOnError();
  return first ?? located(error, node);
}

/** Adds the place to an error that a function threw without one. */
export function located(error: unknown, node: ASTNode | undefined): unknown {
  return error instanceof EvaluationError && node !== undefined ? error.withAst(node) : error;
}

/** The variables of a caller as a node that the library runs sees them. */
export class CallerScope implements Scope {
  constructor(private readonly variables: { readonly [variable: string]: unknown }) {}

  getValue(name: string): unknown {
    return this.variables[name];
  }

  getCheckedValue(_evaluator: LibraryEvaluator, node: ASTNode): unknown {
    return valueIn(this, node);
  }
}

/** The variables of macros over another scope. */
export class MacroScope implements Scope {
  constructor(
    private readonly outer: Scope,
    private readonly names: readonly string[],
    private readonly values: readonly unknown[],
  ) {}

  getValue(name: string): unknown {
    const index = this.names.indexOf(name);
    return index >= 0 ? this.values[index] : this.outer.getValue(name);
  }

  getCheckedValue(_evaluator: LibraryEvaluator, node: ASTNode): unknown {
    return valueIn(this, node);
  }
}

function valueIn(scope: Scope, node: ASTNode): unknown {
  const name = String(node.args);
  const value = scope.getValue(name);
  if (value === undefined) throw fault(`Unknown variable: ${name}`, node);
  return value;
}
