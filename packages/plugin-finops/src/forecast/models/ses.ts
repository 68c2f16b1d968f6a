/** Simple exponential smoothing: one level, which follows each value by the share `alpha`. */
export interface SesFit {
  alpha: number;
  /** Level before the first value. */
  start: number;
  /** Level after the last value: the forecast of every later one. */
  level: number;
  /** Sum of the squared errors one step ahead. */
  sse: number;
}

const LEAST_ALPHA = 0.001;
const MOST_ALPHA = 0.999;

/** Values of `alpha` that are tried before the best is made finer, and rounds of that. */
const STEPS = 8;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const REFINEMENTS = 12;

/** The fit of least squared error one step ahead, over `alpha` and the start. */
export function fitSes(values: Float64Array): SesFit {
  const step = (MOST_ALPHA - LEAST_ALPHA) / STEPS;
  let best = smooth(values, LEAST_ALPHA);
  for (let at = 1; at <= STEPS; at++) {
    const fit = smooth(values, LEAST_ALPHA + at * step);
    if (fit.sse < best.sse) best = fit;
  }
  // Golden section around the best.
  let [low, high] = [Math.max(LEAST_ALPHA, best.alpha - step), Math.min(MOST_ALPHA, best.alpha + step)];
  let left = smooth(values, high - GOLDEN * (high - low));
  let right = smooth(values, low + GOLDEN * (high - low));
  for (let round = 0; round < REFINEMENTS; round++) {
    if (left.sse <= right.sse) {
      [high, right] = [right.alpha, left];
      left = smooth(values, high - GOLDEN * (high - low));
    } else {
      [low, left] = [left.alpha, right];
      right = smooth(values, low + GOLDEN * (high - low));
    }
  }
  return [left, right].reduce((least, fit) => (fit.sse < least.sse ? fit : least), best);
}

/** Errors are linear in the start, so the best start for an `alpha` is known in closed form. */
function smooth(values: Float64Array, alpha: number): SesFit {
  const origin = values[0] ?? 0;
  let level = 0;
  // What is left of the start.
  let share = 1;
  let ee = 0;
  let es = 0;
  let ss = 0;
  for (let t = 0; t < values.length; t++) {
    const error = (values[t] ?? 0) - origin - level;
    ee += error * error;
    es += error * share;
    ss += share * share;
    level += alpha * error;
    share *= 1 - alpha;
  }
  const start = es / ss;
  return { alpha, start: origin + start, level: origin + level + share * start, sse: Math.max(0, ee - start * es) };
}
