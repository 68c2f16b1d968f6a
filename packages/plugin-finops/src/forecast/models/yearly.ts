import { regression } from './theta.js';

/** Days of a year of the Gregorian calendar, on average; and of the two that are needed to tell a season from a trend. */
const YEAR = 365.2425;
export const TWO_YEARS = 730;

/** Waves a year: two pairs of sine and cosine. */
const PAIRS = 2;

/**
 * The season of the year of daily values without shorter seasons, as waves; undefined where the values do not repeat after a year.
 * @returns the season at any index
 */
export function yearlySeason(values: Float64Array): ((t: number) => number) | undefined {
  if (values.length < TWO_YEARS) return undefined;
  const { intercept, slope } = regression(values);
  const flat = values.map((value, t) => value - intercept - slope * t);
  if (correlationAfterYear(flat) < LEAST_CORRELATION) return undefined;
  const weights = leastSquares(flat);
  return (t) => {
    const row = waves(t);
    let sum = 0;
    for (let at = 0; at < row.length; at++) sum += (weights[at + 2] ?? 0) * (row[at] ?? 0);
    return sum;
  };
}

/** Days of one year must explain a good third of the variance of those of the next. The test for shorter seasons is of no use here: slow waves fill all its lags. */
const LEAST_CORRELATION = 0.6;

function correlationAfterYear(values: Float64Array): number {
  const [before, after] = [values.subarray(0, -365), values.subarray(365)];
  const mean = (of: Float64Array) => of.reduce((sum, value) => sum + value, 0) / of.length;
  const [meanBefore, meanAfter] = [mean(before), mean(after)];
  let product = 0;
  let squaresBefore = 0;
  let squaresAfter = 0;
  for (let t = 0; t < before.length; t++) {
    const [x, y] = [(before[t] ?? 0) - meanBefore, (after[t] ?? 0) - meanAfter];
    product += x * y;
    squaresBefore += x * x;
    squaresAfter += y * y;
  }
  return squaresBefore > 0 && squaresAfter > 0 ? product / Math.sqrt(squaresBefore * squaresAfter) : 0;
}

function waves(t: number): number[] {
  const angle = (2 * Math.PI * t) / YEAR;
  return Array.from({ length: PAIRS }, (_, pair) => [Math.sin((pair + 1) * angle), Math.cos((pair + 1) * angle)]).flat();
}

/** Weights of level, trend and waves, by the normal equations: the columns are nearly orthogonal, so they are well conditioned. */
function leastSquares(values: Float64Array): number[] {
  const width = 2 + 2 * PAIRS;
  const equations = Array.from({ length: width }, () => new Float64Array(width + 1));
  for (let t = 0; t < values.length; t++) {
    const row = [1, t / values.length, ...waves(t)];
    for (const [at, factor] of row.entries()) {
      const equation = equations[at];
      if (!equation) continue;
      for (const [other, value] of row.entries()) equation[other] = (equation[other] ?? 0) + factor * value;
      equation[width] = (equation[width] ?? 0) + factor * (values[t] ?? 0);
    }
  }
  return solve(equations);
}

/** Gauss and Jordan with the largest pivot. */
function solve(equations: Float64Array[]): number[] {
  const size = equations.length;
  for (let column = 0; column < size; column++) {
    const own = equations.slice(column).reduce((best, row) => (Math.abs(row[column] ?? 0) > Math.abs(best[column] ?? 0) ? row : best));
    equations.splice(equations.indexOf(own), 1);
    equations.splice(column, 0, own);
    for (const row of equations) {
      if (row === own) continue;
      const factor = (row[column] ?? 0) / (own[column] ?? 1);
      for (let at = column; at <= size; at++) row[at] = (row[at] ?? 0) - factor * (own[at] ?? 0);
    }
  }
  return equations.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
