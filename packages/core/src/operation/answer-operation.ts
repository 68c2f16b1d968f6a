import { BylawError } from '../errors.js';
import { type RequestBreach, type RequestCheck, requestCheck } from '../request-check.js';
import { AnswerWriter } from './answer-writer.js';
import type { Operation, OperationError, Refusal, ThreadRequest } from './operation.js';
import type { RunContext } from './run-context.js';

/**
 * From the bytes of a body to the bytes of the answer.
 * @param send takes the chunks of a long answer; see `AnswerWriter`
 * @returns undefined if the answer was sent in chunks
 */
export async function answerOperation(
  operation: Operation,
  { body, setup, sets }: Pick<ThreadRequest, 'body' | 'setup' | 'sets'>,
  context: RunContext,
  send: (chunk: Uint8Array) => Promise<void>,
): Promise<{ body: Uint8Array } | Refusal | undefined> {
  const parsed = parse(body);
  if (parsed === undefined) return { problem: { code: 'invalid-json', detail: 'The body must be one JSON value in UTF-8.' } };
  const errors = checkOf(operation.input)(parsed.value);
  if (errors.length > 0) return { problem: { code: 'schema', errors } };
  const input = { ...(parsed.value as object), ...sets }; // every input is an object, as its schema has just said
  const breaches = (await operation.check?.(input, context)) ?? [];
  if (breaches.length > 0) return { problem: { code: 'schema', errors: breaches } };
  const writer = new AnswerWriter(send);
  try {
    if (operation.write) await operation.write(input, setup, context, writer);
    else await writer.write(`${JSON.stringify(await operation.run?.(input, setup, context))}\n`);
  } catch (error) {
    return { error: operationError(error) };
  }
  return writer.end();
}

function parse(body: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

const checks = new WeakMap<object, RequestCheck>();

/** Members first: which one is not allowed says more than that no form fits. */
function checkOf(schema: object): RequestCheck {
  let check = checks.get(schema);
  if (!check) {
    const members = requestCheck(withoutForms(schema));
    const whole = requestCheck(schema);
    check = (value) => firstBreaches(members(value), () => whole(value));
    checks.set(schema, check);
  }
  return check;
}

function firstBreaches(breaches: RequestBreach[], next: () => RequestBreach[]): RequestBreach[] {
  return breaches.length > 0 ? breaches : next();
}

/** The same schema, but for which members must be there together. */
function withoutForms(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'oneOf' ? undefined : value))) as object; // an object still
}

/**
 * What an operation throws for input that it cannot use, as a value that can leave the thread.
 * @throws the error itself if it is a defect
 */
export function operationError(error: unknown): OperationError {
  if (!(error instanceof BylawError) || error.code === 'internal') throw error;
  const { code, message, hint, path, location } = error;
  return { code, message, hint, path, line: location?.line };
}

/**
 * An answer as one block of bytes.
 * @param maxBytes of an answer in chunks
 * @returns undefined for one that is longer; the rest of it is not made then
 */
export async function wholeBody(body: Uint8Array | AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
