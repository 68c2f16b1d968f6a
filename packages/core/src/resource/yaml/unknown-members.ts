import { raiseUnknown, type Unknown } from '../../undecided.js';

/** What is not known, by the key of the member or the number of the item; under `undefined` what stands for the whole mapping or list. */
export type UnknownMembers = Map<string | undefined, Unknown>;

/** The known part of a mapping or list with unknown members: for callers that need a place, not a value. */
const knownParts = new WeakMap<object, object>();

/**
 * A mapping or list for CEL that throws when an expression reads what is not known of it. A list has a known length, so its other items can be read. An
 * unknown member of a mapping may turn out to be absent, so the keys of the mapping are not known either.
 */
export function withUnknown(copy: object, unknown: UnknownMembers): object {
  const view = new Proxy(copy, Array.isArray(copy) && fits(copy, unknown) ? itemTraps(unknown) : memberTraps(copy, unknown));
  knownParts.set(view, copy);
  return view;
}

/** The mapping or list without what is not known of it; any other value as it is. The values in it may have unknown members again. */
export function knownPartOf<T>(value: T): T {
  // A part has the type of the whole: it lacks only members that the type does not promise.
  return typeof value === 'object' && value !== null ? ((knownParts.get(value) ?? value) as T) : value;
}

function fits(list: readonly unknown[], unknown: UnknownMembers): boolean {
  return unknown.keys().every((key) => key !== undefined && Object.hasOwn(list, key));
}

function itemTraps(unknown: UnknownMembers): ProxyHandler<object> {
  const check = (key: string | symbol) => {
    const value = typeof key === 'string' ? unknown.get(key) : undefined;
    if (value) raiseUnknown(value);
  };
  return trapsFor(check, () => {});
}

function memberTraps(copy: object, unknown: UnknownMembers): ProxyHandler<object> {
  const [first] = unknown.values();
  const raiseAny = () => {
    if (first) raiseUnknown(first);
  };
  const all = unknown.has(undefined) || Array.isArray(copy) || copy instanceof Map;
  const check = (key: string | symbol) => {
    // Keys that are symbols are marks of ours.
    const value = typeof key === 'string' ? unknown.get(key) : undefined;
    if (value) raiseUnknown(value);
    if (all && typeof key === 'string') raiseAny();
  };
  return trapsFor(check, raiseAny);
}

function trapsFor(check: (key: string | symbol) => void, checkKeys: () => void): ProxyHandler<object> {
  return {
    get(target, key) {
      check(key);
      return Reflect.get(target, key);
    },
    has(target, key) {
      check(key);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      check(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    ownKeys(target) {
      checkKeys();
      return Reflect.ownKeys(target);
    },
  };
}
