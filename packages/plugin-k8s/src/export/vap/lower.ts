import { comparedText, lowerAccessor } from './accessors.js';
import {
  and,
  bind,
  choose,
  compare,
  EMPTY_LIST,
  FALSE,
  hasValue,
  isEmptyList,
  isFalse,
  isNone,
  isTrue,
  loop,
  NONE,
  not,
  or,
  orValue,
  plus,
  TRUE,
} from './build.js';
import { type Context, isWhole } from './context.js';
import { definitionOf, SHARED, VARIABLE_NAMES } from './definitions.js';
import { expandCall } from './expand.js';
import { checkFunction } from './functions.js';
import { NotExportable } from './not-exportable.js';
import { forEach, type Sequence, sequenceOf } from './sequence.js';
import { shareCalls } from './share.js';
import { CLEAN_PATH, GIVES_CLEAN_PATH } from './special.js';
import { type Call, call, countOf, literal, method, name, substitute, type Term } from './term.js';
import { elementsOf, isOptional, isUnknownField, type Scope, typeOf } from './type.js';

/**
 * An expression of our dialect in the CEL of the API server: host functions become what they are defined as, loops over lists of lists become
 * loops in loops, and what can be told before the object is there is left out. Lowering what is lowered changes nothing.
 * @throws {NotExportable}
 */
export function lower(term: Term, scope: Scope, context: Context): Term {
  switch (term.is) {
    case 'literal':
      return term;
    case 'name':
      return scope.has(term.name) ? term : context.resolve(term.name);
    case 'member':
      return lowerMember(term, scope, context);
    case 'item':
      return lowerItem(term, scope, context);
    case 'call':
      return lowerCall(term, scope, context);
    case 'loop':
      return lowerLoop(term, scope, context);
    case 'bind':
      return lowerBind(term, scope, context);
    case 'list':
      return { is: 'list', items: term.items.map((item) => lower(item, scope, context)) };
    case 'map':
      return {
        is: 'map',
        entries: term.entries.map(([key, value]) => [lower(key, scope, context), lower(value, scope, context)] as const),
      };
    case 'unary': {
      const of = lower(term.of, scope, context);
      return term.operator === '!' ? not(of) : negative(of);
    }
    case 'binary':
      return lowerBinary(term, scope, context);
    case 'choice': {
      const condition = lower(term.condition, scope, context);
      if (condition.is === 'literal') return lower(condition.value === true ? term.yes : term.no, scope, context);
      return choose(condition, lower(term.yes, scope, context), lower(term.no, scope, context));
    }
  }
}

/** Lowers the body of a loop or of `each`, where calls that stand twice are made once. */
export function lowerBody(body: Term, scope: Scope, context: Context): Term {
  return lower(shareCalls(body, SHARED), scope, context);
}

function lowerMember(term: Extract<Term, { is: 'member' }>, scope: Scope, context: Context): Term {
  if (term.of.is === 'call' && term.of.name === 'image' && term.of.on === undefined)
    return lower({ ...term.of, name: `image${term.name.charAt(0).toUpperCase()}${term.name.slice(1)}` }, scope, context);
  const setting = context.settingOf(term);
  if (setting) return setting;
  const of = lower(term.of, scope, context);
  if (isNone(of)) return NONE;
  if (of.is === 'map') return memberOfRecord(of.entries, term);
  if (term.optional && isUnknownField(typeOf(of, scope), term.name)) return NONE;
  return { ...term, of };
}

function memberOfRecord(
  entries: Extract<Term, { is: 'map' }>['entries'],
  { name: field, optional }: { name: string; optional: boolean },
): Term {
  if (entries.length === 0 && optional) return NONE;
  const entry = entries.find(([key]) => key.is === 'literal' && key.value === field);
  if (entry === undefined) throw new NotExportable('function', `the member ${field} of an item`);
  return optional ? method(name('optional'), 'of', entry[1]) : entry[1];
}

function lowerItem(term: Extract<Term, { is: 'item' }>, scope: Scope, context: Context): Term {
  const of = lower(term.of, scope, context);
  const key = lower(term.key, scope, context);
  if (isNone(of)) return NONE;
  if (key.is === 'literal' && typeof key.value === 'string' && term.optional && isUnknownField(typeOf(of, scope), key.value)) return NONE;
  return { ...term, of, key };
}

function lowerCall(term: Call, scope: Scope, context: Context): Term {
  if (term.on === undefined) {
    const accessed = lowerAccessor(term, scope, context);
    if (accessed) return accessed;
    const variable = variableOf(term, scope, context);
    if (variable) return variable;
    const expanded = expandCall(term, scope, context);
    if (expanded) return lower(expanded, scope, context);
  }
  if (term.name === 'join' && term.on) return lowerJoin(term.on, term.args, scope, context);
  if (term.name === 'first' && term.on) return lower({ is: 'item', of: term.on, key: literal(0n), optional: true }, scope, context);
  if (term.name === 'flatten' || term.name === 'distinct') return materialised(term, scope, context);
  if (term.on?.is === 'name' && term.on.name === 'math' && term.name === 'floor' && term.args[0])
    return lower(call('double', call('int', term.args[0])), scope, context);
  checkFunction(term);
  const on = term.on && lower(term.on, scope, context);
  const args = term.args.map((arg) => lower(arg, scope, context));
  if (on && term.name === 'orValue' && args[0]) return orValue(on, args[0]);
  if (on && term.name === 'hasValue') return hasValue(on);
  if (on && term.name === 'or' && args[0]) return isNone(on) ? args[0] : isNone(args[0]) ? on : { ...term, on, args };
  if (on && term.name === 'value' && on.is === 'call' && on.name === 'of' && on.args[0]) return on.args[0];
  if (term.name === 'size' && (on ?? args[0]) && isEmptyList(on ?? args[0] ?? term)) return literal(0n);
  return { ...term, on, args };
}

/** A function of the whole object is a variable of the policy, which is named after it. */
function variableOf(term: Call, scope: Scope, context: Context): Term | undefined {
  const whole = term.args.length > 0 && term.args.every((arg) => isWhole(arg, scope));
  if (!whole || definitionOf(term.name) === undefined) return undefined;
  return context.variable(VARIABLE_NAMES.get(term.name) ?? term.name, () => {
    const expanded = expandCall(term, scope, context);
    return expanded ? lower(expanded, scope, context) : term;
  });
}

function lowerLoop(term: Extract<Term, { is: 'loop' }>, scope: Scope, context: Context): Term {
  const { macro, variable } = term;
  const sequence = sequenceOf(term.over, scope, context);
  if (sequence === undefined || macro === 'exists_one') {
    const over = rangeOf(term.over, scope, context);
    const inner = new Map(scope).set(variable, elementsOf(typeOf(over, scope)));
    return loop(macro, over, variable, lowerBody(term.body, inner, context));
  }
  if (macro === 'filter' || macro === 'map') return materialised(term, scope, context);
  const combine = macro === 'all' ? ALL : EXISTS;
  const body = (item: Term, inner: Scope) => lowerBody(substitute(term.body, variable, item), inner, context);
  return forEach(sequence, scope, context, combine, body, variable);
}

/** What a loop goes over: the keys of a map are the map itself. */
export function rangeOf(term: Term, scope: Scope, context: Context): Term {
  if (term.is === 'call' && term.name === 'keys' && term.on === undefined && term.args[0]) {
    const map = lower(call('map', term.args[0]), scope, context);
    return map.is === 'map' && map.entries.length === 0 ? EMPTY_LIST : map;
  }
  return lower(term, scope, context);
}

const EXISTS = {
  loop: (over: Term, variable: string, body: Term) => loop('exists', over, variable, body),
  keep: (condition: Term, body: Term) => and(condition, body),
  join: (parts: readonly Term[]) => or(...parts),
};

const ALL = {
  loop: (over: Term, variable: string, body: Term) => loop('all', over, variable, body),
  keep: (condition: Term, body: Term) => or(not(condition), body),
  join: (parts: readonly Term[]) => and(...parts),
};

/** A sequence as a list, where the API server can make one. */
function materialised(term: Term, scope: Scope, context: Context): Term {
  const sequence = sequenceOf(term, scope, context);
  if (sequence === undefined) throw new NotExportable('nesting');
  return listOf(sequence, scope, context);
}

function listOf(sequence: Sequence, scope: Scope, context: Context): Term {
  switch (sequence.from) {
    case 'list':
      return sequence.list;
    case 'joined':
      return sequence.parts.map((part) => listOf(part, scope, context)).reduce(plus, EMPTY_LIST);
    case 'filtered':
    case 'mapped': {
      const over = listOf(sequence.over, scope, context);
      const inner = new Map(scope).set(sequence.variable, elementsOf(typeOf(over, scope)));
      const macro = sequence.from === 'filtered' ? 'filter' : 'map';
      return loop(macro, over, sequence.variable, lowerBody(sequence.body, inner, context));
    }
    default:
      throw new NotExportable('nesting');
  }
}

function lowerJoin(on: Term, args: readonly Term[], scope: Scope, context: Context): Term {
  const separator = args[0] ? lower(args[0], scope, context) : literal('');
  const sequence = sequenceOf(on, scope, context);
  if (sequence)
    return joinedText(sequence, separator, scope, context, (item, inner) => ({ condition: TRUE, text: lower(item, inner, context) }));
  const list = lower(on, scope, context);
  return isEmptyList(list) ? literal('') : method(list, 'join', separator);
}

/** What an item adds to a text; nothing where the condition is false. */
export interface Emission {
  condition: Term;
  text: Term;
}

/** The texts of the items of a sequence, joined. An empty text adds nothing. */
function joinedText(sequence: Sequence, separator: Term, scope: Scope, context: Context, emit: Emit): Term {
  const { condition, text } = emissionOf(sequence, separator, scope, context, emit);
  return choose(condition, text, literal(''));
}

type Emit = (item: Term, scope: Scope) => Emission;

/** The same as an emission, for a text around it. `hint` is a name for the item. */
export function emissionOf(sequence: Sequence, separator: Term, scope: Scope, context: Context, emit: Emit, hint?: string): Emission {
  return forEach<Emission>(sequence, scope, context, emissions(separator), emit, hint);
}

function emissions(separator: Term) {
  const notEmpty = (list: Term) => loop('filter', list, 'text', compare('!=', name('text'), literal('')));
  return {
    loop: (over: Term, variable: string, { condition, text }: Emission): Emission => {
      if (isFalse(condition)) return { condition, text };
      // The same text for every item is said once.
      if (countOf(text, variable) === 0) return { condition: loop('exists', over, variable, condition), text };
      const texts = loop('map', loop('filter', over, variable, condition), variable, text);
      if (isEmptyList(texts)) return { condition: FALSE, text: literal('') };
      return { condition: TRUE, text: method(isTrue(condition) && isJoin(text) ? notEmpty(texts) : texts, 'join', separator) };
    },
    keep: (condition: Term, { condition: inner, text }: Emission): Emission => ({ condition: and(condition, inner), text }),
    join: (parts: readonly Emission[]): Emission => {
      const kept = parts.filter(({ condition }) => !isFalse(condition));
      const [first, second] = kept;
      if (first === undefined) return { condition: FALSE, text: literal('') };
      if (second === undefined) return first;
      const texts = kept.map(({ condition, text }) => choose(condition, text, literal('')));
      return { condition: TRUE, text: method(notEmpty({ is: 'list', items: texts }), 'join', separator) };
    },
  };
}

function isJoin(term: Term): boolean {
  return term.is === 'call' && term.name === 'join';
}

function lowerBind(term: Extract<Term, { is: 'bind' }>, scope: Scope, context: Context): Term {
  if (isVirtual(term.value, scope, context)) return lower(substitute(term.body, term.variable, term.value), scope, context);
  const value = lower(term.value, scope, context);
  const clean = term.value.is === 'call' && GIVES_CLEAN_PATH.has(term.value.name);
  const inner = new Map(scope).set(term.variable, clean ? CLEAN_PATH : typeOf(value, scope));
  return bind(term.variable, value, lower(term.body, inner, context));
}

/** What has no value of its own: a list of lists, and the parts of an image. */
function isVirtual(term: Term, scope: Scope, context: Context): boolean {
  return (term.is === 'call' && term.name === 'image') || sequenceOf(term, scope, context) !== undefined;
}

function lowerBinary(term: Extract<Term, { is: 'binary' }>, scope: Scope, context: Context): Term {
  const { operator } = term;
  if (operator === '&&' || operator === '||') {
    const left = lower(term.left, scope, context);
    if (left.is === 'literal' && left.value === (operator === '||')) return left;
    const right = lower(term.right, scope, context);
    return operator === '&&' ? and(left, right) : or(left, right);
  }
  if (operator === 'in') return lowerIn(term.left, term.right, scope, context);
  const counted = countedSequence(term, scope, context);
  if (counted) return counted;
  if (operator === '+' && sequenceOf(term, scope, context)) return materialised(term, scope, context);
  if (operator === '==' || operator === '!=')
    return compare(operator, lowerCompared(term.left, scope, context), lowerCompared(term.right, scope, context));
  const left = lower(term.left, scope, context);
  const right = lower(term.right, scope, context);
  return operator === '+' ? plus(left, right) : compared(operator, left, right);
}

/** `text(x) == "a"` need not ask for the type of x. */
function lowerCompared(term: Term, scope: Scope, context: Context): Term {
  const [arg] = term.is === 'call' && term.name === 'text' && term.on === undefined ? term.args : [];
  const value = arg && lower(arg, scope, context);
  const type = value && typeOf(value, scope);
  return value && type && (isOptional(type) ? type.of : type).type === 'anything' ? comparedText(value, type) : lower(term, scope, context);
}

/** `x in list`, `key in keys(map)` */
function lowerIn(leftTerm: Term, rightTerm: Term, scope: Scope, context: Context): Term {
  const left = lowerCompared(leftTerm, scope, context);
  const sequence = sequenceOf(rightTerm, scope, context);
  if (sequence) return forEach(sequence, scope, context, EXISTS, (item, inner) => compare('==', lower(item, inner, context), left));
  const right = rangeOf(rightTerm, scope, context);
  return isEmptyList(right) ? FALSE : { is: 'binary', operator: 'in', left, right };
}

/** `size(sequence) > 0` and the like ask whether there is an item. */
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

function negative(of: Term): Term {
  if (of.is === 'literal' && (typeof of.value === 'bigint' || typeof of.value === 'number')) return literal(-of.value);
  return { is: 'unary', operator: '-', of };
}
