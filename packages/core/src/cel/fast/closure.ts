import { type ASTNode, EvaluationError } from '@marcbachmann/cel-js';

/** A node ready to run: what it evaluates to in a scope. */
export type Closure = (scope: Scope) => unknown;

/** The library's scope: the variables of the caller, and over them those of the macros. */
export interface Scope {
  getValue(name: string): unknown;
}

/** The scope of one macro variable. The library makes it when it checks the macro, and uses it again for each run. */
export interface LoopScope extends Scope {
  iterType: { kind: string };
  iterValue: unknown;
  reuse(parent: Scope): LoopScope;
  setIterValue(value: unknown, evaluator: LibraryEvaluator): LoopScope;
}

/** The library's evaluator, which runs what we do not. */
export interface LibraryEvaluator {
  debugType(value: unknown): unknown;
  debugTypeDeep(value: unknown): unknown;
}

/** What the library keeps on a node beside its public type, once it is checked. */
export interface CheckedNode {
  checkedType?: { kind: string; type: string };
  candidates?: { declarations: readonly Declaration[] };
  readonly meta: {
    evaluate(evaluator: LibraryEvaluator, node: unknown, scope: Scope): unknown;
    alternate?: CheckedNode & { op: string; args: unknown };
    macro?: { evaluate(evaluator: LibraryEvaluator, macro: unknown, scope: Scope): unknown };
  };
  evaluate(evaluator: LibraryEvaluator, node: unknown, scope: Scope): unknown;
  handle?: (...args: unknown[]) => unknown;
}

/** An overload of a function. */
export interface Declaration {
  readonly handler: (...args: unknown[]) => unknown;
  readonly receiverType: { name: string; kind: string } | null;
  readonly argTypes: readonly { name: string; kind: string }[];
}

/** The library's own view of a node: see CheckedNode. */
export function checked(node: ASTNode): CheckedNode {
  return node as unknown as CheckedNode;
}

export function isOptionalNode(node: ASTNode): boolean {
  return checked(node).checkedType?.kind === 'optional';
}

export function fault(message: string, node: ASTNode): EvaluationError {
  return new EvaluationError({ message, node });
}

/** Adds the place to an error that a function threw without one. */
export function located(error: unknown, node: ASTNode): unknown {
  return error instanceof EvaluationError ? error.withAst(node) : error;
}
