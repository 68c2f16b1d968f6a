import { hash } from 'node:crypto';

/**
 * UUIDs that are always the same for the same name (RFC 9562, section 5.5, version 5).
 * @param namespace a UUID in text form
 * @returns gives the UUID of a name
 * @throws {TypeError} when the namespace is none
 */
export function uuidsWithin(namespace: string): (name: string) => string {
  if (!UUID.test(namespace)) throw new TypeError('The namespace must be a UUID.');
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  return (name) => uuidOf(hash('sha1', Buffer.concat([bytes, Buffer.from(name)]), 'hex'));
}

function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `${variant}${digest.slice(18, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
