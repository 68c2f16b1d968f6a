import { printTerm } from './term/print.js';
import { call, literal, mapOperands, type Term } from './term/term.js';
import { typeOf } from './term/type.js';

/** The text of a translated expression, as it is in a policy. */
export function expressionOf(term: Term): string {
  return printTerm(asAccepted(term));
}

/** What our dialect takes and the CEL of the API server does not, said otherwise. */
function asAccepted(term: Term): Term {
  const inner = mapOperands(term, asAccepted);
  switch (inner.is) {
    case 'bind':
      return loopOverOne(inner);
    case 'list':
      return { ...inner, items: ofOneType(inner.items) };
    case 'map': {
      const values = ofOneType(inner.entries.map(([, value]) => value));
      return { ...inner, entries: inner.entries.map(([key, value], index) => [key, values[index] ?? value] as const) };
    }
    default:
      return inner;
  }
}

/** A bind becomes a loop over a list of one item: there is no other way to name a value. */
function loopOverOne({ variable, value, body }: Extract<Term, { is: 'bind' }>): Term {
  const one: Term = { is: 'list', items: [value] };
  if (typeOf(body, new Map()).type === 'boolean') return { is: 'loop', macro: 'exists', over: one, variable, body };
  return { is: 'item', of: { is: 'loop', macro: 'map', over: one, variable, body }, key: literal(0n), optional: false };
}

/** The items of a literal must have one type; `dyn` is one. */
function ofOneType(items: readonly Term[]): readonly Term[] {
  const types = new Set(
    items.map((item) => (item.is === 'literal' ? typeof item.value : item.is === 'list' || item.is === 'map' ? item.is : '')),
  );
  types.delete('');
  return types.size < 2 ? items : items.map((item) => call('dyn', item));
}
