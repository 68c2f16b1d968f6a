import { EMPTY_LIST, isEmptyList, loop, plus, TRUE } from '../term/build.js';
import type { Context } from '../term/context.js';
import { NotExportable } from '../term/not-exportable.js';
import { literal, method, type Term } from '../term/term.js';
import { elementsOf, type Scope, typeOf } from '../term/type.js';
import { joinedText } from './emission.js';
import { type Sequence, sequenceOf } from './sequence.js';

/** A sequence as a list, where the API server can make one. */
export function materialised(term: Term, scope: Scope, context: Context): Term {
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
      return loop(macro, over, sequence.variable, context.lowerBody(sequence.body, inner));
    }
    case 'distinct':
      throw new NotExportable('function', 'distinct()');
    default:
      throw new NotExportable('nesting');
  }
}

/** `list.join(separator)` */
export function lowerJoin(on: Term, args: readonly Term[], scope: Scope, context: Context): Term {
  const separator = args[0] ? context.lower(args[0], scope) : literal('');
  const sequence = sequenceOf(on, scope, context);
  if (sequence)
    return joinedText(sequence, separator, scope, context, (item, inner) => ({ condition: TRUE, text: context.lower(item, inner) }));
  const list = context.lower(on, scope);
  return isEmptyList(list) ? literal('') : method(list, 'join', separator);
}
