import { median, roundSignificant } from '@bylaw/core/number';
import type { Quantity } from '../estimate/index.js';
import { deviations, SAMPLES } from '../estimate/points.js';
import type { Cause } from './types.js';

const MOST_CAUSES = 8;

/** A cause that moves the total by less than this share of it is not worth a line. */
const SMALLEST = 0.005;

/**
 * What each factor alone does to the total: its median over the points where the factor is among its lowest tenth, and among its highest, as a
 * multiple of the median over all points. The other factors are spread alike over both, as the points fill the space evenly.
 */
export function causesOf(total: Quantity, dimensions: readonly string[]): Cause[] {
  const middle = median(total.samples);
  if (!(middle > 0)) return [];
  const causes = [...deviations(dimensions)].map(([factor, values]) => {
    const order = Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
    const tenth = Math.floor(SAMPLES / 10);
    const at = (points: readonly number[]) =>
      (total.central * median(Float64Array.from(points, (point) => total.samples[point] ?? 0))) / middle;
    return { factor, low: at(order.slice(0, tenth)), high: at(order.slice(-tenth)) };
  });
  return causes
    .filter(({ low, high }) => Math.abs(high - low) >= SMALLEST * total.central)
    .sort((a, b) => Math.abs(b.high - b.low) - Math.abs(a.high - a.low) || (a.factor < b.factor ? -1 : 1))
    .slice(0, MOST_CAUSES)
    .map(({ factor, low, high }) => ({ factor, low_kg_co2e: roundSignificant(low), high_kg_co2e: roundSignificant(high) }));
}
