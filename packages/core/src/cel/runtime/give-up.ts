/** Tells that code which was compiled ahead of time came to what only the compiler and the library know. */
class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/** One for all: nobody reads it, and a stack trace costs more than many evaluations. */
const SIGNAL = new GaveUp('this expression must be compiled now');

/** Ends the evaluation of code that was compiled ahead of time: see `programOf`. */
export function giveUp(): never {
  throw SIGNAL;
}
