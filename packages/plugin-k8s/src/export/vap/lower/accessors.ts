import { bind, EMPTY_LIST, isNone, orValue } from '../term/build.js';
import type { Context } from '../term/context.js';
import { type Call, call, literal, method, name, type Term } from '../term/term.js';
import { isOptional, type Scope, type Type, typeOf } from '../term/type.js';

/**
 * `text`, `number`, `list`, `map`, `show`, `keys` and `values` take a value of any type. The API server has checked the types before a policy
 * sees an object, so that most of them only say what stands for an absent value.
 */
export function lowerAccessor(term: Call, scope: Scope, context: Context): Term | undefined {
  const accessor = Object.hasOwn(ACCESSORS, term.name) ? ACCESSORS[term.name] : undefined;
  const [first, second] = term.args;
  if (accessor === undefined || first === undefined) return undefined;
  const value = context.lower(first, scope);
  const type = typeOf(value, scope);
  return accessor(value, isNone(value) ? { type: 'optional', of: { type: 'anything' } } : type, second && context.lower(second, scope));
}

type Accessor = (value: Term, type: Type, second: Term | undefined) => Term;

const EMPTY_MAP: Term = { is: 'map', entries: [] };

const ACCESSORS: { readonly [name: string]: Accessor } = {
  list: (value, type) => listOf(value, type),
  map: (value, type) => present(value, type, EMPTY_MAP, ['map', 'object']),
  text: (value, type) => textTerm(value, type),
  quantityText: (value, type) => quantityText(value, type),
  number: (value, type, otherwise) => numberTerm(value, type, otherwise ?? literal(0n)),
  keys: (value, type) => mapped(present(value, type, EMPTY_MAP, ['map', 'object']), (_map, key) => key),
  values: (value, type) =>
    mapped(present(value, type, EMPTY_MAP, ['map', 'object']), (map, key) => ({ is: 'item', of: map, key, optional: false })),
  show: (value, type) => messageTerm(value, type),
};

/** The value, or what stands for one that is absent or of another type. */
function present(value: Term, type: Type, otherwise: Term, types: readonly Type['type'][]): Term {
  const inner = isOptional(type) ? type.of : type;
  const plain = isOptional(type) ? orValue(value, otherwise) : value;
  if (inner.type === 'mixed')
    return ifOfType(isOptional(type) ? orValue(value, call('dyn', otherwise)) : value, CEL_TYPES[types[0] ?? ''] ?? 'string', otherwise);
  return inner.type === 'anything' || types.includes(inner.type) ? plain : otherwise;
}

/** Lists that the API server writes as null where they are empty. Source: k8s.io/api, fields without `omitempty`. */
const NULLABLE = new Set(['addresses', 'endpoints', 'limits', 'paths', 'rules', 'sources', 'subjects', 'verbs']);

function listOf(value: Term, type: Type): Term {
  const list = present(value, type, EMPTY_LIST, ['list']);
  const nullable = value.is === 'member' && NULLABLE.has(value.name) && isOptional(type) && type.of.type === 'list';
  return nullable ? orValue(method(name('optional'), 'ofNonZeroValue', list), EMPTY_LIST) : list;
}

/** The types that hold texts beside numbers; and anything, of which a method would not be sure. */
const PERHAPS_TEXT = new Set<Type['type']>(['quantity', 'integer-or-string', 'anything']);

function textTerm(value: Term, type: Type): Term {
  const inner = isOptional(type) ? type.of : type;
  if (!PERHAPS_TEXT.has(inner.type) || isNone(value)) return present(value, type, literal(''), ['string']);
  return ifOfType(isOptional(type) ? orValue(value, literal('')) : value, 'string', literal(''));
}

/** The same where it is only compared, and a value of another type is equal to no text. */
export function comparedText(value: Term, type: Type): Term {
  return isOptional(type) ? orValue(value, literal('')) : value;
}

/** The API server writes the quantities of its own kinds as texts. */
function quantityText(value: Term, type: Type): Term {
  const inner = isOptional(type) ? type.of : type;
  if (value.is === 'literal') return literal(String(value.value));
  const plain = isOptional(type) ? orValue(value, literal('')) : value;
  return inner.type === 'string' || inner.type === 'quantity' || plain.is === 'literal' ? plain : call('string', plain);
}

function numberTerm(value: Term, type: Type, otherwise: Term): Term {
  const inner = isOptional(type) ? type.of : type;
  if (inner.type !== 'quantity' && inner.type !== 'integer-or-string') return present(value, type, otherwise, ['integer', 'number']);
  return ifOfType(isOptional(type) ? orValue(value, otherwise) : value, 'int', otherwise);
}

const CEL_TYPES: { readonly [type: string]: string } = { list: 'list', map: 'map', string: 'string', integer: 'int' };

function ifOfType(value: Term, type: string, otherwise: Term): Term {
  if (value.is === 'literal') return value;
  const asked: Term = { is: 'binary', operator: '==', left: call('type', name('value')), right: name(type) };
  return bind('value', value, { is: 'choice', condition: asked, yes: name('value'), no: otherwise });
}

function mapped(map: Term, item: (map: Term, key: Term) => Term): Term {
  if (map.is === 'map' && map.entries.length === 0) return EMPTY_LIST;
  return { is: 'loop', macro: 'map', over: map, variable: 'key', body: item(map, name('key')) };
}

/** For messages. Long values are not cut here: the message as a whole is. */
function messageTerm(value: Term, type: Type): Term {
  const absent = literal('absent');
  const inner = isOptional(type) ? type.of : type;
  if (isNone(value)) return absent;
  if (inner.type === 'string') return isOptional(type) ? orValue(value, absent) : value;
  if (value.is === 'literal') return literal(String(value.value));
  const plain = isOptional(type) ? orValue(value, call('dyn', absent)) : value;
  return method(literal('%s'), 'format', { is: 'list', items: [plain] });
}
