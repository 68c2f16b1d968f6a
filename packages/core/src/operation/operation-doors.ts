import { BylawError } from '../errors.js';
import { type HttpProblem, type HttpResponse, problem } from '../http/index.js';
import type { OperationError, ThreadAnswer } from './operation.js';
import type { OperationThreads } from './operation-threads.js';

/**
 * The answer of a thread as a route gives it.
 * @param problemOf the problem that an error is, of the plugin's own table; undefined for an error that is none of it
 * @throws {HttpProblem}
 */
export function operationResponse(answer: ThreadAnswer, problemOf: (error: OperationError) => HttpProblem | undefined): HttpResponse {
  if ('body' in answer) return { status: 200, body: answer.body };
  if ('error' in answer) throw problemOf(answer.error) ?? new Error(`a request failed with ${answer.error.code}`);
  const { code, ...options } = answer.problem;
  throw problem(code, options);
}

/**
 * The same as a tool gives it.
 * @throws {BylawError} for arguments that cannot be used
 */
export async function operationTool(
  threads: OperationThreads,
  module: URL,
  operation: string,
  args: object,
  signal: AbortSignal,
): Promise<object> {
  const answer = await threads.answer(module, { operation, body: new TextEncoder().encode(JSON.stringify(args)) }, { signal });
  if ('body' in answer) return JSON.parse(new TextDecoder().decode(answer.body)) as object; // made there
  if ('problem' in answer) throw new BylawError('usage', 'The arguments do not match the schema.');
  const { code, hint, line } = answer.error;
  const message = line === undefined ? answer.error.message : `Line ${line}: ${answer.error.message}`;
  throw new BylawError({ code, exit: 2 }, message, hint === undefined ? {} : { hint });
}
