import { isIPv4, isIPv6 } from 'node:net';
import type { Comparable } from '../function.js';

/** An IP address. Zones and IPv4-mapped IPv6 addresses are refused, as Kubernetes' CEL library does. */
export class IP implements Comparable {
  constructor(
    readonly family: 4 | 6,
    readonly bits: bigint,
  ) {}

  /** Undefined when the text is not an address. */
  static parse(text: string): IP | undefined {
    if (isIPv4(text)) return new IP(4, ofBytes(text.split('.').map(Number)));
    if (!isIPv6(text) || text.includes('%')) return undefined;
    const bits = ofGroups(text);
    return bits >> 32n === 0xffffn ? undefined : new IP(6, bits);
  }

  get width(): number {
    return this.family === 4 ? 32 : 128;
  }

  get identity(): string {
    return this.toString();
  }

  /** Whether the leading bits are those of a network, written as `address/length`. */
  isWithin(network: Network): boolean {
    return network.address.family === this.family && this.masked(network.length) === network.address.masked(network.length);
  }

  /** The address with all bits after the first `length` cleared. */
  masked(length: number): bigint {
    const host = BigInt(this.width - length);
    return (this.bits >> host) << host;
  }

  /** RFC 5952. */
  toString(): string {
    if (this.family === 4) return [24n, 16n, 8n, 0n].map((shift) => (this.bits >> shift) & 0xffn).join('.');
    const groups = Array.from({ length: 8 }, (_, index) => ((this.bits >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
    const [start, count] = longestZeroRun(groups);
    if (count < 2) return groups.join(':');
    return `${groups.slice(0, start).join(':')}::${groups.slice(start + count).join(':')}`;
  }
}

/** An address with the length of its network prefix. Bits after the prefix may be set. */
export class Network implements Comparable {
  constructor(
    readonly address: IP,
    readonly length: number,
  ) {}

  /** Undefined when the text is not a CIDR. */
  static parse(text: string): Network | undefined {
    const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
    const address = match?.[1] === undefined ? undefined : IP.parse(match[1]);
    const length = Number(match?.[2]);
    return address === undefined || length > address.width ? undefined : new Network(address, length);
  }

  get identity(): string {
    return this.toString();
  }

  masked(): Network {
    return new Network(new IP(this.address.family, this.address.masked(this.length)), this.length);
  }

  contains(other: Network): boolean {
    return this.length <= other.length && other.address.isWithin(this);
  }

  toString(): string {
    return `${this.address}/${this.length}`;
  }
}

function ofBytes(bytes: readonly number[]): bigint {
  return bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

function ofGroups(text: string): bigint {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const plain = dotted === null ? text : text.slice(0, dotted.index) + dottedGroups(dotted.slice(1).map(Number));
  const [head = '', tail] = plain.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | group, 0n);
}

function dottedGroups(bytes: readonly number[]): string {
  const bits = ofBytes(bytes);
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function groupsOf(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}

/** The first of the longest runs of zero groups: its start and length. */
function longestZeroRun(groups: readonly string[]): [number, number] {
  let best: [number, number] = [0, 0];
  let start = 0;
  for (let index = 0; index < groups.length; index += 1) {
    if (groups[index] !== '0') start = index + 1;
    else if (index + 1 - start > best[1]) best = [start, index + 1 - start];
  }
  return best;
}
