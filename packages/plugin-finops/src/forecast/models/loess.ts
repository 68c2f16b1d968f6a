/**
 * Local regression of a series over equal steps, evaluated at whole steps.
 * Source: R. B. Cleveland, W. S. Cleveland, J. E. McRae and I. Terpenning, "STL: A Seasonal-Trend Decomposition Procedure Based on Loess"
 * (1990), Journal of Official Statistics 6, 3–73; tricube weights.
 * @param window how many values are looked at, odd
 * @param degree 0: local means, 1: local lines
 * @param from first and (not included) last place of the result; they may lie one step outside the series
 */
export function loess(values: Float64Array, window: number, degree: 0 | 1, from = 0, to = values.length): Float64Array {
  const n = values.length;
  const half = (window - 1) / 2;
  const kernel = window <= n ? interiorKernel(half) : undefined;
  const result = new Float64Array(to - from);
  for (let x = from; x < to; x++) {
    result[x - from] = kernel && x >= half && x < n - half ? folded(values, kernel, x - half) : fitAt(values, window, degree, x);
  }
  return result;
}

/** Where a window is whole and symmetric, its line passes through its weighted mean, so one set of weights serves all places. */
function interiorKernel(half: number): Float64Array {
  const known = kernels.get(half);
  if (known) return known;
  const weights = Float64Array.from({ length: 2 * half + 1 }, (_, at) => weightOf(Math.abs(at - half), Math.max(half, 1)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const kernel = weights.map((weight) => weight / sum);
  if (kernels.size < MOST_KERNELS) kernels.set(half, kernel);
  return kernel;
}

/** Windows depend on the cycles only, of which there are few. */
const kernels = new Map<number, Float64Array>();
const MOST_KERNELS = 100;

function folded(values: Float64Array, kernel: Float64Array, left: number): number {
  let sum = 0;
  for (let at = 0; at < kernel.length; at++) sum += (kernel[at] ?? 0) * (values[left + at] ?? 0);
  return sum;
}

function fitAt(values: Float64Array, window: number, degree: 0 | 1, x: number): number {
  const n = values.length;
  const count = Math.min(window, n);
  const left = Math.max(0, Math.min(n - count, x - (window - 1) / 2));
  const right = left + count - 1;
  const reach = Math.max(x - left, right - x) + (window > n ? Math.floor((window - n) / 2) : 0);
  let sum = 0;
  let sumX = 0;
  let sumXX = 0;
  let sumY = 0;
  let sumXY = 0;
  for (let at = left; at <= right; at++) {
    const weight = weightOf(Math.abs(at - x), reach);
    const dx = at - x;
    const value = values[at] ?? 0;
    sum += weight;
    sumX += weight * dx;
    sumXX += weight * dx * dx;
    sumY += weight * value;
    sumXY += weight * dx * value;
  }
  if (sum <= 0) return values[Math.max(0, Math.min(n - 1, x))] ?? 0;
  const mean = sumY / sum;
  const spread = sumXX / sum - (sumX / sum) ** 2;
  // A line needs places that differ; the limit is that of the authors' program.
  if (degree === 0 || Math.sqrt(Math.max(0, spread)) <= 0.001 * (n - 1)) return mean;
  return mean - (sumX / sum) * ((sumXY / sum - (sumX / sum) * mean) / spread);
}

/** Tricube; next to the place it is 1, at the end of its reach 0, as in the authors' program. */
function weightOf(distance: number, reach: number): number {
  if (distance <= 0.001 * reach) return 1;
  if (distance > 0.999 * reach) return 0;
  const ratio = distance / reach;
  const rest = 1 - ratio * ratio * ratio;
  return rest * rest * rest;
}
