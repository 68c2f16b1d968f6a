/**
 * Rounds to decimals, half away from zero: money has 6.
 * `Math.exp`, `log` and `pow` may differ in the last place between engines, so every number of an answer is rounded.
 */
export function roundDecimals(value: number, decimals: number): number {
  // toFixed looks at the exact value of the double, and takes the larger of two that are equally near, without the sign.
  return Math.abs(value) < 1e21 ? withoutSignOfZero(Number(value.toFixed(decimals))) : value;
}

/** Rounds to significant digits, half away from zero: energy, mass and statistics have 6. */
export function roundSignificant(value: number, digits = 6): number {
  // What has no more digits is itself, and found much faster.
  if (Number.isInteger(value) && Math.abs(value) < 10 ** digits) return withoutSignOfZero(value);
  return Number.isFinite(value) ? withoutSignOfZero(Number(value.toPrecision(digits))) : value;
}

/** Money as answers show it: 6 decimals of the currency's unit. */
export function money(value: number): number {
  return roundDecimals(value, 6);
}

function withoutSignOfZero(value: number): number {
  return value === 0 ? 0 : value;
}
