import { parentPort } from 'node:worker_threads';
import { BylawError } from '../errors.js';
import { requestCheck } from '../request-check.js';
import { giveWay } from '../service/thread-priority.js';
import type { Operation, ThreadAnswer, ThreadRequest } from './operation.js';

/** The whole life of a thread that `answerInThread` starts: answers one body after another. */
export function serveOperation(operations: { readonly [name: string]: Operation }): void {
  giveWay();
  parentPort?.on('message', async ({ operation: name, body, ...request }: ThreadRequest) => {
    const operation = operations[name];
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    parentPort?.postMessage(await answerOperation(operation, body, request));
  });
}

/** From the bytes of a body to the bytes of the answer. */
export async function answerOperation(
  operation: Operation,
  body: Uint8Array,
  request: Pick<ThreadRequest, 'setup' | 'sets'> = {},
): Promise<ThreadAnswer> {
  const parsed = parse(body);
  if (parsed === undefined) return { problem: { code: 'invalid-json', detail: 'The body must be one JSON value in UTF-8.' } };
  const errors = requestCheck(operation.body)(parsed.value);
  if (errors.length > 0) return { problem: { code: 'schema', errors } };
  try {
    return { body: new TextEncoder().encode(`${JSON.stringify(await operation.answer(parsed.value, request))}\n`) };
  } catch (error) {
    if (!(error instanceof BylawError)) throw error;
    const { code, message, hint, path, location } = error;
    return { error: { code, message, hint, path, line: location?.line } };
  }
}

function parse(body: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}
