import { and, choose, compare, FALSE, isEmptyList, isFalse, loop, TRUE } from '../term/build.js';
import type { Context } from '../term/context.js';
import { countOf, literal, method, name, type Term } from '../term/term.js';
import type { Scope } from '../term/type.js';
import { type Combine, forEach, type Sequence } from './sequence.js';

/** What an item adds to a text; nothing where the condition is false. */
export interface Emission {
  condition: Term;
  text: Term;
}

/** The texts of the items of a sequence, joined. An empty text adds nothing. */
export function joinedText(sequence: Sequence, separator: Term, scope: Scope, context: Context, emit: Emit): Term {
  const { condition, text } = emissionOf(sequence, separator, scope, context, emit);
  return choose(condition, text, literal(''));
}

type Emit = (item: Term, scope: Scope) => Emission;

/** The same as an emission, for a text around it. `hint` is a name for the item. */
export function emissionOf(sequence: Sequence, separator: Term, scope: Scope, context: Context, emit: Emit, hint?: string): Emission {
  return forEach<Emission>(sequence, scope, context, emissions(separator), emit, hint);
}

function emissions(separator: Term): Combine<Emission> {
  const notEmpty = (list: Term) => loop('filter', list, 'text', compare('!=', name('text'), literal('')));
  return {
    loop: (over, variable, { condition, text }) => {
      if (isFalse(condition)) return { condition, text };
      // The same text for every item is given once.
      if (countOf(text, variable) === 0) return { condition: loop('exists', over, variable, condition), text };
      const texts = loop('map', loop('filter', over, variable, condition), variable, text);
      if (isEmptyList(texts)) return { condition: FALSE, text: literal('') };
      return { condition: TRUE, text: method(isJoin(text) ? notEmpty(texts) : texts, 'join', separator) };
    },
    keep: (condition, { condition: inner, text }) => ({ condition: and(condition, inner), text }),
    join: (parts) => {
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
