import { printTerm } from './print.js';
import { literal, mapOperands, type Term } from './term.js';
import { typeOf } from './type.js';

/** The text of a translated expression, as it stands in a policy. */
export function expressionOf(term: Term): string {
  return printTerm(withoutBinds(term));
}

/** Binds become loops over a list of one item: the API server's CEL has no other way to name a value. */
function withoutBinds(term: Term): Term {
  const inner = mapOperands(term, withoutBinds);
  if (inner.is !== 'bind') return inner;
  const { variable, body } = inner;
  const one: Term = { is: 'list', items: [inner.value] };
  if (typeOf(body, new Map()).type === 'boolean') return { is: 'loop', macro: 'exists', over: one, variable, body };
  return { is: 'item', of: { is: 'loop', macro: 'map', over: one, variable, body }, key: literal(0n), optional: false };
}
