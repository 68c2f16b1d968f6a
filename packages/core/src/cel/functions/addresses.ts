import { failure } from '../budget/budget.js';
import { type CelFunction, celNamespace } from '../function.js';
import { IP, Network } from '../kubernetes/ip.js';
import { textOrEmpty } from '../standard/values.js';

export const ipNamespace = celNamespace('ip');

/** Kubernetes' ip and cidr libraries. */
export const addresses: readonly CelFunction[] = [
  {
    signature: 'ip(string): net.IP',
    summary: 'The IP address; an error if the string is not one. Zones, IPv4-mapped addresses and leading zeros are not allowed.',
    example: 'ip("127.0.0.1").family() == 4',
    call: (text: string) => requireIp(text),
  },
  {
    signature: 'isIP(dyn): bool',
    total: true,
    summary: 'Whether the value is a string that ip() accepts.',
    example: 'isIP("::1") && !isIP("127.0.0.256") && !isIP(1)',
    call: (text: unknown) => IP.parse(textOrEmpty(text)) !== undefined,
  },
  {
    signature: 'bylaw.ip.isCanonical(string): bool',
    summary: 'Whether an address is written in its canonical form.',
    example: 'ip.isCanonical("2001:db8::abcd") && !ip.isCanonical("2001:DB8::ABCD")',
    call: (_ip: object, text: string) => String(requireIp(text)) === text,
  },
  {
    signature: 'net.IP.family(): int',
    summary: '4 or 6.',
    example: 'ip("::1").family() == 6',
    call: (ip: IP) => BigInt(ip.family),
  },
  within('isUnspecified', '0.0.0.0 or ::', 'ip("0.0.0.0").isUnspecified()', ['0.0.0.0/32', '::/128']),
  within('isLoopback', 'a loopback address', 'ip("127.0.0.9").isLoopback() && ip("::1").isLoopback()', ['127.0.0.0/8', '::1/128']),
  within('isLinkLocalUnicast', 'a link-local unicast address', 'ip("169.254.169.254").isLinkLocalUnicast()', [
    '169.254.0.0/16',
    'fe80::/10',
  ]),
  {
    signature: 'net.IP.isLinkLocalMulticast(): bool',
    summary: 'Whether the address is a link-local multicast address.',
    example: 'ip("224.0.0.1").isLinkLocalMulticast() && ip("ff02::1").isLinkLocalMulticast()',
    call: (ip: IP) => (ip.family === 4 ? isIn(ip, LINK_LOCAL_MULTICAST) : ((ip.bits >> 112n) & 0xff0fn) === 0xff02n),
  },
  {
    signature: 'net.IP.isGlobalUnicast(): bool',
    summary: 'Whether the address is a unicast address, except unspecified, loopback and link-local addresses. Private addresses count.',
    example: 'ip("192.168.0.1").isGlobalUnicast() && !ip("255.255.255.255").isGlobalUnicast()',
    call: (ip: IP) => !isIn(ip, NOT_GLOBAL),
  },
  {
    signature: 'cidr(string): net.CIDR',
    summary: 'The network in CIDR notation; an error if the string is not one.',
    example: 'cidr("10.0.0.0/8").containsIP("10.1.2.3")',
    call: (text: string) => requireNetwork(text),
  },
  {
    signature: 'isCIDR(dyn): bool',
    total: true,
    summary: 'Whether the value is a string that cidr() accepts.',
    example: 'isCIDR("::1/128") && !isCIDR("10.0.0.0/33")',
    call: (text: unknown) => Network.parse(textOrEmpty(text)) !== undefined,
  },
  {
    signature: 'net.CIDR.containsIP(net.IP): bool',
    summary: 'Whether the network contains the address.',
    example: '!cidr("192.168.0.0/24").containsIP(ip("192.168.1.1"))',
    call: (network: Network, ip: IP) => ip.isWithin(network),
  },
  {
    signature: 'net.CIDR.containsIP(string): bool',
    summary: 'The same for an address given as a string.',
    example: 'cidr("192.168.0.0/24").containsIP("192.168.0.1")',
    call: (network: Network, text: string) => requireIp(text).isWithin(network),
  },
  {
    signature: 'net.CIDR.containsCIDR(net.CIDR): bool',
    summary: 'Whether this network contains the other network.',
    example: 'cidr("192.168.0.0/16").containsCIDR(cidr("192.168.10.0/24"))',
    call: (network: Network, other: Network) => network.contains(other),
  },
  {
    signature: 'net.CIDR.containsCIDR(string): bool',
    summary: 'The same for a network given as a string.',
    example: '!cidr("192.168.1.0/24").containsCIDR("192.168.2.0/24")',
    call: (network: Network, text: string) => network.contains(requireNetwork(text)),
  },
  {
    signature: 'net.CIDR.ip(): net.IP',
    summary: 'The address as written.',
    example: 'cidr("192.168.0.1/24").ip() == ip("192.168.0.1")',
    call: (network: Network) => network.address,
  },
  {
    signature: 'net.CIDR.masked(): net.CIDR',
    summary: 'The same network with the bits after its prefix cleared.',
    example: 'cidr("192.168.0.1/24").masked() == cidr("192.168.0.0/24")',
    call: (network: Network) => network.masked(),
  },
  {
    signature: 'net.CIDR.prefixLength(): int',
    summary: 'The length of the prefix in bits; 0 covers every address.',
    example: 'cidr("0.0.0.0/0").prefixLength() == 0',
    call: (network: Network) => BigInt(network.length),
  },
  {
    signature: 'string(net.IP): string',
    summary: 'The canonical form of an address, as a string.',
    example: 'string(ip("2001:DB8::0")) == "2001:db8::"',
    call: (ip: IP) => String(ip),
  },
  {
    signature: 'string(net.CIDR): string',
    summary: 'The canonical form of a network, as a string.',
    example: 'string(cidr("10.0.0.0/8")) == "10.0.0.0/8"',
    call: (network: Network) => String(network),
  },
];

const LINK_LOCAL_MULTICAST = networks(['224.0.0.0/24']);
const NOT_GLOBAL = networks([
  '0.0.0.0/32',
  '255.255.255.255/32',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '::/128',
  '::1/128',
  'fe80::/10',
  'ff00::/8',
]);

function within(name: string, what: string, example: string, list: readonly string[]): CelFunction {
  const known = networks(list);
  return { signature: `net.IP.${name}(): bool`, summary: `Whether the address is ${what}.`, example, call: (ip: IP) => isIn(ip, known) };
}

function networks(texts: readonly string[]): Network[] {
  return texts.map((text) => requireNetwork(text));
}

function isIn(ip: IP, list: readonly Network[]): boolean {
  return list.some((network) => ip.isWithin(network));
}

function requireIp(text: string): IP {
  const ip = IP.parse(text);
  if (ip === undefined) throw failure('not an IP address');
  return ip;
}

function requireNetwork(text: string): Network {
  const network = Network.parse(text);
  if (network === undefined) throw failure('not a network in CIDR notation');
  return network;
}
