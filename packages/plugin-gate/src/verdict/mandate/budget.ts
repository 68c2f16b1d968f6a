import { readInstant } from '../../json/index.js';
import type { Bundle } from '../../policy/index.js';
import type { FilledEnvelope } from '../defaults.js';
import { ownReason } from '../reasons.js';
import type { Reason, Verdict } from '../verdict.js';

export interface BudgetRuling {
  status: Verdict['budget']['status'];
  /** Why the budget denies, or, where `needsApproval`, asks for one; empty when nothing speaks against it. */
  reasons: Reason[];
  needsApproval: boolean;
}

/**
 * Rules on what the caller says of the budget. The statement must be of the unit of the cost, its period must hold the
 * instant, and it must be fresh; then what is spent, reserved and asked for must stay within the limit. No cost is a cost of 0.
 * @param time milliseconds since 1970
 */
export function ruleOnBudget({ proposal, budget }: FilledEnvelope, bundle: Bundle, time: number): BudgetRuling {
  if (budget === undefined) return { status: 'absent', reasons: [], needsApproval: false };
  const { cost } = proposal.action;
  const unusable = [
    ...(cost !== undefined && cost.unit !== budget.unit ? [ownReason('AG-POL-019', 'The budget and the cost have different units.')] : []),
    ...(isWithin(time, budget.period_start, budget.period_end) ? [] : [ownReason('AG-POL-019', 'The budget is for a different period.')]),
    ...(isFresh(time, budget.as_of, bundle.budget.maxAgeSeconds)
      ? []
      : [ownReason('AG-POL-019', 'The budget statement is too old, or from the future.')]),
  ];
  if (unusable.length > 0) return { status: 'invalid', reasons: unusable, needsApproval: false };
  // Each is at most 2^53−1, and a sum beyond it is rounded, never made smaller than the limit can be.
  if (budget.spent + budget.reserved + (cost?.amount ?? 0) <= budget.limit) return { status: 'within', reasons: [], needsApproval: false };
  return { status: 'exceeded', reasons: [ownReason('AG-POL-018')], needsApproval: bundle.budget.onExceed === 'require_approval' };
}

/** The end is not a part of the period. Comparisons with what is not an instant are false. */
export function isWithin(time: number, start: string, end: string): boolean {
  return time >= (readInstant(start) ?? Number.NaN) && time < (readInstant(end) ?? Number.NaN);
}

function isFresh(time: number, asOf: string, maxAgeSeconds: number): boolean {
  const age = time - (readInstant(asOf) ?? Number.NaN);
  return age >= 0 && age <= maxAgeSeconds * 1000;
}
