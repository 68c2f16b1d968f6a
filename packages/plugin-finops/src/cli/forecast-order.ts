import type { Forecast } from '../forecast/index.js';

/** As people look at them: all of it before its parts, then the dearest first. */
export function dearestFirst(forecasts: readonly Forecast[]): Forecast[] {
  const isPart = ({ dimensions }: Forecast) => Number(Object.keys(dimensions).length > 0);
  const size = ({ points }: Forecast) => points.reduce((sum, { mean }) => sum + Math.abs(mean), 0);
  return forecasts.toSorted((a, b) => isPart(a) - isPart(b) || size(b) - size(a) || (a.id < b.id ? -1 : 1));
}
