import { exactSum, roundSignificant } from '@bylaw/core/number';
import { rangeOf } from './order-statistics.js';
import { SAMPLES } from './points.js';
import type { EstimateTotal, ItemEstimation, Ranged } from './types.js';

/** A central value with its values at the points, not rounded. */
export interface Quantity {
  central: number;
  samples: Float64Array;
}

/** The sums over items: of the central values, and at each point. */
export interface Sums {
  total: Quantity;
  operational: Quantity;
  embodied: Quantity;
  energyKwh: Quantity;
  locationBased: Quantity;
  marketBased: Quantity | null;
}

export function sumsOf(items: readonly ItemEstimation[]): Sums {
  const sum = (part: 'operational' | 'embodied' | 'energyKwh' | 'locationBased'): Quantity => ({
    central: exactSum(items.map((item) => item[part])),
    samples: added(items.map(({ samples }) => samples[part])),
  });
  const operational = sum('operational');
  const embodied = sum('embodied');
  const sameGrids = items.every(({ factors }) => factors.locationGrid === factors.grid);
  return {
    total: plus(operational, embodied),
    operational,
    embodied,
    energyKwh: sum('energyKwh'),
    locationBased: sameGrids ? operational : sum('locationBased'),
    marketBased: marketOf(items),
  };
}

/** Null where the factor of any item is not known: part of a sum is not a sum. */
function marketOf(items: readonly ItemEstimation[]): Quantity | null {
  const known = items.flatMap(({ samples, marketBased }) =>
    samples.marketBased && marketBased !== null ? [{ column: samples.marketBased, marketBased }] : [],
  );
  if (items.length === 0 || known.length < items.length) return null;
  return { central: exactSum(known.map(({ marketBased }) => marketBased)), samples: added(known.map(({ column }) => column)) };
}

export function totalOf({ operational, embodied, samples }: ItemEstimation): Quantity {
  return plus({ central: operational, samples: samples.operational }, { central: embodied, samples: samples.embodied });
}

export function plus(a: Quantity, b: Quantity): Quantity {
  const samples = new Float64Array(SAMPLES);
  for (let at = 0; at < SAMPLES; at += 1) samples[at] = (a.samples[at] ?? 0) + (b.samples[at] ?? 0);
  return { central: a.central + b.central, samples };
}

export function minus(a: Quantity, b: Quantity): Quantity {
  return { central: a.central - b.central, samples: a.samples.map((value, at) => value - (b.samples[at] ?? 0)) };
}

export function times({ central, samples }: Quantity, factor: number): Quantity {
  return { central: central * factor, samples: samples.map((value) => value * factor) };
}

export function nothing(): Quantity {
  return { central: 0, samples: new Float64Array(SAMPLES) };
}

/** With the ends of the range that holds nine of ten points, rounded as answers are. */
export function toRange({ central, samples }: Quantity): Ranged {
  scratch.set(samples);
  return scratchRange(central);
}

/** `ranged(totalOf(item))`, without a column for it. */
export function rangedTotal({ operational, embodied, samples }: ItemEstimation): Ranged {
  for (let at = 0; at < SAMPLES; at += 1) scratch[at] = (samples.operational[at] ?? 0) + (samples.embodied[at] ?? 0);
  return scratchRange(operational + embodied);
}

function scratchRange(central: number): Ranged {
  const { p5, p95 } = rangeOf(scratch);
  return { p5: roundSignificant(p5), central: roundSignificant(central), p95: roundSignificant(p95) };
}

/** Where values are put in order: every range of an answer needs it once, and none keeps it. */
const scratch = new Float64Array(SAMPLES);

export function shownTotal(sums: Sums): EstimateTotal {
  return {
    kg_co2e: toRange(sums.total),
    operational: toRange(sums.operational),
    embodied: toRange(sums.embodied),
    energy_kwh: toRange(sums.energyKwh),
    location_based: toRange(sums.locationBased),
    market_based: sums.marketBased === null ? null : toRange(sums.marketBased),
  };
}

function added(columns: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(SAMPLES);
  for (const column of columns) for (let at = 0; at < SAMPLES; at += 1) sum[at] = (sum[at] ?? 0) + (column[at] ?? 0);
  return sum;
}
