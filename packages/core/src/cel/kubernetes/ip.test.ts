import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IP, Network } from './ip.js';

describe('an IP address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::', '::'],
    ['2001:DB8::ABCD', '2001:db8::abcd'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0001:0000:0000:0000:0001', '2001:db8:0:1::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ])('%s is %s', (text, canonical) => {
    expect(String(IP.parse(text))).toBe(canonical);
  });

  it.each([
    '',
    'localhost',
    '127.0.0.256',
    '127.0.0',
    '127.0.0.01',
    '1.2.3.4/8',
    ':::1',
    '::ffff:1.2.3.4',
    '::FFFF:102:304',
    'fe80::1%eth0',
    '[::1]',
  ])('%j is none', (text) => {
    expect(IP.parse(text)).toBeUndefined();
  });

  it('is read back from its canonical form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const ip = IP.parse(text);
        fc.pre(ip !== undefined);
        expect(IP.parse(String(ip))).toEqual(ip);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('a network', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '::/0', '::1/128', '192.168.0.1/24'])('%s', (text) => {
    expect(String(Network.parse(text))).toBe(text);
  });

  it.each(['', '10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/08', '10.0.0.0/+8', '10.0.0.0/', '/8', '::ffff:1.2.3.4/96', 'fe80::%1/10'])(
    '%j is none',
    (text) => {
      expect(Network.parse(text)).toBeUndefined();
    },
  );

  it('contains the addresses and networks whose leading bits are its own', () => {
    const network = Network.parse('192.168.0.77/24');
    expect(IP.parse('192.168.0.255')?.isWithin(network ?? never())).toBe(true);
    expect(IP.parse('192.168.1.0')?.isWithin(network ?? never())).toBe(false);
    expect(IP.parse('::1')?.isWithin(Network.parse('0.0.0.0/0') ?? never())).toBe(false);
    expect(network?.contains(Network.parse('192.168.0.128/25') ?? never())).toBe(true);
    expect(network?.contains(Network.parse('192.168.0.0/23') ?? never())).toBe(false);
    expect(String(network?.masked())).toBe('192.168.0.0/24');
  });
});

function never(): never {
  throw new Error('the text of the test is no address');
}
