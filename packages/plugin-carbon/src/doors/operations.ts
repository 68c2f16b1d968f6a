import type { Operation } from '@bylaw/core/operation';
import { type EstimateRequest, estimate } from '../estimate/index.js';
import { ESTIMATE_BODY_SCHEMA } from './estimate-schema.js';

/** What a caller can ask of this plugin. */
export const OPERATIONS = {
  estimate: { body: ESTIMATE_BODY_SCHEMA, answer: (body) => estimate(body as EstimateRequest) }, // it has passed the schema
} as const satisfies { readonly [name: string]: Operation };

export type OperationName = keyof typeof OPERATIONS;

/** The compiled file, also where the sources are run by a test runner. */
export const WORKER = new URL('../../dist/doors/worker.js', import.meta.url);
