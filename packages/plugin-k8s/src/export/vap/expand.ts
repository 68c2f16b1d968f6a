import { isCheap } from './build.js';
import type { Context } from './context.js';
import { definitionOf } from './definitions.js';
import { expandSpecial } from './special.js';
import { type Call, countOf, substitute, type Term } from './term.js';
import type { Scope } from './type.js';

/** What a function that the API server lacks stands for, with its arguments in place; undefined for any other. */
export function expandCall(term: Call, scope: Scope, context: Context): Term | undefined {
  const special = expandSpecial(term, scope, context);
  if (special) return special;
  const definition = definitionOf(term.name);
  if (definition === undefined || definition.parameters.length !== term.args.length) return undefined;
  return definition.parameters.reduce<Term>((body, parameter, index) => {
    const arg = term.args[index] ?? term;
    const inPlace = isCheap(arg) || countOf(body, parameter) <= 1;
    return inPlace ? substitute(body, parameter, arg) : { is: 'bind', variable: parameter, value: arg, body };
  }, definition.body);
}
