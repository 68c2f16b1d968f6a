import { exactSum } from '@bylaw/core/number';
import { times, toRange } from '../estimate/index.js';
import { isSampled } from './amount.js';
import type { Footprint } from './footprint.js';
import type { ReadSources } from './read-sources.js';
import type { ReportSci } from './types.js';

/** Grams per functional unit, over all periods: undefined unless every period was computed for units of one name. */
export function sciOf({ totals: { kg } }: Footprint, { periods }: ReadSources): ReportSci | undefined {
  const units = periods.flatMap(({ computed }) => computed?.result.parameters.functional_unit ?? []);
  const [first] = units;
  if (first === undefined || units.length < periods.length || units.some(({ name }) => name !== first.name) || !isSampled(kg))
    return undefined;
  const { p5, central, p95 } = toRange(times(kg, 1000 / exactSum(units.map(({ count }) => count))));
  return { value_g: central, p5, p95, functional_unit: first.name };
}
