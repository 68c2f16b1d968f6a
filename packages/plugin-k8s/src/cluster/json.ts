/** A JSON value of the API server, looked at before it is believed. */
export interface JsonMapping {
  readonly [member: string]: unknown;
}

export function asMapping(value: unknown): JsonMapping | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMapping) : undefined; // members stay unknown
}

/** The items of a list; none where it is not a list: Go writes an empty list as null. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
