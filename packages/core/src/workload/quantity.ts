import { Quantity } from '../number/index.js';
import type { JsonValue } from '../resource/index.js';

/**
 * The value of a quantity of Kubernetes: `500m`, `1.5Gi`, `2e3`. Undefined for anything else, and for what is negative. As in Kubernetes, a larger
 * number than 2^63 - 1 is capped, and a smaller one than a billionth is rounded up to it.
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Quantity.parse(value)?.toNumber() : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  return number === 0 ? 0 : Math.min(Math.max(number, LEAST), MOST);
}

const LEAST = 1e-9;
const MOST = 2 ** 63;

/** Memory counts in units of 2^30 bytes, disks and transfer in units of 10^9 bytes. */
export const BYTES_PER_GIB = 1024 ** 3;
export const BYTES_PER_GB = 1e9;

/** A number of pods or seconds, where a field holds one. */
export function wholeNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_000_000 ? value : undefined;
}
