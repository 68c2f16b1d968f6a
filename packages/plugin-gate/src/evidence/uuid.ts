import { hash } from 'node:crypto';

/** A UUID from 16 random bytes (RFC 9562, section 5.4, version 4). */
export function randomUuid(random: Uint8Array): string {
  return uuidOf(Buffer.from(random).toString('hex'), 4);
}

/**
 * UUIDs that are always the same for the same name (RFC 9562, section 5.5, version 5).
 * @param namespace a UUID in text form
 * @returns gives the UUID of a name
 * @throws {TypeError} if the namespace is not a UUID
 */
export function uuidsWithin(namespace: string): (name: string) => string {
  if (!UUID.test(namespace)) throw new TypeError('The namespace must be a UUID.');
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  return (name) => uuidOf(hash('sha1', Buffer.concat([bytes, Buffer.from(name)]), 'hex'), 5);
}

/** @param digits at least 32 hexadecimal digits, of which six bits become the version and the variant */
function uuidOf(digits: string, version: 4 | 5): string {
  const variant = ((Number.parseInt(digits.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `${version}${digits.slice(13, 16)}`,
    `${variant}${digits.slice(18, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
