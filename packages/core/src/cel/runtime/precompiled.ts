import { forgetRaised, raisedUnknown, restoreRaised, UnknownError } from '../../undecided.js';
import { returnTo, stepsLeft, workSearched } from '../budget/budget.js';
import { type Program, UndecidedError } from '../evaluator.js';

type Run = (input: { readonly [variable: string]: unknown }) => unknown;

/** The code of one expression, and what is known of it. */
export interface Precompiled {
  /** Gives the result, or throws: then the expression is compiled and run again. */
  readonly run: Run;
  /** The same for input in which `run` came to something unknown, if the code can do without the compiler then. */
  readonly withUnknowns?: Run | undefined;
  readonly variables: ReadonlySet<string>;
}

/**
 * The program of an expression that was compiled ahead of time. Its code does what the usual input needs. Whatever it throws, it has given up: the
 * expression is then compiled, and runs again on the same input as if nothing had been, so that errors, unknown values and steps are those of the
 * compiled expression. From there on the program is the compiled one.
 */
export function programOf(source: string, { run, withUnknowns, variables }: Precompiled, compile: () => Program): Program {
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
        return runAgain(run, withUnknowns, scope);
      } catch (error) {
        if (error instanceof UndecidedError) throw error;
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

/** As compiled code does: once it has come to something unknown, it starts again and lets every operand decide. */
function runAgain(run: Run, withUnknowns: Run | undefined, scope: Parameters<Run>[0]): unknown {
  try {
    return run(scope);
  } catch (error) {
    if (withUnknowns === undefined || !(error instanceof UnknownError)) throw error;
  }
  forgetRaised();
  try {
    return withUnknowns(scope);
  } catch (error) {
    throw error instanceof UnknownError ? new UndecidedError((raisedUnknown() ?? error).unknown) : error;
  }
}
