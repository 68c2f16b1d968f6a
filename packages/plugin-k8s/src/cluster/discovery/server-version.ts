import { asText } from '../json.js';
import type { Transport } from '../transport/index.js';
import { documentOf } from './document.js';

/**
 * `v1.34.1`, as the API server says; `unknown` where its administrators keep that to themselves.
 * @throws {BylawError} as `Transport.get`; `not-an-api-server`
 */
export async function serverVersion(transport: Transport): Promise<string> {
  const answer = await transport.get('/version');
  if (answer.status === 403) return 'unknown';
  const version = asText(documentOf(transport, answer).gitVersion);
  return version !== undefined && /^[\w.+-]{1,100}$/.test(version) ? version : 'unknown';
}
