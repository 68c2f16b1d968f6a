import { sha256Hex } from '../json/index.js';
import { EMPTY_DIGEST, macOf } from './canonical-string.js';

/** A request that an adapter is about to send. */
export interface RequestToSign {
  method: string;
  /** Path with or without a query; the query is not signed. Exactly as it is sent. */
  target: string;
  adapterId: string;
  secret: string;
  /** Of the adapter's clock. */
  at: Date;
  /** Up to 128 visible ASCII characters. */
  nonce?: string;
  /** The bytes that are sent; a text is taken as UTF-8. */
  body?: string | Uint8Array;
}

/** The headers that authenticate a request. Sent as they are, with the method, the target and the body that they were made for. */
export function signRequest({ method, target, adapterId, secret, at, nonce = '', body = '' }: RequestToSign): { [header: string]: string } {
  const timestamp = at.toISOString();
  const bodyless = method === 'GET' || method === 'HEAD';
  const path = target.split('?', 1)[0] ?? '';
  const parts = { method, path, timestamp, nonce, bodyDigest: bodyless ? EMPTY_DIGEST : sha256Hex(body) };
  return {
    'X-SVC-Adapter-Id': adapterId,
    'X-SVC-Timestamp': timestamp,
    ...(nonce !== '' && { 'X-SVC-Nonce': nonce }),
    'X-SVC-Signature': macOf(Buffer.from(secret), parts).toString('base64url'),
  };
}
