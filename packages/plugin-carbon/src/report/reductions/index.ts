import { roundSignificant } from '@bylaw/core/number';
import { estimateItems } from '../../estimate/estimate-items.js';
import { type ItemEstimation, minus, type Quantity, sumsOf, toRange } from '../../estimate/index.js';
import { shareBelow } from '../change.js';
import type { Computed } from '../read-sources.js';
import type { Reduction } from '../types.js';
import { armMoves } from './arm.js';
import type { Proposal, Situation } from './proposal.js';
import { regionMoves } from './region.js';
import { rightSizing } from './right-size.js';
import { schedules } from './schedule.js';

/** Proposals are sought for the largest items: what the others could save hardly shows. */
export const MOST_CONSIDERED = 500;

const MOST_SHOWN = 20;

/** Of a total: less is not worth a line. */
const SMALLEST = 0.005;

/** What is as likely to add emissions is not a reduction. */
const LIKELY = 0.8;

/**
 * What would emit less, the most first: each proposal is an estimate on the same points as what runs now, so that its range is that of the
 * difference. They overlap.
 */
export function reductionsOf({ request, result }: Computed): Reduction[] {
  const { current, parameters } = result;
  const total = sumsOf(current.items).total.central;
  const situation: Situation = {
    estimations: largestOf(current.items),
    assumptions: request.assumptions ?? {},
    periodHours: parameters.period_hours,
  };
  const proposals = [regionMoves, armMoves, rightSizing, schedules].flatMap((find) => find(situation));
  const options = { assumptions: situation.assumptions, method: parameters.method };
  return proposals
    .map((proposal) => ({ proposal, delta: savingOf(proposal, options) }))
    .filter(({ delta }) => -delta.central >= SMALLEST * total && shareBelow(delta.samples, 0) >= LIKELY)
    .sort((a, b) => a.delta.central - b.delta.central || (a.proposal.title < b.proposal.title ? -1 : 1))
    .slice(0, MOST_SHOWN)
    .map(({ proposal, delta }) => reductionOf(proposal, delta, total));
}

function largestOf(items: readonly ItemEstimation[]): ItemEstimation[] {
  const size = ({ operational, embodied }: ItemEstimation) => operational + embodied;
  return items.toSorted((a, b) => size(b) - size(a) || (a.item.id < b.item.id ? -1 : 1)).slice(0, MOST_CONSIDERED);
}

function savingOf({ replaced }: Proposal, options: Parameters<typeof estimateItems>[1]): Quantity {
  const [before = [], after = []] = estimateItems([replaced.map(({ item }) => item), replaced.flatMap(({ by }) => by)], options);
  return minus(sumsOf(after).total, sumsOf(before).total);
}

function reductionOf({ kind, title, from, to, note, replaced }: Proposal, delta: Quantity, total: number): Reduction {
  return {
    ...{ kind, title, from, to },
    items: replaced.map(({ item }) => item.id).sort(),
    delta_kg_co2e: toRange(delta),
    percent_of_total: roundSignificant((100 * delta.central) / total),
    probability_lower: shareBelow(delta.samples, 0),
    note,
  };
}
