import { quoted } from '../quoted.js';
import { member } from '../standard/values.js';

type Getter = (value: unknown) => unknown;

/** `member` for one key, of all expressions. Code of its own for each key lets the engine remember where such a key stands. */
const getters = new Map<string, Getter>();
const MAX_GETTERS = 5_000;

export function getterOf(key: string): Getter {
  const known = getters.get(key);
  if (known !== undefined) return known;
  if (getters.size >= MAX_GETTERS) return (value) => member(value, key);
  const getter: Getter = new Function('member', `return ${getterSource(key)};`)(member);
  getters.set(key, getter);
  return getter;
}

/** The source of a getter, in which `member` is the function of that name. */
export function getterSource(key: string): string {
  const name = quoted(key);
  // What every object inherits could be taken for a member.
  if (key in Object.prototype) return `(value) => member(value, ${name})`;
  return `function (value) {
  if (typeof value !== "object" || value === null) return undefined;
  const found = value[${name}];
  if (found === undefined) return value instanceof Map ? value.get(${name}) : undefined;
  return value.constructor === Object ? found : member(value, ${name});
}`;
}
