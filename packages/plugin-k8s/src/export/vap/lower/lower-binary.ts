import { and, compare, FALSE, isEmptyList, not, or, plus, TRUE } from '../term/build.js';
import type { Context } from '../term/context.js';
import { literal, type Term } from '../term/term.js';
import { isOptional, type Scope, typeOf } from '../term/type.js';
import { comparedText } from './accessors.js';
import { materialised } from './materialise.js';
import { EXISTS, forEach, sequenceOf } from './sequence.js';

/** Operators between two operands. */
export function lowerBinary(term: Extract<Term, { is: 'binary' }>, scope: Scope, context: Context): Term {
  const { operator } = term;
  if (operator === '&&' || operator === '||') {
    const left = context.lower(term.left, scope);
    if (left.is === 'literal' && left.value === (operator === '||')) return left;
    const right = context.lower(term.right, scope);
    return operator === '&&' ? and(left, right) : or(left, right);
  }
  if (operator === 'in') return lowerIn(term.left, term.right, scope, context);
  const counted = countedSequence(term, scope, context);
  if (counted) return counted;
  if (operator === '+' && sequenceOf(term, scope, context)) return materialised(term, scope, context);
  if (operator === '==' || operator === '!=')
    return compare(operator, lowerCompared(term.left, scope, context), lowerCompared(term.right, scope, context));
  const left = context.lower(term.left, scope);
  const right = context.lower(term.right, scope);
  return operator === '+' ? plus(left, right) : compared(operator, left, right);
}

/** `text(x) == "a"` need not ask for the type of x. */
function lowerCompared(term: Term, scope: Scope, context: Context): Term {
  const [arg] = term.is === 'call' && term.name === 'text' && term.on === undefined ? term.args : [];
  const value = arg && context.lower(arg, scope);
  const type = value && typeOf(value, scope);
  return value && type && (isOptional(type) ? type.of : type).type === 'anything' ? comparedText(value, type) : context.lower(term, scope);
}

/** `x in list`, `key in keys(map)` */
function lowerIn(leftTerm: Term, rightTerm: Term, scope: Scope, context: Context): Term {
  const left = lowerCompared(leftTerm, scope, context);
  const sequence = sequenceOf(rightTerm, scope, context);
  if (sequence) return forEach(sequence, scope, context, EXISTS, (item, inner) => compare('==', context.lower(item, inner), left));
  const right = context.lowerRange(rightTerm, scope);
  return isEmptyList(right) ? FALSE : { is: 'binary', operator: 'in', left, right };
}

/** `size(sequence) > 0` and similar comparisons ask whether there is an item. */
function countedSequence({ operator, left, right }: Extract<Term, { is: 'binary' }>, scope: Scope, context: Context): Term | undefined {
  const counted = left.is === 'call' && left.name === 'size' ? (left.on ?? left.args[0]) : undefined;
  if (counted === undefined || right.is !== 'literal' || right.value !== 0n) return undefined;
  const sequence = sequenceOf(counted, scope, context);
  if (sequence === undefined) return undefined;
  const any = forEach(sequence, scope, context, EXISTS, () => TRUE);
  if (operator === '>' || operator === '!=') return any;
  return operator === '==' ? not(any) : undefined;
}

function compared(operator: string, left: Term, right: Term): Term {
  if (left.is === 'literal' && right.is === 'literal' && typeof left.value === 'bigint' && typeof right.value === 'bigint') {
    if (operator === '>') return literal(left.value > right.value);
    if (operator === '<') return literal(left.value < right.value);
    if (operator === '>=') return literal(left.value >= right.value);
    if (operator === '<=') return literal(left.value <= right.value);
  }
  return { is: 'binary', operator, left, right };
}
