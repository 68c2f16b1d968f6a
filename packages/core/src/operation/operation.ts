import type { JsonSchema } from '../http/index.js';
import type { Output } from '../report/reporter.js';
import type { RequestBreach } from '../request-check.js';
import type { RunContext } from './run-context.js';

/** A question that takes a while to answer: the form of its input, and the function that answers it. */
export interface Operation {
  id: string;
  input: JsonSchema;
  /** What is wrong with an input that has passed the schema, where no schema can say it. */
  check?(input: object, context: RunContext): readonly RequestBreach[] | Promise<readonly RequestBreach[]>;
  /** The input has passed the schema. @throws {BylawError} for input that cannot be used */
  run?(input: object, setup: unknown, context: RunContext): object | Promise<object>;
  /** In place of `run`: writes the answer as JSON text, piece by piece. @throws {BylawError} as `run`, before it writes anything */
  write?(input: object, setup: unknown, context: RunContext, out: Output): Promise<void>;
}

/** What a thread is asked. */
export interface ThreadRequest {
  /** Compiled file that exports the operation; a thread loads it with the first request for it. */
  module: string;
  /** Its id. */
  operation: string;
  body: Uint8Array;
  /** What else the operation needs to know. */
  setup?: unknown;
  /** Members of the input that are set whatever the body says. */
  sets?: object;
  /** The time of the request, RFC 3339. */
  now: string;
}

/** What a thread answers: bytes, in chunks if they are many, or what is wrong with the request. Whoever gets chunks takes all, or ends the iteration. */
export type ThreadAnswer = { body: Uint8Array | AsyncIterable<Uint8Array> } | Refusal;

export type Refusal =
  | { problem: { code: 'invalid-json' | 'schema'; detail?: string; errors?: readonly RequestBreach[] } }
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
