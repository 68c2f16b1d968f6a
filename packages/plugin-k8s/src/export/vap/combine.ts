import { and, loop, not, or } from './build.js';
import type { Combine } from './sequence.js';
import type { Term } from './term.js';

/** Whether something holds of an item of a sequence. */
export const EXISTS: Combine<Term> = {
  loop: (over, variable, body) => loop('exists', over, variable, body),
  keep: (condition, body) => and(condition, body),
  join: (parts) => or(...parts),
};

/** Whether it holds of all items. */
export const ALL: Combine<Term> = {
  loop: (over, variable, body) => loop('all', over, variable, body),
  keep: (condition, body) => or(not(condition), body),
  join: (parts) => and(...parts),
};
