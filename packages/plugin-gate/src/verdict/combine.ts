import type { Bundle, Effect, Policy } from '../policy/index.js';
import type { Applied } from './apply.js';
import type { BudgetRuling } from './mandate/budget.js';
import type { MandateRuling } from './mandate/mandate.js';
import { ownReason, sortReasons } from './reasons.js';
import type { ApprovalNeed, Decision, Reason, Verdict } from './verdict.js';

/** What the rulings and the policies come to. */
export type Combined = Pick<Verdict, 'decision' | 'reasons' | 'matched_policies' | 'draft_matches' | 'obligations' | 'approval'>;

/** What one policy or ruling says. */
interface Vote {
  effect: Effect;
  reason: Reason;
  /** Absent for a ruling on mandate or budget, and for the bundle's default. */
  policy?: Policy;
}

/** The first that any vote has decides. */
const BY_WEIGHT = ['deny', 'require_approval', 'allow'] as const satisfies readonly Effect[];

const DECISIONS: { readonly [effect in Effect]: Decision } = { deny: 'DENY', require_approval: 'REQUIRE_APPROVAL', allow: 'ALLOW' };

/**
 * Combines: whatever denies wins; else whatever asks for an approval; else whatever allows; else the bundle's default.
 * Draft policies decide nothing.
 * @param applied in the order of the policies' ids
 */
export function combine(bundle: Bundle, applied: readonly Applied[], mandate: MandateRuling, budget: BudgetRuling): Combined {
  const votes = applied.map((one) => voteOf(one, mandate.status === 'valid'));
  const active = votes.filter(({ policy }) => policy.stage === 'active');
  const { effect, winners } = winnersOf(bundle, active, [...mandate.reasons.map(denial), ...budgetVotes(budget)]);
  return {
    decision: DECISIONS[effect],
    reasons: sortReasons(winners.map(({ reason }) => reason)),
    matched_policies: active.filter(isMatch).map(matchOf),
    draft_matches: votes.filter((vote) => vote.policy.stage === 'draft' && isMatch(vote)).map(matchOf),
    obligations: winners.flatMap(obligationsOf).sort((a, b) => (a.id < b.id ? -1 : 1)),
    approval: effect === 'require_approval' ? mergeNeeds(winners.map(({ policy }) => policy?.approval ?? bundle.approval)) : null,
  };
}

/** The rulings can only take away: where no policy says anything, a budget that asks for an approval does not replace the default. */
function winnersOf(bundle: Bundle, policies: readonly Vote[], rulings: readonly Vote[]): { effect: Effect; winners: readonly Vote[] } {
  const denials = [...rulings, ...policies].filter(({ effect }) => effect === 'deny');
  if (denials.length > 0) return { effect: 'deny', winners: denials };
  const given = [...rulings, ...(policies.length > 0 ? policies : [defaultVote(bundle)])];
  const effect = BY_WEIGHT.find((one) => given.some((vote) => vote.effect === one)) ?? 'deny';
  return { effect, winners: given.filter((vote) => vote.effect === effect) };
}

/** A condition that fails denies; so does a policy whose mandate is not there. */
function voteOf({ policy, held }: Applied, mandated: boolean): Vote & { policy: Policy } {
  const { id, effect, message } = policy;
  if (held === 'error') return { effect: 'deny', policy, reason: { ...ownReason('AG-POL-011'), policy: id } };
  if (policy.requiresMandate && !mandated) return { effect: 'deny', policy, reason: { ...ownReason('AG-POL-012'), policy: id } };
  return { effect, policy, reason: { code: CODES[effect], policy: id, message } };
}

const CODES: { readonly [effect in Effect]: string } = { deny: 'AG-POL-020', require_approval: 'AG-POL-021', allow: 'AG-POL-022' };

function denial(reason: Reason): Vote {
  return { effect: 'deny', reason };
}

function budgetVotes({ reasons, needsApproval }: BudgetRuling): Vote[] {
  return reasons.map((reason) => ({ effect: needsApproval ? 'require_approval' : 'deny', reason }));
}

function defaultVote(bundle: Bundle): Vote {
  switch (bundle.default) {
    case 'deny':
      return denial(ownReason('AG-POL-010'));
    case 'require_approval':
      return { effect: 'require_approval', reason: ownReason('AG-POL-021', 'No policy allows this, so it needs an approval.') };
    case 'allow':
      return { effect: 'allow', reason: ownReason('AG-POL-022', 'No policy denies this.') };
  }
}

/** A condition that failed did not hold. */
function isMatch({ reason }: Vote): boolean {
  return reason.code !== 'AG-POL-011';
}

function matchOf({ policy, effect }: Vote & { policy: Policy }): { id: string; effect: Effect } {
  return { id: policy.id, effect };
}

function obligationsOf({ policy }: Vote): { type: string; id: string }[] {
  return policy?.obligations.map((type, index) => ({ type, id: `${policy.id}/${index}` })) ?? [];
}

/** All groups, the largest quorum, the shortest times. */
function mergeNeeds(needs: readonly (ApprovalNeed | null)[]): ApprovalNeed {
  const given = needs.filter((need) => need !== null);
  return {
    groups: [...new Set(given.flatMap(({ groups }) => groups))].sort(),
    quorum: Math.max(...given.map(({ quorum }) => quorum)),
    ttl_seconds: Math.min(...given.map(({ ttl_seconds }) => ttl_seconds)),
    grant_ttl_seconds: Math.min(...given.map(({ grant_ttl_seconds }) => grant_ttl_seconds)),
  };
}
