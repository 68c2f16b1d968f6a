import { parentPort, workerData } from 'node:worker_threads';
import { requestCheck } from '@bylaw/core/http';
import { CarbonError } from '../error-table.js';
import { OPERATIONS } from './operations.js';
import type { ThreadAnswer, ThreadRequest } from './thread.js';

// The entry of a thread: answers the one body that it was started for.
parentPort?.postMessage(await answer(workerData as ThreadRequest)); // given by `answerInThread`

async function answer({ operation, body }: ThreadRequest): Promise<ThreadAnswer> {
  const { body: schema, answer: compute } = OPERATIONS[operation];
  const parsed = parse(body);
  if (parsed === undefined) return { problem: { code: 'invalid-json', options: { detail: 'The body must be one JSON value in UTF-8.' } } };
  const errors = requestCheck(schema)(parsed.value);
  if (errors.length > 0) return { problem: { code: 'schema', options: { errors } } };
  try {
    return { body: new TextEncoder().encode(`${JSON.stringify(await compute(parsed.value))}\n`) };
  } catch (error) {
    if (!(error instanceof CarbonError)) throw error;
    return { error: { code: error.code, message: error.message, hint: error.hint, path: error.path } };
  }
}

function parse(body: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}
