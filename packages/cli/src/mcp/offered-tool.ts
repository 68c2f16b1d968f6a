import { type RequestCheck, requestCheck } from '@bylaw/core/http';
import type { Services, Tool } from '@bylaw/core/plugin';

/** A tool, ready to be called. */
export interface OfferedTool extends Pick<Tool, 'name' | 'description' | 'inputSchema'> {
  /** Says what is wrong with arguments. */
  check: RequestCheck;
  /** The answer as JSON text, the same bytes as the body of the REST twin. Arguments have passed the check. */
  answer(args: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<string>;
}

/** A plugin's tool. */
export function answeredBy(tool: Tool, services: Services): OfferedTool {
  return {
    ...tool,
    check: requestCheck(tool.inputSchema),
    answer: async (args, signal) => `${JSON.stringify(await tool.handler(args, services, signal))}\n`,
  };
}
