import { raisedUnknown, restoreRaised } from '../../undecided.js';
import { returnTo, stepsLeft, workSearched } from '../budget/budget.js';
import type { Program } from '../evaluator.js';

/** The code of one expression, and what is known of it. */
export interface Precompiled {
  /** Gives the result, or throws: then the expression is compiled and run again. */
  readonly run: (input: { readonly [variable: string]: unknown }) => unknown;
  readonly variables: ReadonlySet<string>;
}

/**
 * The program of an expression that was compiled ahead of time. Its code does what the usual input needs. Whatever it throws, it has given up: the
 * expression is then compiled, and runs again on the same input as if nothing had been, so that errors, unknown values and steps are those of the
 * compiled expression. From there on the program is the compiled one.
 */
export function programOf(source: string, { run, variables }: Precompiled, compile: () => Program): Program {
  const program: Program = {
    source,
    variables,
    unguarded: [],
    conjuncts: () => compile().conjuncts(),
    evaluate(scope) {
      const left = stepsLeft();
      const searched = workSearched();
      const raised = raisedUnknown();
      try {
        return run(scope);
      } catch {
        returnTo(left, searched);
        restoreRaised(raised);
      }
      const compiled = compile();
      try {
        return compiled.evaluate(scope);
      } finally {
        program.evaluate = compiled.evaluate;
      }
    },
  };
  return program;
}
