import { bind, choose, isNone, NONE, not } from '../term/build.js';
import type { Context } from '../term/context.js';
import { NotExportable } from '../term/not-exportable.js';
import { shareCalls } from '../term/share.js';
import { literal, method, name, substitute, type Term } from '../term/term.js';
import { isUnknownField, type Scope, typeOf } from '../term/type.js';
import { alike } from './alike.js';
import { SHARED } from './definitions.js';
import { lowerBinary } from './lower-binary.js';
import { lowerCall } from './lower-call.js';
import { lowerLoop } from './lower-loop.js';
import { sequenceOf } from './sequence.js';
import { CLEAN_PATH, GIVES_CLEAN_PATH } from './special.js';

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
      return { is: 'list', items: alike(term.items.map((item) => lower(item, scope, context))) };
    case 'map': {
      const values = alike(term.entries.map(([, value]) => lower(value, scope, context)));
      return { is: 'map', entries: term.entries.map(([key], index) => [lower(key, scope, context), values[index] ?? key] as const) };
    }
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

/** Lowers the body of a loop or of `each`, where calls that occur twice are made once. */
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

function negative(of: Term): Term {
  if (of.is === 'literal' && (typeof of.value === 'bigint' || typeof of.value === 'number')) return literal(-of.value);
  return { is: 'unary', operator: '-', of };
}

/** `cel.bind`: what has no value of its own takes the place of its name. */
function lowerBind(term: Extract<Term, { is: 'bind' }>, scope: Scope, context: Context): Term {
  if (isVirtual(term.value, scope, context)) return context.lower(substitute(term.body, term.variable, term.value), scope);
  const value = context.lower(term.value, scope);
  const clean = term.value.is === 'call' && GIVES_CLEAN_PATH.has(term.value.name);
  const inner = new Map(scope).set(term.variable, clean ? CLEAN_PATH : typeOf(value, scope));
  return bind(term.variable, value, context.lower(term.body, inner));
}

/** What has no value of its own: a list of lists, and the parts of an image. */
function isVirtual(term: Term, scope: Scope, context: Context): boolean {
  return (term.is === 'call' && term.name === 'image') || sequenceOf(term, scope, context) !== undefined;
}
