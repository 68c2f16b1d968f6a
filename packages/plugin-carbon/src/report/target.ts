import { roundSignificant } from '@bylaw/core/number';
import { carbonError } from '../error-table.js';
import { type Amount, isSampled } from './amount.js';
import type { BothSides } from './change.js';
import type { ReportTarget, TargetResult } from './types.js';

/**
 * Whether the target is met, by how much, and how sure that is.
 * @throws {CarbonError} `baseline-missing`
 */
export function targetResult(target: ReportTarget, total: Amount, sides: BothSides | undefined): TargetResult {
  if ('kg_co2e' in target) return resultOf(total, target.kg_co2e, null, chanceBelow(total, target.kg_co2e));
  if (sides === undefined)
    throw carbonError('baseline-missing', 'A target in percent needs a baseline.', {
      path: '/target/percent',
      hint: 'Provide `baseline`, or set the target in kg_co2e.',
    });
  const kept = 1 - target.percent / 100;
  return resultOf(total, sides.earlier.central * kept, target.percent, chanceOfReduction(sides, kept));
}

function resultOf(total: Amount, allowed: number, percent: number | null, probability: number | null): TargetResult {
  const distance = total.central - allowed;
  return {
    kg_co2e: roundSignificant(allowed),
    percent,
    met: distance <= 0,
    distance_kg_co2e: roundSignificant(distance),
    required_reduction_percent: distance <= 0 ? 0 : roundSignificant((100 * distance) / total.central),
    probability_met: probability,
  };
}

function chanceBelow(total: Amount, allowed: number): number | null {
  return isSampled(total) ? share(total.samples, () => allowed) : null;
}

/** At each point what is emitted now is held against what was emitted then at the same point. */
function chanceOfReduction({ now, earlier }: BothSides, kept: number): number | null {
  if (!isSampled(now) || !isSampled(earlier)) return null;
  return share(now.samples, (at) => kept * (earlier.samples[at] ?? 0));
}

function share(samples: Float64Array, allowed: (at: number) => number): number {
  return roundSignificant(samples.filter((value, at) => value <= allowed(at)).length / samples.length);
}
