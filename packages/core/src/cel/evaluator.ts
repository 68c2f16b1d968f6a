import type { Unknown, UnknownValue } from '../undecided.js';
import type { Shape, Unguarded } from './shape.js';

/**
 * What the CEL floor gives to others: rules and gate policies see this, not the library behind it.
 */
export interface Evaluator {
  /**
   * Parses and checks an expression.
   * @throws {CelError} with the offset in `source` when it does not parse, uses what is not offered, or is too costly.
   */
  compile(source: string, options?: CompileOptions): Program;
}

export interface CompileOptions {
  /** Names that may be used; any other identifier is an error that names the nearest one. */
  variables: readonly string[];
  /** Bounds on cost. Rules: 2,000 nodes and nesting 3; policies: 500 and 1. */
  maxNodes: number;
  maxNesting: number;
  /** What is known of the variables: members that can never be there are then errors, and `unguarded` is filled. */
  shapes?: { readonly [variable: string]: Shape };
  /** Anything that is surely no bool is an error. */
  condition?: boolean;
}

export interface Program {
  readonly source: string;
  /** Identifiers that the expression reads. */
  readonly variables: ReadonlySet<string>;
  /** Members that may be missing and that nothing before asks for; empty without `shapes`. */
  readonly unguarded: readonly Unguarded[];
  /** The conditions that must all hold, as written: the expression itself where it is not a conjunction. */
  conjuncts(): readonly string[];
  /**
   * Evaluates over `scope`, whose members are JSON values (JS numbers are CEL doubles that compare with ints). It takes a bounded number of steps
   * (see budget.ts): those of the `StepBudget` that it runs under, else `MAX_STEPS`.
   * @throws {UndecidedError} when the result depends on something unknown: `false && unknown` is false, and `unknown && error` is unknown.
   * @throws {CelError} when evaluation fails (no such overload, division by zero, too many steps, …).
   */
  evaluate(scope: { readonly [variable: string]: unknown }): unknown;
}

export class CelError extends Error {
  override readonly name = 'CelError';
  /** Offset into the expression, in UTF-16 units, where known. */
  readonly offset: number | undefined;

  constructor(message: string, options: { offset?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.offset = options.offset;
  }
}

/** An expression whose result depends on something that cannot be known: it has no result, and that is nobody's mistake. */
export class UndecidedError extends CelError {
  constructor(readonly unknown: Unknown | UnknownValue) {
    super(unknown.message);
  }
}
