import { type OperationError, operationError, Program, type ThreadAnswer } from '../operation/index.js';
import type { Endpoint, EndpointThread } from './endpoint.js';
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
  { module, kind }: EndpointThread,
  { threads, clock }: Services,
  { body, setup, sets, ...how }: Asked,
): Promise<ThreadAnswer> {
  const now = clock.now().toISOString();
  const request = { module, operation: id, body, now, ...(setup !== undefined && { setup }), ...(sets && { sets }) };
  return threads.answer(request, how, kind);
}

/** The answer to an input that has passed the schema, made here. */
export async function answerHere(
  endpoint: Endpoint,
  input: object,
  setup: unknown,
  { catalogue, clock }: Pick<Services, 'catalogue' | 'clock'>,
): Promise<{ answer: object } | { error: OperationError }> {
  if (!endpoint.run) throw new Error(`the endpoint ${endpoint.id} can only run on a thread`);
  const context = { ...new Program(undefined).contextAt(clock.now().toISOString()), catalogue: async () => catalogue };
  try {
    return { answer: await endpoint.run(input, setup, context) };
  } catch (error) {
    return { error: operationError(error) };
  }
}
