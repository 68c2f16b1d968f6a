import { isIPv6 } from 'node:net';

/**
 * Whom a request counts for where clients share something: its key, or else its address. A network of 64 bits is one IPv6 client, because
 * whoever has one address of it has all of them.
 */
export function clientOf(keyId: string | undefined, address: string | undefined): string {
  return keyId === undefined ? `address ${networkOf(address ?? '')}` : `key ${keyId}`;
}

function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:([0-9.]+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(bare) ? firstGroups(bare).join(':') : bare;
}

/** The first four groups, written out. */
function firstGroups(address: string): string[] {
  const [before = '', after] = address.toLowerCase().split('::');
  const head = groups(before);
  const tail = after === undefined ? [] : groups(after);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...(after === undefined ? [] : zeros), ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
