import type { JsonObject } from '../json/index.js';

/** Says of an object of one of our interfaces that it is JSON. All of their members are; TypeScript gives interfaces no index signature. */
export function asJson<T extends object>(value: T & { [name in keyof T]: unknown }): JsonObject {
  return value as unknown as JsonObject;
}
