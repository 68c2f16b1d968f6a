import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSeason } from './autocorrelation.js';
import { candidates } from './candidates.js';
import { seasonalIndices, withoutSeason, withSeason } from './classical.js';
import { crostonForecast } from './croston.js';
import { dampedHoltForecast, fitDampedHolt } from './damped-holt.js';
import { mstl } from './mstl.js';
import { nelderMead } from './nelder-mead.js';
import { fitSes } from './ses.js';
import { stl } from './stl.js';
import { thetaForecast } from './theta.js';
import { yearlySeason } from './yearly.js';

/** Series by formula, so that other programs can build them; the expected numbers come from statsmodels 0.15.0 (numpy 2.4.6), not from this code. */
const series = (n: number, value: (t: number) => number) => Float64Array.from({ length: n }, (_, t) => value(t));
const weekly = series(60, (t) => 100 + 0.8 * t + 12 * Math.sin((2 * Math.PI * t) / 7) + 5 * Math.cos(1.7 * t * t) + (t % 7 === 6 ? 20 : 0));
const hourly = series(
  504,
  (t) => 50 + 3 * Math.sin((2 * Math.PI * t) / 24) + 2 * Math.cos((2 * Math.PI * t) / 168) + Math.cos(1.7 * t * t) + 0.01 * t,
);
let sum = 0;
const drifting = series(80, (t) => {
  sum += 0.9 * Math.sin(0.08 * t);
  return 100 + sum + 5 * Math.cos(1.7 * t * t);
});
/** Of the damped trend within the same bounds, found by a brute search; and of theta with the smoothing of that program. */
const HOLT_SSE = 1231.93043885;
const HOLT = [98.72502527, 98.33747802, 97.96014429];
const THETA = [99.67909459, 99.66898942, 99.65888425];

const at = (values: Float64Array, places: number[]) => places.map((place) => values[place] ?? Number.NaN);
const close = (values: readonly number[], expected: readonly number[], digits: number) => {
  expect(values).toHaveLength(expected.length);
  for (const [place, value] of values.entries()) expect(value).toBeCloseTo(expected[place] ?? Number.NaN, digits);
};

describe('STL', () => {
  it('finds the season and the trend that statsmodels finds (period 6, window 11, local means)', () => {
    const { seasonal, trend } = stl(weekly, 6, 11);
    const places = [0, 1, 6, 29, 30, 58, 59];
    close(at(seasonal, places), [-1.67948371, -1.39390255, -1.56589076, 0.30079351, -0.65016616, -0.25520469, -1.54710194], 7);
    close(at(trend, places), [108.38933792, 107.33276268, 106.56199886, 127.5468302, 127.7175075, 155.41959188, 158.43045749], 7);
  });

  it('tells two seasons apart as statsmodels does (24 and 168 hours)', () => {
    const [day, week] = mstl(hourly, [24, 168]);
    const places = [0, 23, 250, 503];
    close(at(day ?? new Float64Array(), places), [-0.24479044, -0.66711834, 1.88732639, -1.10483662], 7);
    close(at(week ?? new Float64Array(), places), [1.79166663, 0.82210781, -1.8591405, 2.94848016], 7);
  });
});

describe('simple exponential smoothing', () => {
  it('finds the least squared error that statsmodels finds, and the level that goes with it', () => {
    const { alpha, start, level, sse } = fitSes(weekly);
    close([alpha, start, level], [0.2726613, 107.3578, 151.8019], 2);
    expect(sse).toBeLessThanOrEqual(5873.7692);
    expect(sse).toBeGreaterThan(5873.76);
  });
});

describe('the damped trend', () => {
  it('comes as near to the least squared error as the search of statsmodels', () => {
    const fit = fitDampedHolt(drifting);
    expect(fit.sse).toBeLessThan(HOLT_SSE * 1.002);
    expect(fit.phi).toBeGreaterThanOrEqual(0.8);
    expect(fit.phi).toBeLessThanOrEqual(0.98);
    expect(fit.beta).toBeLessThanOrEqual(fit.alpha);
    for (const [place, value] of dampedHoltForecast(drifting, 3).entries()) expect(Math.abs(value - (HOLT[place] ?? 0))).toBeLessThan(0.7);
  });

  it('goes on less and less', () => {
    const forecast = dampedHoltForecast(
      series(40, (t) => 10 + 2 * t),
      400,
    );
    expect(forecast[0]).toBeGreaterThan(89);
    const steps = forecast.slice(1).map((value, j) => value - (forecast[j] ?? 0));
    for (const [j, step] of steps.entries()) if (j > 0) expect(step).toBeLessThanOrEqual((steps[j - 1] ?? 0) + 1e-9);
    expect(forecast.at(-1)).toBeLessThan(90 + (2 * 0.98) / 0.02);
  });
});

describe('theta', () => {
  it('is half the regression line and half the smoothed doubled distance from it', () => {
    close([...thetaForecast(drifting, 3)], THETA, 1);
    close(
      [
        ...thetaForecast(
          series(20, (t) => 5 + 3 * t),
          2,
        ),
      ],
      [63.5, 65],
      1,
    );
  });
});

describe('the classical decomposition', () => {
  it('has the indices of statsmodels: factors for an odd period, amounts for an even one', () => {
    const factors = [0.97129303, 1.04577547, 1.06974266, 1.02654935, 0.93417144, 0.89461577, 1.05785228];
    close([...seasonalIndices(weekly, 7).indices], factors, 7);
    const shifted = weekly.map((value) => value - 150);
    const amounts = [
      0.16409631, -0.20371175, -1.82807616, 3.08266798, -1.06725169, 2.63190217, -1.38325411, -2.22853916, 4.80076886, -1.0937928,
      2.94046318, -5.81527284,
    ];
    close([...seasonalIndices(shifted, 12).indices], amounts, 7);
  });

  it('gives back what it took', () => {
    const indices = seasonalIndices(weekly, 7);
    const plain = withoutSeason(weekly, indices);
    close([...withSeason(plain.slice(50), indices, 50)], [...weekly.slice(50)], 9);
  });
});

describe('what else is known of a series', () => {
  it('sees a season, also behind a trend, and none in noise', () => {
    expect(hasSeason(weekly, 7)).toBe(true);
    expect(
      hasSeason(
        series(60, (t) => 100 + 5 * t + 3 * Math.sin((2 * Math.PI * t) / 7)),
        7,
      ),
    ).toBe(true);
    expect(
      hasSeason(
        series(60, (t) => Math.cos(1.7 * t * t)),
        7,
      ),
    ).toBe(false);
    expect(hasSeason(weekly.slice(0, 14), 7)).toBe(false);
    expect(hasSeason(new Float64Array(60).fill(3), 7)).toBe(false);
  });

  it('sees the year in daily values of two years and more', () => {
    const wave = (t: number) => 40 * Math.sin((2 * Math.PI * t) / 365.2425 + 1);
    const yearly = yearlySeason(series(900, (t) => 200 + wave(t) + 5 * Math.cos(1.7 * t * t)));
    for (let t = 900; t < 1100; t += 20) expect(Math.abs((yearly?.(t) ?? 0) - wave(t))).toBeLessThan(3);
    expect(yearlySeason(series(729, wave))).toBeUndefined();
    expect(yearlySeason(series(900, (t) => Math.cos(1.7 * t * t)))).toBeUndefined();
  });

  it('forecasts a rare demand by its size and interval, with the factor of Syntetos and Boylan', () => {
    const every4 = series(40, (t) => (t % 4 === 3 ? 8 : 0));
    expect(crostonForecast(every4, 2)).toEqual(Float64Array.of(0.95 * 2, 0.95 * 2));
    expect(crostonForecast(new Float64Array(5), 1)).toEqual(Float64Array.of(0));
  });

  it('finds the minimum of a bowl and of a bent valley', () => {
    close([...nelderMead((x) => (x[0] ?? 0) ** 2 + ((x[1] ?? 0) - 3) ** 2 + 1, Float64Array.of(5, 5), 1, 200)], [0, 3], 1);
    const rosenbrock = (x: Float64Array) => (1 - (x[0] ?? 0)) ** 2 + 100 * ((x[1] ?? 0) - (x[0] ?? 0) ** 2) ** 2 + 1;
    expect(rosenbrock(nelderMead(rosenbrock, Float64Array.of(-1, 1), 1, 500))).toBeLessThan(1.001);
  });
});

describe('the candidates', () => {
  const values = fc
    .tuple(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 8, maxLength: 60 }), fc.boolean())
    // No amount is smaller than a millionth but zero.
    .map(([all, negative]) => Float64Array.from(all, (value, t) => (value < 1e-6 ? 0 : negative && t % 5 === 0 ? -value : value)));

  it('are finite, and never negative where no value was', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (history, intermittent) => {
        const { forecasts } = candidates(history, { periods: [7], daily: true, intermittent }, 20);
        const positive = history.every((value) => value >= 0);
        for (const forecast of forecasts.values())
          for (const value of forecast) expect(Number.isFinite(value) && (!positive || value >= 0)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('are finite where some values are next to nothing, so that no factor of theirs can be divided by', () => {
    for (const [small, large] of [
      [1e-90, 1e6],
      [1e-320, 1e6],
      [1e-320, 1e-310],
    ] as const) {
      const history = Float64Array.from({ length: 15 }, (_, t) => (t % 7 === 3 ? large : small));
      const { forecasts } = candidates(history, { periods: [7], daily: true, intermittent: false }, 20);
      for (const [method, forecast] of forecasts) expect([small, method, forecast.every(Number.isFinite)]).toEqual([small, method, true]);
    }
  });

  it('take no jump at the end for a power that goes on', () => {
    const usual = (t: number) => 40 * (t % 7 < 5 ? 1.1 : 0.65) * (1 + 0.02 * Math.sin(t * t));
    const history = Float64Array.from({ length: 300 }, (_, t) => usual(t) * (t < 298 ? 1 : 9));
    const { forecasts } = candidates(history, { periods: [7], daily: true, intermittent: false }, 30);
    const largest = Math.max(...history);
    for (const [method, forecast] of forecasts) expect([method, Math.max(...forecast) < 10 * largest]).toEqual([method, true]);
  });

  // Powers of two scale without rounding, so no test is passed on one side only.
  it('grow with the values', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(1 / 1024, 2, 1024), (history, factor) => {
        const kind = { periods: [7], daily: true, intermittent: false };
        const [plain, scaled] = [
          candidates(history, kind, 5),
          candidates(
            history.map((value) => value * factor),
            kind,
            5,
          ),
        ];
        const size = Math.max(...history.map(Math.abs), 1e-300) * factor;
        expect(scaled.seasons).toEqual(plain.seasons);
        for (const method of ['ses', 'snaive'] as const)
          for (const [j, value] of (scaled.forecasts.get(method) ?? []).entries())
            expect(Math.abs(value - factor * (plain.forecasts.get(method)?.[j] ?? 0)) / size).toBeLessThan(1e-3);
      }),
      { numRuns: 100 },
    );
  });
});
