import type { Term } from './term.js';

/**
 * What is known of a value before it is there. The shapes of the built-in kinds are such types. Of a field of a custom resource nothing is known
 * (`anything`), and the definition of its kind is trusted; what is taken by a key that is not known yet may be of several types (`mixed`).
 */
export type Type =
  | { type: 'string' | 'integer' | 'number' | 'boolean' | 'quantity' | 'integer-or-string' | 'anything' | 'mixed' }
  | { type: 'list' | 'map'; item: Type }
  | ObjectType
  | { type: 'optional'; of: Type };

export interface ObjectType {
  type: 'object';
  fields: ReadonlyMap<string, Type>;
  /** Other fields may be there as well; without it, a field that is not listed is never there. */
  open?: boolean;
}

/** The types of the names in scope. */
export type Scope = ReadonlyMap<string, Type>;

export const ANYTHING: Type = { type: 'anything' };
const MIXED: Type = { type: 'mixed' };
export const BOOLEAN: Type = { type: 'boolean' };
export const TEXT: Type = { type: 'string' };
const INTEGER: Type = { type: 'integer' };
const TEXTS: Type = { type: 'list', item: TEXT };

/** The type of a tree that has been lowered. `anything` where it cannot be told. */
export function typeOf(term: Term, scope: Scope): Type {
  switch (term.is) {
    case 'literal':
      return typeOfLiteral(term.value);
    case 'name':
      return scope.get(term.name) ?? ANYTHING;
    case 'member':
      return selected(typeOf(term.of, scope), (type) => fieldOf(type, term.name), term.optional);
    case 'item': {
      const key = term.key.is === 'literal' && typeof term.key.value === 'string' ? term.key.value : undefined;
      return selected(typeOf(term.of, scope), (type) => elementOf(type, key), term.optional);
    }
    case 'call':
      if (term.name === 'of' && term.args[0]) return { type: 'optional', of: typeOf(term.args[0], scope) };
      return typeOfCall(term.name, term.on && typeOf(term.on, scope));
    case 'loop': {
      const over = typeOf(term.over, scope);
      if (term.macro === 'filter') return over.type === 'list' ? over : { type: 'list', item: elementsOf(over) };
      if (term.macro !== 'map') return BOOLEAN;
      return { type: 'list', item: typeOf(term.body, new Map(scope).set(term.variable, elementsOf(over))) };
    }
    case 'bind':
      return typeOf(term.body, new Map(scope).set(term.variable, typeOf(term.value, scope)));
    case 'list':
      return { type: 'list', item: common(term.items.map((item) => typeOf(item, scope))) };
    case 'map':
      return {
        type: 'object',
        fields: new Map(
          term.entries.flatMap(([key, value]) =>
            key.is === 'literal' && typeof key.value === 'string' ? [[key.value, typeOf(value, scope)] as const] : [],
          ),
        ),
      };
    case 'unary':
      return term.operator === '!' ? BOOLEAN : typeOf(term.of, scope);
    case 'binary':
      return ['+', '-', '*', '/', '%'].includes(term.operator) ? common([typeOf(term.left, scope), typeOf(term.right, scope)]) : BOOLEAN;
    case 'choice':
      return common([typeOf(term.yes, scope), typeOf(term.no, scope)]);
  }
}

/** What a loop over a value sees: items of a list, keys of a map. */
export function elementsOf(type: Type): Type {
  if (type.type === 'list') return type.item;
  return type.type === 'map' || type.type === 'object' ? TEXT : ANYTHING;
}

export function isOptional(type: Type): type is { type: 'optional'; of: Type } {
  return type.type === 'optional';
}

/** Whether a member of a value with this type can never be there. */
export function isUnknownField(type: Type, name: string): boolean {
  const inner = isOptional(type) ? type.of : type;
  return inner.type === 'object' && inner.open !== true && !inner.fields.has(name);
}

/** Several kinds in one. A field that one of them does not list, but may have, can hold anything. */
export function union(types: readonly ObjectType[]): ObjectType {
  const names = new Set(types.flatMap(({ fields }) => [...fields.keys()]));
  const fieldIn = (name: string) => types.flatMap(({ fields, open }) => fields.get(name) ?? (open === true ? ANYTHING : []));
  return {
    type: 'object',
    fields: new Map([...names].map((name) => [name, fieldIn(name).reduce(merge)] as const)),
    ...(types.some(({ open }) => open) && { open: true }),
  };
}

/** The type of a value that has one of two types. */
function merge(a: Type, b: Type): Type {
  if (a === b) return a;
  if (a.type === 'object' && b.type === 'object') return union([a, b]);
  if (a.type === 'list' && b.type === 'list') return { type: 'list', item: merge(a.item, b.item) };
  if (a.type === 'map' && b.type === 'map') return { type: 'map', item: merge(a.item, b.item) };
  if (a.type === 'optional' && b.type === 'optional') return { type: 'optional', of: merge(a.of, b.of) };
  if (a.type === 'anything' || b.type === 'anything') return ANYTHING;
  return a.type === b.type ? a : MIXED;
}

function typeOfLiteral(value: null | boolean | bigint | number | string): Type {
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'boolean') return BOOLEAN;
  return typeof value === 'bigint' ? INTEGER : typeof value === 'number' ? { type: 'number' } : ANYTHING;
}

/** Members of an optional are optional themselves. */
function selected(from: Type, step: (type: Type) => Type, optional: boolean): Type {
  const found = step(isOptional(from) ? from.of : from);
  return optional || isOptional(from) ? { type: 'optional', of: found } : found;
}

function fieldOf(type: Type, field: string): Type {
  if (type.type === 'object') return type.fields.get(field) ?? ANYTHING;
  return type.type === 'map' ? type.item : type.type === 'mixed' ? MIXED : ANYTHING;
}

function elementOf(type: Type, key: string | undefined): Type {
  if (key !== undefined) return fieldOf(type, key);
  if (type.type === 'list' || type.type === 'map') return type.item;
  return type.type === 'object' && type.open !== true ? common([...type.fields.values()]) : ANYTHING;
}

/** The type that all have; what is empty, or could be anything, says nothing. */
function common(types: readonly Type[]): Type {
  return types.filter((type) => type !== ANYTHING && !(type.type === 'list' && type.item === ANYTHING)).reduce(mergeKnown, ANYTHING);
}

function mergeKnown(a: Type, b: Type): Type {
  return a === ANYTHING ? b : merge(a, b);
}

const BY_METHOD: { readonly [name: string]: Type } = {
  split: TEXTS,
  findAll: TEXTS,
  size: INTEGER,
  indexOf: INTEGER,
  int: INTEGER,
  double: { type: 'number' },
  ...Object.fromEntries(
    ['join', 'replace', 'trim', 'lowerAscii', 'upperAscii', 'substring', 'find', 'format', 'string', 'charAt'].map((name) => [name, TEXT]),
  ),
  ...Object.fromEntries(
    ['startsWith', 'endsWith', 'contains', 'matches', 'hasValue', 'isIP', 'isCIDR', 'isUnspecified'].map((name) => [name, BOOLEAN]),
  ),
};

function typeOfCall(name: string, on: Type | undefined): Type {
  if ((name === 'orValue' || name === 'value') && on?.type === 'optional') return on.of;
  if (name === 'or' && on) return on;
  if (name === 'none') return { type: 'optional', of: ANYTHING };
  return Object.hasOwn(BY_METHOD, name) ? (BY_METHOD[name] ?? ANYTHING) : ANYTHING;
}
