import { type EndpointProblem, sayHint } from '@bylaw/core/endpoint';
import { SELECTION_ERRORS } from '@bylaw/core/errors';

/** What can be wrong with the rules that a request selects. */
export const SELECTION_PROBLEMS: readonly EndpointProblem[] = SELECTION_ERRORS.map((code) => ({
  error: code,
  problem: code,
  say: sayHint,
}));
