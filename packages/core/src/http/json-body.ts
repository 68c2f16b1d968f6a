import type { RequestCheck } from '../request-check.js';
import { problem } from './problems.js';

/**
 * Parses a JSON body and checks it against a schema.
 * @throws {HttpProblem} `invalid-json` (not UTF-8 or not JSON), `schema`
 */
export function parseJsonBody(body: Uint8Array, check: RequestCheck): unknown {
  const value = parse(body);
  const errors = check(value);
  if (errors.length > 0) throw problem('schema', { errors });
  return value;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own message quotes the text.
    throw problem('invalid-json', { detail: body.length === 0 ? 'The body is empty.' : 'The body must be one JSON value in UTF-8.' });
  }
}
