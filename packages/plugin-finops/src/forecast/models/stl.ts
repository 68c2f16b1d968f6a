import { loess } from './loess.js';

export interface Decomposition {
  seasonal: Float64Array;
  trend: Float64Array;
}

/** Rounds of seasonal and trend smoothing; without robustness weights two suffice (Cleveland et al. 1990, section 3.3). */
const ROUNDS = 2;

/**
 * Seasonal-trend decomposition by local regression, with local means for the season and local lines for the trend.
 * Source: R. B. Cleveland et al., "STL: A Seasonal-Trend Decomposition Procedure Based on Loess" (1990), sections 2.2 and 3.4.
 * @param values at least two periods
 * @param window of the season, in periods, odd
 */
export function stl(values: Float64Array, period: number, window: number): Decomposition {
  const n = values.length;
  const trendWindow = oddFrom((1.5 * period) / (1 - 1.5 / window));
  let trend = new Float64Array(n);
  let seasonal = new Float64Array(n);
  for (let round = 0; round < ROUNDS; round++) {
    const cycle = smoothedCycles(
      values.map((value, t) => value - (trend[t] ?? 0)),
      period,
      window,
    );
    const low = loess(averages(averages(averages(cycle, period), period), 3), oddFrom(period), 1);
    seasonal = Float64Array.from({ length: n }, (_, t) => (cycle[t + period] ?? 0) - (low[t] ?? 0));
    trend = Float64Array.from(
      loess(
        values.map((value, t) => value - (seasonal[t] ?? 0)),
        trendWindow,
        1,
      ),
    );
  }
  return { seasonal, trend };
}

/** The smallest odd number that is not smaller. */
function oddFrom(value: number): number {
  const whole = Math.ceil(value);
  return whole % 2 === 0 ? whole + 1 : whole;
}

/** Each place of the cycle smoothed on its own, one period longer at both ends. */
function smoothedCycles(values: Float64Array, period: number, window: number): Float64Array {
  const n = values.length;
  const cycle = new Float64Array(n + 2 * period);
  for (let place = 0; place < period; place++) {
    const own = Float64Array.from({ length: Math.ceil((n - place) / period) }, (_, at) => values[place + at * period] ?? 0);
    const smoothed = loess(own, window, 0, -1, own.length + 1);
    for (let at = 0; at < smoothed.length; at++) cycle[place + at * period] = smoothed[at] ?? 0;
  }
  return cycle;
}

/** Moving averages, only where they are whole. */
function averages(values: Float64Array, window: number): Float64Array {
  const result = new Float64Array(values.length - window + 1);
  let sum = 0;
  for (let t = 0; t < values.length; t++) {
    sum += (values[t] ?? 0) - (t >= window ? (values[t - window] ?? 0) : 0);
    if (t >= window - 1) result[t - window + 1] = sum / window;
  }
  return result;
}
