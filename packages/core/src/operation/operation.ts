import type { JsonSchema } from '../http/index.js';

/** A question that takes a while to answer: the form of its input, and the function that answers it. */
export interface Operation {
  id: string;
  input: JsonSchema;
  /** The input has passed the schema. @throws {BylawError} for input that cannot be used */
  run(input: object, setup: unknown): object | Promise<object>;
}

/** What a thread is asked, and what it says. */
export interface ThreadRequest {
  /** Its id. */
  operation: string;
  body: Uint8Array;
  /** What the operation needs to know besides. */
  setup?: unknown;
  /** Members of the input that are set whatever the body says. */
  sets?: object;
}

export type ThreadAnswer =
  | { body: Uint8Array }
  | { problem: { code: 'invalid-json' | 'schema'; detail?: string; errors?: readonly { path: string; message: string }[] } }
  | { error: OperationError };

/** What is wrong with a body that has the right form. Message and hint may hold names of the caller's; code, path and line do not. */
export interface OperationError {
  code: string;
  message: string;
  hint: string | undefined;
  /** JSON Pointer into the request. */
  path: string | undefined;
  /** Of a table in the request, from 1. */
  line: number | undefined;
}
