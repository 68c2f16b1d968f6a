import { readInstant } from '../json/index.js';

/** What a request says of its sender, in the right form and not yet verified. */
export interface Credentials {
  /** As sent: any text that is not empty. */
  adapterId: string;
  /** As sent. */
  timestamp: string;
  /** The timestamp in milliseconds since 1970. */
  at: number;
  /** Empty when not sent. */
  nonce: string;
  /** 32 bytes. */
  signature: Buffer;
}

/** Why a request is not let in. All of them are answered 401. */
export type Refusal = 'AG-IDN-001' | 'AG-IDN-002' | 'AG-IDN-003' | 'AG-IDN-004' | 'AG-IDN-005';

/**
 * Reads the headers that authenticate a request.
 * @param rawHeaders names and values in turn, as Node's `IncomingMessage.rawHeaders`
 * @returns what they say, or `AG-IDN-001` (adapter missing or empty, or a header that is sent twice), `AG-IDN-002`
 * (timestamp missing or malformed), `AG-IDN-004` (signature missing, it or the nonce malformed), in this order
 */
export function readCredentials(rawHeaders: readonly string[]): Credentials | { refused: Refusal } {
  const headers = ownHeaders(rawHeaders);
  const adapterId = headers?.get('x-svc-adapter-id');
  if (adapterId === undefined || adapterId === '') return { refused: 'AG-IDN-001' };
  const timestamp = headers?.get('x-svc-timestamp') ?? '';
  const at = readInstant(timestamp);
  if (at === undefined) return { refused: 'AG-IDN-002' };
  const nonce = headers?.get('x-svc-nonce') ?? '';
  const signature = headers?.get('x-svc-signature') ?? '';
  if (!NONCE.test(nonce) || !SIGNATURE.test(signature)) return { refused: 'AG-IDN-004' };
  return { adapterId, timestamp, at, nonce, signature: Buffer.from(signature, 'base64url') };
}

/** A timestamp that is exactly the skew away passes. Both times in milliseconds. */
export function withinSkew(at: number, now: number, maxSkewSeconds: number): boolean {
  return Math.abs(now - at) <= maxSkewSeconds * 1000;
}

const NONCE = /^[\x21-\x7e]{0,128}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{43}$/;

const PREFIX = 'x-svc-';
const DASH = 0x2d;

/** Our headers by name in lower case; undefined when one is sent twice, for proxies do not agree which one counts. */
function ownHeaders(rawHeaders: readonly string[]): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    // The other headers need no text of their own.
    if (sent.charCodeAt(1) !== DASH) continue;
    const name = sent.toLowerCase();
    if (!name.startsWith(PREFIX)) continue;
    if (headers.has(name)) return undefined;
    headers.set(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}
