/**
 * The chance that a standard normal variable is larger than z.
 * Below 3 by the series, from there on by the continued fraction of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions"
 * (1964), 26.2.11 and 26.2.14.
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  return z < 3 ? 0.5 - centralPart(z) : density(z) / tailFraction(z);
}

/**
 * The quantile of the standard normal distribution: a normal variable is below it with the chance p.
 * P. J. Acklam, "An algorithm for computing the inverse normal cumulative distribution function" (2003), to a relative error of 1.2e-9, and
 * one step of Halley's method on the tail, as he suggests, to the precision of numbers.
 * @param p above 0 and below 1
 */
export function normalQuantile(p: number): number {
  return p < 0.5 ? -upperQuantile(p) : upperQuantile(1 - p);
}

/** What a standard normal variable exceeds with the chance p, 0 < p <= 0.5. */
function upperQuantile(p: number): number {
  const z = -lowerEstimate(p);
  const step = (normalTail(z) - p) / density(z);
  return z + step / (1 - (z * step) / 2);
}

/** @param p at most 0.5 */
function lowerEstimate(p: number): number {
  if (p < TAIL) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(C, q) / (polynomial(D, q) * q + 1);
  }
  const q = p - 0.5;
  const r = q * q;
  return (q * polynomial(A, r)) / (polynomial(B, r) * r + 1);
}

const TAIL = 0.02425;
const A = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
const C = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];

/** Coefficients from the highest power down. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** The chance of being between 0 and z. */
function centralPart(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 1; Math.abs(term) > sum * 1e-17; k++) {
    term *= (z * z) / (2 * k + 1);
    sum += term;
  }
  return sum * density(z);
}

/** `z + 1/(z + 2/(z + 3/(z + …)))`. */
function tailFraction(z: number): number {
  let fraction = z;
  for (let k = 200; k > 0; k--) fraction = z + k / fraction;
  return fraction;
}
