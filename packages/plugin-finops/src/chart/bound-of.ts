import type { Forecast } from '../forecast/index.js';

/** A bound by its name: `lower_95`. */
export function boundOf(of: Forecast['totals'][number] | Forecast['points'][number], name: string): number {
  return Number(Object.entries(of).find(([key]) => key === name)?.[1] ?? Number.NaN);
}
