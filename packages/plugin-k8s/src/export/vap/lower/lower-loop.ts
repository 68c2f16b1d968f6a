import { EMPTY_LIST, loop } from '../term/build.js';
import type { Context } from '../term/context.js';
import { call, substitute, type Term } from '../term/term.js';
import { elementsOf, type Scope, typeOf } from '../term/type.js';
import { materialised } from './materialise.js';
import { ALL, EXISTS, forEach, sequenceOf } from './sequence.js';

/** Loops: over a sequence, what is asked of its items is asked where they are found. */
export function lowerLoop(term: Extract<Term, { is: 'loop' }>, scope: Scope, context: Context): Term {
  const { macro, variable } = term;
  const sequence = sequenceOf(term.over, scope, context);
  if (sequence === undefined || macro === 'exists_one') {
    const over = rangeOf(term.over, scope, context);
    const inner = new Map(scope).set(variable, elementsOf(typeOf(over, scope)));
    return loop(macro, over, variable, context.lowerBody(term.body, inner));
  }
  if (macro === 'filter' || macro === 'map') return materialised(term, scope, context);
  const combine = macro === 'all' ? ALL : EXISTS;
  const body = (item: Term, inner: Scope) => context.lowerBody(substitute(term.body, variable, item), inner);
  return forEach(sequence, scope, context, combine, body, variable);
}

/** What a loop goes over: the keys of a map are the map itself. */
export function rangeOf(term: Term, scope: Scope, context: Context): Term {
  if (term.is === 'call' && term.name === 'keys' && term.on === undefined && term.args[0]) {
    const map = context.lower(call('map', term.args[0]), scope);
    return map.is === 'map' && map.entries.length === 0 ? EMPTY_LIST : map;
  }
  return context.lower(term, scope);
}
