import type { JsonSchema } from '@bylaw/core/http';
import { type EstimateRequest, estimate } from '../estimate/index.js';
import { ESTIMATE_BODY_SCHEMA } from './estimate-schema.js';

/** What a caller can ask of this plugin: the form of the body, and the function that answers it. */
export interface Operation {
  body: JsonSchema;
  /** Pure. The body has passed the schema. @throws {BylawError} for input that cannot be used */
  answer(body: unknown): Promise<object>;
}

export const OPERATIONS = {
  estimate: { body: ESTIMATE_BODY_SCHEMA, answer: (body) => estimate(body as EstimateRequest) }, // it has passed the schema
} as const satisfies { readonly [name: string]: Operation };

export type OperationName = keyof typeof OPERATIONS;
