import { and, EMPTY_LIST, isEmptyList, loop, not, or } from '../term/build.js';
import type { Context } from '../term/context.js';
import { NotExportable } from '../term/not-exportable.js';
import { call, freshName, literal, name, substitute, type Term } from '../term/term.js';
import { elementsOf, isOptional, type Scope, type Type, typeOf } from '../term/type.js';
import { expandCall } from './special.js';

/**
 * Items that are found by loops in loops, or made of an entry of a map: the API server cannot make one list of lists before Kubernetes 1.34, so
 * that what is asked of all items is asked of the items of each list. `list` is lowered, everything else is not yet.
 */
export type Sequence =
  | { from: 'list'; list: Term }
  | { from: 'filtered' | 'mapped'; over: Sequence; variable: string; body: Term }
  /** For each item of `over` the items of `body`, a list. */
  | { from: 'nested'; over: Sequence; variable: string; body: Term }
  | { from: 'joined'; parts: readonly Sequence[] }
  | { from: 'when'; condition: Term; of: Sequence }
  /** Equal items may come twice: it makes no difference to what is asked of all, or of one. */
  | { from: 'distinct'; of: Sequence };

/** The sequence that an expression stands for; undefined where it is a list like any other. */
export function sequenceOf(term: Term, scope: Scope, context: Context): Sequence | undefined {
  switch (term.is) {
    case 'call':
      return sequenceOfCall(term, scope, context);
    case 'loop': {
      if (term.macro !== 'filter' && term.macro !== 'map') return undefined;
      // A list of records is read field by field, and needs no records then.
      const makesRecords = term.macro === 'map' && term.body.is === 'map';
      const over = sequenceOf(term.over, scope, context) ?? (makesRecords ? listOf(term.over, scope, context) : undefined);
      return over && { from: term.macro === 'filter' ? 'filtered' : 'mapped', over, variable: term.variable, body: term.body };
    }
    case 'binary': {
      if (term.operator !== '+') return undefined;
      const [left, right] = [sequenceOf(term.left, scope, context), sequenceOf(term.right, scope, context)];
      if (left === undefined && right === undefined) return undefined;
      return { from: 'joined', parts: [left ?? listOf(term.left, scope, context), right ?? listOf(term.right, scope, context)] };
    }
    case 'choice': {
      const [yes, no] = [sequenceOf(term.yes, scope, context), sequenceOf(term.no, scope, context)];
      if (yes === undefined && no === undefined) return undefined;
      const otherwise: Term = { is: 'unary', operator: '!', of: term.condition };
      return {
        from: 'joined',
        parts: [
          { from: 'when', condition: term.condition, of: yes ?? listOf(term.yes, scope, context) },
          { from: 'when', condition: otherwise, of: no ?? listOf(term.no, scope, context) },
        ],
      };
    }
    default:
      return undefined;
  }
}

/** Any list as a sequence: what a filter asks is asked with the rest. */
export function listOf(term: Term, scope: Scope, context: Context): Sequence {
  if (term.is === 'loop' && term.macro === 'filter')
    return { from: 'filtered', over: listOf(term.over, scope, context), variable: term.variable, body: term.body };
  return sequenceOf(term, scope, context) ?? { from: 'list', list: context.lowerRange(term, scope) };
}

function sequenceOfCall(term: Extract<Term, { is: 'call' }>, scope: Scope, context: Context): Sequence | undefined {
  if (term.on) {
    if (term.name === 'distinct') return { from: 'distinct', of: listOf(term.on, scope, context) };
    return term.name === 'flatten' ? flattened(term.on, scope, context) : undefined;
  }
  const [first] = term.args;
  if (first && term.name === 'entries') return entriesOf(first, scope, context);
  if (first && term.name === 'leaves') return leavesOf(first, scope, context);
  const expanded = expandCall(term, scope, context);
  return expanded && sequenceOf(expanded, scope, context);
}

function flattened(lists: Term, scope: Scope, context: Context): Sequence {
  if (lists.is === 'loop' && lists.macro === 'map') {
    return { from: 'nested', over: listOf(lists.over, scope, context), variable: lists.variable, body: lists.body };
  }
  throw new NotExportable('nesting');
}

const KEY = name('key');

/** An entry of a map is made of its key. */
function entriesOf(value: Term, scope: Scope, context: Context): Sequence {
  const map = context.lower(call('map', value), scope);
  if (map.is === 'map' && map.entries.length === 0) return { from: 'list', list: EMPTY_LIST };
  const entry = record({ key: KEY, value: { is: 'item', of: map, key: KEY, optional: false } });
  return { from: 'mapped', over: { from: 'list', list: map }, variable: 'key', body: entry };
}

/** The scalars of a list or a map of scalars; a tree of unknown depth would need functions that call themselves. */
function leavesOf(value: Term, scope: Scope, context: Context): Sequence {
  const lowered = context.lower(value, scope);
  const type = typeOf(lowered, scope);
  const inner: Type = isOptional(type) ? type.of : type;
  if (inner.type === 'map' && isScalar(inner.item)) return entriesOf(value, scope, context);
  if (inner.type !== 'list' || !isScalar(inner.item)) throw new NotExportable('function', 'leaves(), which walks a tree of any depth');
  const list = context.lower(call('list', value), scope);
  return { from: 'mapped', over: { from: 'list', list }, variable: 'leaf', body: record({ key: literal(''), value: name('leaf') }) };
}

function isScalar({ type }: Type): boolean {
  return ['string', 'integer', 'number', 'boolean', 'quantity', 'integer-or-string'].includes(type);
}

function record(fields: { readonly [name: string]: Term }): Term {
  return { is: 'map', entries: Object.entries(fields).map(([key, value]) => [literal(key), value] as const) };
}

/** How a statement about each item becomes one statement about all. */
export interface Combine<T> {
  loop(over: Term, variable: string, body: T): T;
  /** Items that do not meet the condition do not count. */
  keep(condition: Term, body: T): T;
  join(parts: readonly T[]): T;
}

/** Says something of every item of a sequence. The items that `body` gets are lowered. */
export function forEach<T>(
  sequence: Sequence,
  scope: Scope,
  context: Context,
  combine: Combine<T>,
  body: (item: Term, scope: Scope) => T,
  hint = 'item',
): T {
  switch (sequence.from) {
    case 'list': {
      const variable = isEmptyList(sequence.list) ? hint : freshName(hint, new Set(scope.keys()));
      const inner = new Map(scope).set(variable, elementsOf(typeOf(sequence.list, scope)));
      return combine.loop(sequence.list, variable, body(name(variable), inner));
    }
    case 'filtered':
      return forEach(
        sequence.over,
        scope,
        context,
        combine,
        (item, inner) => combine.keep(context.lowerBody(substitute(sequence.body, sequence.variable, item), inner), body(item, inner)),
        sequence.variable,
      );
    case 'mapped':
      return forEach(
        sequence.over,
        scope,
        context,
        combine,
        (item, inner) => body(context.lowerBody(substitute(sequence.body, sequence.variable, item), inner), inner),
        sequence.variable,
      );
    case 'nested':
      return forEach(
        sequence.over,
        scope,
        context,
        combine,
        (item, inner) => {
          const list = substitute(sequence.body, sequence.variable, item);
          return forEach(listOf(list, inner, context), inner, context, combine, body, hint);
        },
        sequence.variable,
      );
    case 'joined':
      return combine.join(sequence.parts.map((part) => forEach(part, scope, context, combine, body, hint)));
    case 'distinct':
      return forEach(sequence.of, scope, context, combine, body, hint);
    case 'when':
      return combine.keep(context.lower(sequence.condition, scope), forEach(sequence.of, scope, context, combine, body, hint));
  }
}

/** Whether something holds of an item of a sequence. */
export const EXISTS: Combine<Term> = {
  loop: (over, variable, body) => loop('exists', over, variable, body),
  keep: (condition, body) => and(condition, body),
  join: (parts) => or(...parts),
};

/** Whether it holds of all items. */
export const ALL: Combine<Term> = {
  loop: (over, variable, body) => loop('all', over, variable, body),
  keep: (condition, body) => or(not(condition), body),
  join: (parts) => and(...parts),
};
