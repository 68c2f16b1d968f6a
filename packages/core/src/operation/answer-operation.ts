import { BylawError } from '../errors.js';
import { requestCheck } from '../request-check.js';
import type { Operation, ThreadAnswer, ThreadRequest } from './operation.js';

/** From the bytes of a body to the bytes of the answer. */
export async function answerOperation(
  operation: Operation,
  body: Uint8Array,
  { setup, sets }: Pick<ThreadRequest, 'setup' | 'sets'> = {},
): Promise<ThreadAnswer> {
  const parsed = parse(body);
  if (parsed === undefined) return { problem: { code: 'invalid-json', detail: 'The body must be one JSON value in UTF-8.' } };
  const errors = requestCheck(operation.input)(parsed.value);
  if (errors.length > 0) return { problem: { code: 'schema', errors } };
  try {
    // Every input is an object, as its schema says.
    return { body: new TextEncoder().encode(`${JSON.stringify(await operation.run({ ...(parsed.value as object), ...sets }, setup))}\n`) };
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
