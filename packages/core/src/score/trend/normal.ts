/**
 * The chance that a standard normal variable is larger than z.
 * Below 3 by the series, from there on by the continued fraction of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions"
 * (1964), 26.2.11 and 26.2.14.
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  return z < 3 ? 0.5 - centralPart(z) : density(z) / tailFraction(z);
}

/** The z that a standard normal variable exceeds with the chance p, 0 < p < 0.5, by bisection of the tail: it falls steadily. */
export function normalQuantile(p: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (normalTail(middle) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
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
