import { bind } from './build.js';
import type { Context } from './context.js';
import { sequenceOf } from './sequence.js';
import { CLEAN_PATH, GIVES_CLEAN_PATH } from './special.js';
import { substitute, type Term } from './term.js';
import { type Scope, typeOf } from './type.js';

/** `cel.bind`: what has no value of its own takes the place of its name. */
export function lowerBind(term: Extract<Term, { is: 'bind' }>, scope: Scope, context: Context): Term {
  if (isVirtual(term.value, scope, context)) return context.lower(substitute(term.body, term.variable, term.value), scope);
  const value = context.lower(term.value, scope);
  const clean = term.value.is === 'call' && GIVES_CLEAN_PATH.has(term.value.name);
  const inner = new Map(scope).set(term.variable, clean ? CLEAN_PATH : typeOf(value, scope));
  return bind(term.variable, value, context.lower(term.body, inner));
}

/** What has no value of its own: a list of lists, and the parts of an image. */
function isVirtual(term: Term, scope: Scope, context: Context): boolean {
  return (term.is === 'call' && term.name === 'image') || sequenceOf(term, scope, context) !== undefined;
}
