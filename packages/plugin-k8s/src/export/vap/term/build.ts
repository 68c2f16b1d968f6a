import { printFlat } from './print.js';
import { type Call, call, countOf, literal, method, name, operandsOf, substitute, type Term } from './term.js';

/** Puts trees together, and leaves out what a reader could see has no effect. */

export const TRUE = literal(true);
export const FALSE = literal(false);
export const EMPTY_LIST: Term = { is: 'list', items: [] };

/** The optional that holds nothing. */
export const NONE: Call = method(name('optional'), 'none');

export const isTrue = (term: Term) => term.is === 'literal' && term.value === true;
export const isFalse = (term: Term) => term.is === 'literal' && term.value === false;
export const isNone = (term: Term) => term.is === 'call' && term.name === 'none' && term.on?.is === 'name' && term.on.name === 'optional';
export const isEmptyList = (term: Term) => term.is === 'list' && term.items.length === 0;

/** Equal trees mean the same. */
export const same = (a: Term, b: Term) => a === b || printFlat(a) === printFlat(b);

export function and(...terms: Term[]): Term {
  return junction('&&', TRUE, FALSE, terms);
}

export function or(...terms: Term[]): Term {
  return junction('||', FALSE, TRUE, terms);
}

function junction(operator: '&&' | '||', neutral: Term, absorbing: Term, terms: readonly Term[]): Term {
  const left = terms.flatMap((term) => (term.is === 'binary' && term.operator === operator ? conjuncts(term, operator) : [term]));
  if (left.some((term) => same(term, absorbing))) return absorbing;
  const seen = new Set<string>();
  const kept = left.filter((term) => !same(term, neutral) && seen.size < seen.add(printFlat(term)).size);
  return kept.length === 0 ? neutral : kept.reduce((a, b) => binary(operator, a, b));
}

/** The operands of a junction. */
export function conjuncts(term: Term, operator: string): Term[] {
  if (term.is !== 'binary' || term.operator !== operator) return [term];
  return [...conjuncts(term.left, operator), ...conjuncts(term.right, operator)];
}

/** The negation, carried as far inwards as it goes. */
export function not(term: Term): Term {
  switch (term.is) {
    case 'literal':
      return typeof term.value === 'boolean' ? literal(!term.value) : { is: 'unary', operator: '!', of: term };
    case 'unary':
      return term.operator === '!' ? term.of : { is: 'unary', operator: '!', of: term };
    case 'loop':
      if (term.macro === 'all') return { ...term, macro: 'exists', body: not(term.body) };
      return term.macro === 'exists' ? { ...term, macro: 'all', body: not(term.body) } : { is: 'unary', operator: '!', of: term };
    case 'bind':
      return { ...term, body: not(term.body) };
    case 'choice':
      return choose(term.condition, not(term.yes), not(term.no));
    case 'binary':
      if (term.operator === '&&') return or(not(term.left), not(term.right));
      if (term.operator === '||') return and(not(term.left), not(term.right));
      if (term.operator === '==' || term.operator === '!=') return compare(term.operator === '==' ? '!=' : '==', term.left, term.right);
      if (term.operator === '>' && isSize(term.left) && same(term.right, ZERO)) return compare('==', term.left, ZERO);
      return { is: 'unary', operator: '!', of: term };
    default:
      return { is: 'unary', operator: '!', of: term };
  }
}

const ZERO = literal(0n);

function isSize(term: Term): boolean {
  return term.is === 'call' && term.name === 'size';
}

export function binary(operator: string, left: Term, right: Term): Term {
  return { is: 'binary', operator, left, right };
}

/** Numbers of different types are equal where their values are. */
function sameValue(a: unknown, b: unknown): boolean {
  const numbers = [a, b].every((value) => typeof value === 'number' || typeof value === 'bigint');
  return numbers ? Number(a) === Number(b) : a === b;
}

/** `==` or `!=` */
export function compare(operator: '==' | '!=', left: Term, right: Term): Term {
  if (left.is === 'literal' && right.is === 'literal') return literal(sameValue(left.value, right.value) === (operator === '=='));
  // `(a ? "x" : "y") == "x"` asks for `a`.
  if (left.is === 'choice' && left.yes.is === 'literal' && left.no.is === 'literal' && right.is === 'literal')
    return choose(left.condition, compare(operator, left.yes, right), compare(operator, left.no, right));
  return binary(operator, left, right);
}

export function choose(condition: Term, yes: Term, no: Term): Term {
  if (isTrue(condition) || same(yes, no)) return yes;
  if (isFalse(condition)) return no;
  if (isTrue(yes)) return or(condition, no);
  if (isFalse(yes)) return and(not(condition), no);
  if (isTrue(no)) return or(not(condition), yes);
  if (isFalse(no)) return and(condition, yes);
  return { is: 'choice', condition, yes, no };
}

export function loop(macro: 'all' | 'exists' | 'filter' | 'map' | 'exists_one', over: Term, variable: string, body: Term): Term {
  const empty = isEmptyList(over);
  if (macro === 'all') return empty || isTrue(body) ? TRUE : { is: 'loop', macro, over, variable, body };
  if (macro === 'exists') {
    if (empty || isFalse(body)) return FALSE;
    return isTrue(body) ? binary('>', call('size', over), literal(0n)) : { is: 'loop', macro, over, variable, body };
  }
  if (macro === 'exists_one') return { is: 'loop', macro, over, variable, body };
  if (empty || (macro === 'filter' && isFalse(body))) return EMPTY_LIST;
  if (macro === 'filter' && isTrue(body)) return over;
  if (macro === 'map' && body.is === 'name' && body.name === variable && over.is === 'list') return over;
  return { is: 'loop', macro, over, variable, body };
}

/** `a + b` of lists, texts or numbers. */
export function plus(left: Term, right: Term): Term {
  if (isEmptyList(left)) return right;
  if (isEmptyList(right)) return left;
  if (isText(left) && isText(right)) return literal(left.value + right.value);
  // `a + "x" + "y"` is `a + "xy"`: what was a choice may have become a text.
  if (isText(right) && left.is === 'binary' && left.operator === '+' && isText(left.right))
    return plus(left.left, literal(left.right.value + right.value));
  return binary('+', left, right);
}

function isText(term: Term): term is { is: 'literal'; value: string } {
  return term.is === 'literal' && typeof term.value === 'string';
}

/** `on.orValue(otherwise)` */
export function orValue(on: Term, otherwise: Term): Term {
  if (isNone(on)) return otherwise;
  return on.is === 'call' && on.name === 'of' && on.args[0] ? on.args[0] : method(on, 'orValue', otherwise);
}

/** `on.hasValue()` */
export function hasValue(on: Term): Term {
  if (isNone(on)) return FALSE;
  return on.is === 'call' && on.name === 'of' ? TRUE : method(on, 'hasValue');
}

/** `cel.bind(variable, value, body)`: inlined where that costs nothing. */
export function bind(variable: string, value: Term, body: Term): Term {
  const count = countOf(body, variable);
  if (count > 0 && !isCheap(value) && body.is === 'binary' && (body.operator === '&&' || body.operator === '||')) {
    // What does not need the value comes before it.
    const parts = conjuncts(body, body.operator);
    const [without, having] = [false, true].map((has) => parts.filter((part) => countOf(part, variable) > 0 === has));
    const rejoin = body.operator === '&&' ? and : or;
    if (without && having && without.length > 0) return rejoin(...without, bind(variable, value, rejoin(...having)));
  }
  return count === 0 || isCheap(value) || (count === 1 && !isLooped(body, variable))
    ? substitute(body, variable, value)
    : { is: 'bind', variable, value, body };
}

/** A value that may be written, and looked up, again and again. */
export function isCheap(term: Term): boolean {
  switch (term.is) {
    case 'literal':
    case 'name':
      return true;
    case 'member':
      return isCheap(term.of);
    case 'item':
      return isCheap(term.of) && isCheap(term.key);
    case 'call':
      return (
        ['orValue', 'value', 'none', 'of'].includes(term.name) &&
        (term.on === undefined || isCheap(term.on)) &&
        term.args.every(isCheapDefault)
      );
    default:
      return false;
  }
}

function isCheapDefault(term: Term): boolean {
  return isCheap(term) || isEmptyList(term) || (term.is === 'map' && term.entries.length === 0);
}

/** Whether a name stands inside a loop, where its value would be made for each item. */
function isLooped(term: Term, variable: string): boolean {
  if (term.is === 'loop') return isLooped(term.over, variable) || (term.variable !== variable && countOf(term.body, variable) > 0);
  return operandsOf(term).some((operand) => isLooped(operand, variable));
}
