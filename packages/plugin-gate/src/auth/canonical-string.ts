import { createHmac, type KeyObject } from 'node:crypto';
import { sha256Hex } from '../json/index.js';

/** What the code that authenticates a request covers. */
export interface SignedParts {
  /** In capitals. */
  method: string;
  /** The target as sent, up to the question mark, never decoded. */
  path: string;
  /** The header as sent. */
  timestamp: string;
  /** Empty when not sent. */
  nonce: string;
  /** SHA-256 of the exact bytes of the body, 64 hexadecimal digits in lower case; `EMPTY_DIGEST` for GET and HEAD. */
  bodyDigest: string;
}

/** The digest of no bytes. */
export const EMPTY_DIGEST = sha256Hex('');

/** Five fields with a line feed between them, and none after the last. No field can hold a line feed. */
export function canonicalString({ method, path, timestamp, nonce, bodyDigest }: SignedParts): string {
  return `${method}\n${path}\n${timestamp}\n${nonce}\n${bodyDigest}`;
}

/**
 * HMAC-SHA256 of the canonical string.
 * @param key the secret's UTF-8 bytes
 * @returns 32 bytes
 */
export function macOf(key: Uint8Array | KeyObject, parts: SignedParts): Buffer {
  return createHmac('sha256', key).update(canonicalString(parts)).digest();
}
