import type { Comparable } from '../function.js';

const NUMBER = '(0|[1-9]\\d{0,18})';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?$`);

/** A semantic version. https://semver.org/spec/v2.0.0.html */
export class Semver implements Comparable {
  constructor(
    readonly major: bigint,
    readonly minor: bigint,
    readonly patch: bigint,
    private readonly prerelease: readonly string[],
  ) {}

  /** Undefined when the text is not a semantic version. */
  static parse(text: string): Semver | undefined {
    const match = text.length > 256 ? null : VERSION.exec(text);
    if (match === null) return undefined;
    const [, major = '', minor = '', patch = '', prerelease, build] = match;
    const identifiers = prerelease?.split('.') ?? [];
    const valid = identifiers.every((part) => part !== '' && !/^0\d+$/.test(part)) && !build?.split('.').includes('');
    return valid ? new Semver(BigInt(major), BigInt(minor), BigInt(patch), identifiers) : undefined;
  }

  /** Takes a leading `v`, missing minor and patch numbers and leading zeros as well. */
  static parseNormalized(text: string): Semver | undefined {
    const match = /^v?(\d+)(?:\.(\d+)(?:\.(\d+)(.*))?)?$/s.exec(text);
    if (match === null) return undefined;
    const [major, minor, patch] = match.slice(1, 4).map((part) => (part ?? '0').replace(/^0+(?=\d)/, ''));
    return Semver.parse(`${major}.${minor}.${patch}${match[4] ?? ''}`);
  }

  /** The build is left out: it plays no part in precedence. */
  get identity(): string {
    return `${this.major}.${this.minor}.${this.patch}-${this.prerelease.join('.')}`;
  }

  compareTo(other: Semver): bigint {
    const numbers = compare(this.major, other.major) || compare(this.minor, other.minor) || compare(this.patch, other.patch);
    return BigInt(numbers || comparePrerelease(this.prerelease, other.prerelease));
  }
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  // A version without a prerelease comes after all of its prereleases.
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function compareIdentifiers(a: string, b: string): number {
  const [numericA, numericB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numericA && numericB) return compare(BigInt(a), BigInt(b));
  if (numericA !== numericB) return numericA ? -1 : 1;
  return compare(a, b);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
