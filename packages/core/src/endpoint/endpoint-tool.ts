import { BylawError } from '../errors.js';
import type { OperationError } from '../operation/index.js';
import { type RequestCheck, requestCheck } from '../request-check.js';
import { answerHere, answerOnThread } from './answer-endpoint.js';
import type { Endpoint, EndpointTool } from './endpoint.js';
import type { Services } from './services.js';

/** A tool, ready to be called. */
export interface CallableTool extends EndpointTool {
  inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /** Says what is wrong with arguments. */
  check: RequestCheck;
  /**
   * The answer as JSON text, the same bytes as the body of the REST twin. Arguments have passed the check.
   * @throws {BylawError} for arguments that cannot be used
   */
  answer(args: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<string>;
}

/** The tool of an endpoint, if it has one. */
export function endpointTool(endpoint: Endpoint, services: Services): CallableTool | undefined {
  const { tool, input, thread } = endpoint;
  if (!tool) return undefined;
  const setup = endpoint.setup?.(services);
  return {
    ...tool,
    inputSchema: { ...input, type: 'object' },
    check: requestCheck(input),
    answer: async (args, signal) => {
      if (!thread) {
        const answered = await answerHere(endpoint, args, setup);
        if ('error' in answered) throw toolError(answered.error);
        return `${JSON.stringify(answered.answer)}\n`;
      }
      const body = new TextEncoder().encode(JSON.stringify(args));
      const answered = await answerOnThread(endpoint, thread, services, { body, setup, signal });
      if ('body' in answered) return new TextDecoder().decode(answered.body);
      if ('problem' in answered) throw new BylawError('usage', 'The arguments do not match the schema.');
      throw toolError(answered.error);
    },
  };
}

function toolError({ code, message, hint, line }: OperationError): BylawError {
  return new BylawError({ code, exit: 2 }, line === undefined ? message : `Line ${line}: ${message}`, hint === undefined ? {} : { hint });
}
