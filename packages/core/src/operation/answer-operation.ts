import { BylawError } from '../errors.js';
import { requestCheck } from '../request-check.js';
import type { Operation, ThreadAnswer } from './operation.js';

/** From the bytes of a body to the bytes of the answer. */
export async function answerOperation(operation: Operation, body: Uint8Array): Promise<ThreadAnswer> {
  const parsed = parse(body);
  if (parsed === undefined) return { problem: { code: 'invalid-json', detail: 'The body must be one JSON value in UTF-8.' } };
  const errors = requestCheck(operation.body)(parsed.value);
  if (errors.length > 0) return { problem: { code: 'schema', errors } };
  try {
    return { body: new TextEncoder().encode(`${JSON.stringify(await operation.answer(parsed.value))}\n`) };
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
