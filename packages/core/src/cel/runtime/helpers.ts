import { beginEvaluation, spend } from '../budget/budget.js';
import { callCost, spendOnComparison, spendOnMembership, spendOnText } from '../budget/costs.js';
import { FUNCTIONS } from '../functions.js';
import { isOptional } from '../optional.js';
import { Pattern } from '../pattern/pattern.js';
import type { Filter } from '../pattern/pattern-hint.js';
import { member, optionalOf, present } from '../standard/values.js';
import { giveUp } from './give-up.js';
import { LIBRARY_FUNCTIONS } from './library-functions.js';
import * as operands from './operands.js';
import { STAND_INS } from './stand-ins.js';
import { isMapValue, isOfType } from './types.js';

/** What code that was compiled ahead of time calls, by the names that it has there. */
export const HELPERS = {
  beginEvaluation,
  spend,
  spendOnText,
  spendOnComparison,
  spendOnMembership,
  giveUp,
  isOptional,
  isMapValue,
  isOfType,
  member,
  present,
  optionalOf,
  bothNumbers: operands.bothNumbers,
  contains: operands.contains,
  equalScalars: operands.equalScalars,
  equalTexts: operands.equalTexts,
  setUnknownAside: operands.setUnknownAside,
  itemAt: operands.itemAt,
  itemsOf: operands.itemsOf,
  joined: operands.joined,
  joinedTexts: operands.joinedTexts,
  mapOfLiteral: operands.mapOfLiteral,
  truth: operands.truth,
  withOwnBudget: operands.withOwnBudget,
} as const;

/** What a module of such code is given. */
export interface Runtime {
  readonly helpers: typeof HELPERS;
  readonly operators: typeof STAND_INS;
  readonly library: typeof LIBRARY_FUNCTIONS;
  /** The functions of ours, by their signatures. */
  readonly functions: { readonly [signature: string]: unknown };
  readonly cost: typeof callCost;
  /** A pattern that was compiled once, when the module was made: so it is valid, and the rest can wait until it is used. */
  readonly pattern: (source: string, filter?: Filter | null) => Pattern;
}

export const RUNTIME: Runtime = {
  helpers: HELPERS,
  operators: STAND_INS,
  library: LIBRARY_FUNCTIONS,
  functions: Object.fromEntries(FUNCTIONS.map(({ signature, call }) => [signature, call])),
  cost: callCost,
  pattern: (source, filter) => Pattern.ofValid(source, filter),
};
