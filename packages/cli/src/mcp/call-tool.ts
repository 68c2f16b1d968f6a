import { AnswerTooLargeError, MAX_TOOL_ANSWER_BYTES } from '@bylaw/core/endpoint/host';
import { BylawError } from '@bylaw/core/errors';
import { HttpProblem, type ProblemError } from '@bylaw/core/http';
import { describeError, type Log } from '@bylaw/core/log';
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { OfferedTool } from './offered-tool.js';

/**
 * Calls a tool. A mistake that the caller can fix is an answer with `isError` and a sentence for the model to read; an unknown
 * tool name is a protocol error.
 */
export async function callTool(
  tools: ReadonlyMap<string, OfferedTool>,
  name: string,
  args: { readonly [name: string]: unknown },
  signal: AbortSignal,
  log: Log,
): Promise<CallToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool. Known tools: ${[...tools.keys()].join(', ')}.`);
  const breaches = tool.check(args);
  if (breaches.length > 0) return failure('The arguments are invalid.', breaches);
  try {
    const text = await tool.answer(args, signal);
    if (sizeAsMessage(text) > MAX_TOOL_ANSWER_BYTES) return failure(TOO_LARGE);
    // Once, and as text, which every client shows: see docs/adr/0012-answers-of-tools.md.
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    // Whoever cancelled the call is answered nothing.
    if (signal.aborted) throw error;
    if (error instanceof AnswerTooLargeError) return failure(TOO_LARGE);
    if (error instanceof HttpProblem) return failure(sentences(error.kind.title, error.options.detail), error.options.errors);
    if (error instanceof BylawError && error.code !== 'internal') return failure(sentences(error.message, error.hint));
    log.error({ tool: name, ...describeError(error) }, 'a tool failed because of a bug');
    return failure('The tool failed because of an internal error. The standard error of the server has details.');
  }
}

const TOO_LARGE =
  'The answer is larger than 8 MiB, and clients accept little more than that. Request less: send fewer objects at a time, set a lower `limit`, or use filters such as severities, categories or rules.';

function sizeAsMessage(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function failure(message: string, errors: readonly ProblemError[] = []): CallToolResult {
  const lines = errors.map(({ path, message: what }) => `${path === '' ? 'The arguments' : path}: ${what}`);
  return { isError: true, content: [{ type: 'text', text: [message, ...lines].join('\n') }] };
}

function sentences(...parts: (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) => (/[.?!]$/.test(part) ? part : `${part}.`))
    .join(' ');
}
