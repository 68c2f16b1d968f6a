import { printFlat } from './print.js';
import { freeNames, freshName, mapOperands, name, operandsOf, type Term } from './term.js';

/** Gives what several equal calls of a tree give a name, so that they are made once. `shared` names functions and what they give. */
export function shareCalls(term: Term, shared: ReadonlyMap<string, string>): Term {
  const repeated = repeatedCall(term, shared);
  if (repeated === undefined) return term;
  const variable = freshName(shared.get(repeated.name) ?? 'value', freeNames(term));
  return { is: 'bind', variable, value: repeated, body: shareCalls(replaced(term, printFlat(repeated), name(variable)), shared) };
}

/** A call that occurs twice or more outside of the loops that bind its arguments. */
function repeatedCall(term: Term, shared: ReadonlyMap<string, string>): Extract<Term, { is: 'call' }> | undefined {
  const free = freeNames(term);
  const counts = new Map<string, number>();
  let found: Extract<Term, { is: 'call' }> | undefined;
  const visit = (node: Term): void => {
    if (node.is === 'call' && shared.has(node.name) && node.on === undefined && [...freeNames(node)].every((one) => free.has(one))) {
      const text = printFlat(node);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      if (count > 1) found ??= node;
    }
    operandsOf(node).forEach(visit);
  };
  visit(term);
  return found;
}

function replaced(term: Term, text: string, by: Term): Term {
  return term.is === 'call' && printFlat(term) === text ? by : mapOperands(term, (operand) => replaced(operand, text, by));
}
