import { printable, shorten } from '@bylaw/core/report/printable';
import { asMapping, asText } from './json.js';
import type { Answer } from './transport/index.js';

const MAX_MESSAGE = 300;

/** What is wrong by an answer that is not a success, for people: `Forbidden: pods is forbidden: …`. */
export function reasonOf(answer: Answer): string {
  const status = answer.form === 'json' ? asMapping(answer.value) : undefined;
  const message = asText(status?.message);
  const words = [asText(status?.reason) ?? `HTTP ${answer.status}`, ...(message ? [message] : [])];
  return shorten(printable(words.join(': ')), MAX_MESSAGE);
}

/** Whether a `Status` says that what was asked for is of a past that the API server has forgotten. */
export function isExpired(code: unknown): boolean {
  return code === 410;
}
