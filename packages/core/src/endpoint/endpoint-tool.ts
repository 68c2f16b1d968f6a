import { BylawError } from '../errors.js';
import { problem } from '../http/index.js';
import { type OperationError, wholeBody } from '../operation/index.js';
import { type RequestCheck, requestCheck } from '../request-check.js';
import { answerEndpoint } from './answer-endpoint.js';
import type { Endpoint } from './endpoint.js';
import type { Services } from './services.js';

/** A client of the SDK ends the connection when a message is larger than 10 MiB. */
export const MAX_TOOL_ANSWER_BYTES = 8 * 1024 * 1024;

/** Thrown for an answer that no client would take. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** A tool, ready to be called. */
export interface CallableTool {
  name: string;
  description: string;
  inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /** Says what is wrong with arguments. */
  check: RequestCheck;
  /**
   * The answer as JSON text, the same bytes as the body of the REST twin. Arguments have passed the check.
   * @throws {BylawError} for arguments that cannot be used; {HttpProblem}; {AnswerTooLargeError}
   */
  answer(args: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<string>;
}

/** The tool of an endpoint, if it has one. */
export function endpointTool(endpoint: Endpoint, services: Services): CallableTool | undefined {
  const { tool, input } = endpoint;
  if (!tool) return undefined;
  const setup = endpoint.setup?.(services);
  const { schema, toInput } = tool.arguments ?? { schema: input, toInput: (args) => args };
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...schema, type: 'object' },
    check: requestCheck(schema),
    answer: async (args, signal) => {
      // In a block of memory of its own, which can be handed to a thread.
      const body = new Uint8Array(Buffer.from(JSON.stringify(toInput(args))));
      const answered = await answerEndpoint(endpoint, services, { body, setup, signal });
      if ('error' in answered) throw toolError(answered.error);
      if ('problem' in answered) throw problem(answered.problem.code, answered.problem);
      const whole = await wholeBody(answered.body, MAX_TOOL_ANSWER_BYTES);
      if (!whole) throw new AnswerTooLargeError();
      return new TextDecoder().decode(whole);
    },
  };
}

function toolError({ code, message, hint, line }: OperationError): BylawError {
  return new BylawError({ code, exit: 2 }, line === undefined ? message : `Line ${line}: ${message}`, hint === undefined ? {} : { hint });
}
