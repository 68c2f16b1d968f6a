import { compileGlobs } from '../../glob.js';
import { canonical, type JsonObject, readInstant } from '../../json/index.js';
import { verifySignature } from '../../keys/index.js';
import type { Bundle } from '../../policy/index.js';
import type { Mandate } from '../../proposal/index.js';
import type { FilledEnvelope } from '../defaults.js';
import { ownReason } from '../reasons.js';
import type { Reason, Verdict } from '../verdict.js';
import { isWithin } from './budget.js';

export interface MandateRuling {
  status: Verdict['mandate']['status'];
  /** Why it is not valid. */
  reasons: Reason[];
}

/**
 * Rules on a mandate: signed by a trusted key, not revoked, in force, made for this principal and agent, and wide enough for
 * the action. What a mandate says counts only once its signature holds.
 * @param time milliseconds since 1970
 */
export function ruleOnMandate(envelope: FilledEnvelope, bundle: Bundle, time: number): MandateRuling {
  const { mandate } = envelope;
  if (mandate === undefined) return { status: 'absent', reasons: [] };
  if (!isGenuine(mandate, bundle)) return { status: 'invalid', reasons: [ownReason('AG-POL-013')] };
  const reasons = [
    ...(bundle.trust.isRevoked(mandate) ? [ownReason('AG-POL-017')] : []),
    ...forceReasons(mandate, bundle, time),
    ...scopeReasons(mandate, envelope),
    ...limitReasons(mandate, envelope),
  ];
  return { status: reasons.length === 0 ? 'valid' : 'invalid', reasons };
}

/** The text that an issuer signs. */
export function mandateText({ sig: _, ...rest }: Mandate): string {
  return `svc-mandate/1\n${canonical(rest as unknown as JsonObject)}`; // texts, numbers and lists of them
}

export function isGenuine(mandate: Mandate, { trust }: Bundle): boolean {
  const key = trust.issuers.get(mandate.issuer)?.get(mandate.key_id);
  return key !== undefined && verifySignature(mandateText(mandate), mandate.sig, key);
}

/** Milliseconds from the start of a mandate to its end. */
export function lifetimeOf({ not_before, expires_at }: Pick<Mandate, 'not_before' | 'expires_at'>): number {
  return (readInstant(expires_at) ?? Number.NaN) - (readInstant(not_before) ?? Number.NaN);
}

/** @param bundle absent: any lifetime is allowed */
export function forceReasons(mandate: Mandate, bundle: Bundle | undefined, time: number): Reason[] {
  const longest = (bundle?.mandate.maxLifetimeHours ?? Number.POSITIVE_INFINITY) * 3_600_000;
  return [
    ...(isWithin(time, mandate.not_before, mandate.expires_at) ? [] : [ownReason('AG-POL-014')]),
    ...(lifetimeOf(mandate) <= longest ? [] : [ownReason('AG-POL-014', 'The mandate is valid for longer than the bundle allows.')]),
  ];
}

export function scopeReasons({ subject, delegate, scope }: Mandate, { proposal }: FilledEnvelope): Reason[] {
  const covered: [boolean, string][] = [
    [subject === proposal.principal.id, 'The mandate is for a different principal.'],
    [delegate === proposal.agent?.id, 'The mandate is for a different agent.'],
    [covers(scope.actions, '.', proposal.action.type), 'The mandate does not cover the action.'],
    [covers(scope.resources, '/', proposal.action.resource), 'The mandate does not cover the resource.'],
    [covers(scope.environments, '/', proposal.environment), 'The mandate does not cover the environment.'],
    [scope.adapters === undefined || covers(scope.adapters, '/', proposal.adapter), 'The mandate does not cover the adapter.'],
  ];
  return covered.flatMap(([ok, message]) => (ok ? [] : [ownReason('AG-POL-015', message)]));
}

function covers(globs: readonly string[], separator: '.' | '/', value: string | undefined): boolean {
  return value !== undefined && compileGlobs(globs, separator)(value);
}

/** No cost is a cost of 0. What does not say that it can be undone cannot. */
export function limitReasons({ limits }: Mandate, { proposal }: FilledEnvelope): Reason[] {
  const { cost, reversible } = proposal.action;
  const { max_cost: max, reversible_only: reversibleOnly } = limits;
  const affordable = max === undefined || cost === undefined || (cost.unit === max.unit && cost.amount <= max.amount);
  return [
    ...(affordable ? [] : [ownReason('AG-POL-016', 'The action costs more than the mandate allows, or its cost has a different unit.')]),
    ...(reversibleOnly !== true || reversible === true ? [] : [ownReason('AG-POL-016', 'The mandate allows only reversible actions.')]),
  ];
}
