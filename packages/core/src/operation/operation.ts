import type { JsonSchema } from '../http/index.js';

/** A question that takes a while to answer: the form of its body, and the function that answers it. */
export interface Operation {
  body: JsonSchema;
  /** Pure. The body has passed the schema. @throws {BylawError} for input that cannot be used */
  answer(body: unknown, request: Pick<ThreadRequest, 'setup' | 'sets'>): object | Promise<object>;
}

/** What a thread is asked, and what it says. */
export interface ThreadRequest<Name extends string = string> {
  operation: Name;
  body: Uint8Array;
  /** What the operation needs to know besides. */
  setup?: unknown;
  /** Members that are set whatever the body says. */
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
