/**
 * The value of a quantity of Kubernetes: `500m`, `1.5Gi`, `2e3`. Undefined for anything else, and for what is negative.
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  const match = typeof value === 'string' && value.length <= 64 ? QUANTITY.exec(value) : null;
  const factor = match ? SUFFIXES.get(match[2] ?? '') : undefined;
  const number = match && Number(`${match[1]}${match[3] ?? ''}`);
  return number === null || number === undefined || factor === undefined || !Number.isFinite(number) ? undefined : number * factor;
}

const QUANTITY = /^\+?(\d+\.?\d*|\.\d+)(?:([numkMGTPE]|[KMGTPE]i)|([eE][+-]?\d{1,3}))?$/;

const SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ...(['n', 'u', 'm'] as const).map((suffix, index) => [suffix, 1000 ** (index - 3)] as const),
  ...(['k', 'M', 'G', 'T', 'P', 'E'] as const).map((suffix, index) => [suffix, 1000 ** (index + 1)] as const),
  ...(['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const).map((suffix, index) => [suffix, 1024 ** (index + 1)] as const),
]);

/** Memory counts in units of 2^30 bytes, disks and transfer in units of 10^9 bytes. */
export const BYTES_PER_GIB = 1024 ** 3;
export const BYTES_PER_GB = 1e9;
