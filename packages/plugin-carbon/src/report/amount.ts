import { exactSum, roundSignificant } from '@bylaw/core/number';
import { type Quantity, type Ranged, toRange } from '../estimate/index.js';

/** A quantity with its values at the points, or, out of a saved answer, with the ends of its range only. */
export type Amount = Quantity | Ranged;

export function isSampled(amount: Amount): amount is Quantity {
  return 'samples' in amount;
}

/**
 * Point by point where all have points. Else the ends are added, as though all were wrong together: the widest that the range of the sum can be
 * where its parts are uncertain alike, for what moves together is never narrower than what cancels out.
 */
export function sumOf(amounts: readonly Amount[]): Amount {
  const sampled = amounts.filter(isSampled);
  const central = exactSum(amounts.map((amount) => amount.central));
  const [first] = sampled;
  if (first !== undefined && sampled.length === amounts.length) return { central, samples: added(sampled, first.samples.length) };
  const ends = amounts.map(endsOf);
  return { central, p5: exactSum(ends.map(({ p5 }) => p5)), p95: exactSum(ends.map(({ p95 }) => p95)) };
}

function added(amounts: readonly Quantity[], length: number): Float64Array {
  const sum = new Float64Array(length);
  for (const { samples } of amounts) for (let at = 0; at < length; at += 1) sum[at] = (sum[at] ?? 0) + (samples[at] ?? 0);
  return sum;
}

/** Rounded as answers are. */
export function endsOf(amount: Amount): Ranged {
  if (isSampled(amount)) return toRange(amount);
  return { p5: roundSignificant(amount.p5), central: roundSignificant(amount.central), p95: roundSignificant(amount.p95) };
}
