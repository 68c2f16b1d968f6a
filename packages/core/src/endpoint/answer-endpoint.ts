import { BylawError } from '../errors.js';
import type { OperationError, ThreadAnswer } from '../operation/index.js';
import type { Endpoint } from './endpoint.js';
import type { Services } from './services.js';

interface Asked {
  /** JSON. On a thread, it need not have been checked. */
  body: Uint8Array;
  setup: unknown;
  /** Members that are set whatever the body says. */
  sets?: object;
  client?: string;
  signal: AbortSignal;
}

/**
 * The answer to an input that comes as bytes, from a thread.
 * @throws {HttpProblem} as `OperationThreads.answer`
 */
export function answerOnThread(
  { id }: Endpoint,
  { module }: { module: string },
  { threads }: Services,
  { body, setup, sets, ...how }: Asked,
): Promise<ThreadAnswer> {
  return threads.answer(new URL(module), { operation: id, body, ...(setup !== undefined && { setup }), ...(sets && { sets }) }, how);
}

/** The answer to an input that has passed the schema, made here. */
export async function answerHere(
  endpoint: Endpoint,
  input: object,
  setup: unknown,
): Promise<{ answer: object } | { error: OperationError }> {
  try {
    return { answer: await endpoint.run(input, setup) };
  } catch (error) {
    if (!(error instanceof BylawError)) throw error;
    const { code, message, hint, path, location } = error;
    return { error: { code, message, hint, path, line: location?.line } };
  }
}
