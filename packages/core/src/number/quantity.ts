const NANO = 1_000_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;

/** Longer texts are not quantities that anyone writes, and would only cost time. */
const MAX_LENGTH = 128;
const MAX_EXPONENT = 100;

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: { readonly [suffix: string]: number } = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

const QUANTITY = /^([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+|)$/;

/**
 * A Kubernetes resource.Quantity as an exact number. As the API does, it keeps nine decimal places, rounded away from
 * zero, and caps at 2^63-1. https://pkg.go.dev/k8s.io/apimachinery/pkg/api/resource#Quantity
 */
export class Quantity {
  constructor(
    readonly nanos: bigint,
    /** The text named a larger number than a quantity can hold. */
    readonly capped = false,
  ) {}

  /** Undefined when the text is not a quantity. */
  static parse(text: string): Quantity | undefined {
    const match = text.length > MAX_LENGTH ? null : QUANTITY.exec(text);
    if (match === null) return undefined;
    const [, sign = '', digits = '', suffix = ''] = match;
    const [whole = '', fraction = ''] = digits.split('.');
    const magnitude = scaled(BigInt(whole + fraction), fraction.length, suffix);
    const capped = magnitude > MAX_INT64 * NANO;
    const nanos = capped ? MAX_INT64 * NANO : magnitude;
    return new Quantity(sign === '-' ? -nanos : nanos, capped);
  }

  static ofInteger(value: bigint): Quantity {
    return new Quantity(value * NANO);
  }

  get identity(): string {
    return String(this.nanos);
  }

  compareTo(other: Quantity): bigint {
    return this.nanos < other.nanos ? -1n : this.nanos > other.nanos ? 1n : 0n;
  }

  isInteger(): boolean {
    return !this.capped && this.nanos % NANO === 0n && this.nanos / NANO <= MAX_INT64 && this.nanos / NANO >= -MAX_INT64 - 1n;
  }

  /** The whole number; only where `isInteger`. */
  toInteger(): bigint {
    return this.nanos / NANO;
  }

  toNumber(): number {
    return Number(this.nanos / NANO) + Number(this.nanos % NANO) / 1e9;
  }

  plus(other: Quantity): Quantity {
    return new Quantity(this.nanos + other.nanos);
  }

  minus(other: Quantity): Quantity {
    return new Quantity(this.nanos - other.nanos);
  }
}

/** The number in nano units, rounded up. */
function scaled(mantissa: bigint, decimals: number, suffix: string): bigint {
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) return shifted(mantissa * 1024n ** BigInt(binary + 1), 9 - decimals);
  return shifted(mantissa, decimalExponent(suffix) + 9 - decimals);
}

function decimalExponent(suffix: string): number {
  const known = DECIMAL[suffix];
  if (known !== undefined) return known;
  // An exponent that is out of bounds gives zero, a capped or the smallest quantity all the same.
  return Math.max(-MAX_EXPONENT - MAX_LENGTH, Math.min(MAX_EXPONENT + MAX_LENGTH, Number(suffix.slice(1))));
}

function shifted(mantissa: bigint, exponent: number): bigint {
  if (exponent >= 0) return mantissa * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (mantissa + divisor - 1n) / divisor;
}
