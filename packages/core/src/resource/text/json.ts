/** A JSON value as the readers make it: plain objects, arrays and scalars; members that were null are absent. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own member, `__proto__` included: a plain assignment to that name would change the object's prototype. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** The value without the members that are null, at every depth. List items that are null stay. Unchanged parts are shared. */
export function withoutNullMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i];
      if (typeof item === 'object' && item !== null) value[i] = withoutNullMembers(item);
    }
    return value;
  }
  return isObject(value) ? objectWithoutNulls(value) : value;
}

function objectWithoutNulls(object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  // A rebuilt object keeps V8's fast form; `delete` would not.
  const result = entries.some(([, member]) => member === null) ? {} : object;
  for (const [key, member] of entries) {
    if (member !== null) setMember(result, key, typeof member === 'object' ? withoutNullMembers(member) : member);
  }
  return result;
}
