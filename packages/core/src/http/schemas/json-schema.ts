import type { JsonSchema } from '../route.js';

/** Short forms for the schemas of answers: nothing but what is named, and all of it there unless it is optional. */

export function object(
  required: { readonly [name: string]: JsonSchema },
  optional: { readonly [name: string]: JsonSchema } = {},
): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(required), properties: { ...required, ...optional } };
}

export const list = (description: string, items: JsonSchema): JsonSchema => ({ description, type: 'array', items });

export const text = (description: string): JsonSchema => ({ description, type: 'string' });

export const number = (description: string): JsonSchema => ({ description, type: 'number' });

export const whole = (description: string, minimum = 0): JsonSchema => ({ description, type: 'integer', minimum });

export const oneOfText = (description: string, values: readonly string[]): JsonSchema => ({
  description,
  type: 'string',
  enum: [...values],
});
