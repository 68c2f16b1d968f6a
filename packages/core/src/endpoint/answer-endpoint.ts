import { answerOperation, Program, type ThreadAnswer } from '../operation/index.js';
import type { Endpoint } from './endpoint.js';
import type { Services } from './services.js';

interface Asked {
  /** JSON, which need not have been checked. */
  body: Uint8Array;
  setup: unknown;
  /** Members that are set whatever the body says. */
  sets?: object;
  client?: string;
  signal: AbortSignal;
}

/**
 * The answer to an input that comes as bytes, from a thread if the endpoint has one.
 * @throws {HttpProblem} as `OperationThreads.answer`
 */
export async function answerEndpoint(endpoint: Endpoint, services: Services, { body, setup, sets, ...how }: Asked): Promise<ThreadAnswer> {
  const { id, thread } = endpoint;
  const now = services.clock.now().toISOString();
  const request = { body, ...(setup !== undefined && { setup }), ...(sets && { sets }) };
  if (thread) return services.threads.answer({ ...request, module: thread.module, operation: id, now }, how, thread.kind);
  const context = { ...new Program(undefined).contextAt(now), catalogue: async () => services.catalogue };
  const chunks: Uint8Array[] = [];
  const answer = await answerOperation(endpoint, request, context, async (chunk) => void chunks.push(chunk));
  return answer ?? { body: Buffer.concat(chunks) };
}
