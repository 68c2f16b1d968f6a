import { expect, it } from 'vitest';
import { clientOf } from './client.js';

it.each([
  ['the same key', 'ci', '192.0.2.1', 'ci', '192.0.2.2', true],
  ['two keys', 'ci', '192.0.2.1', 'web', '192.0.2.1', false],
  ['a key and an address of the same text', '192.0.2.1', '192.0.2.1', undefined, '192.0.2.1', false],
  ['two addresses', undefined, '192.0.2.1', undefined, '192.0.2.2', false],
  ['an IPv4 address in both its forms', undefined, '192.0.2.1', undefined, '::ffff:192.0.2.1', true],
  ['two addresses of a network of 64 bits', undefined, '2001:db8:0:1::1', undefined, '2001:0db8:0:1:ffff:1:2:3', true],
  ['two networks of 64 bits', undefined, '2001:db8:0:1::1', undefined, '2001:db8:0:2::1', false],
  ['an address with a zone', undefined, 'fe80::1%eth0', undefined, 'fe80::2', true],
  ['the loopback address and another one', undefined, '::1', undefined, '2001:db8::1', false],
  ['no address, as a socket that is gone has', undefined, undefined, undefined, undefined, true],
])('%s: one client or two', (_, key, address, otherKey, otherAddress, same) => {
  expect(clientOf(key, address) === clientOf(otherKey, otherAddress)).toBe(same);
});
