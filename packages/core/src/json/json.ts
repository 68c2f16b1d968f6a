/** A JSON value. As the gate keeps it, it is I-JSON (RFC 7493): every number is finite, and every integer within ±(2^53−1). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
