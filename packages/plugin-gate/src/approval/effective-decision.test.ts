import { describe, expect, it } from 'vitest';
import type { ApprovalState } from './approval.js';
import { approvalStanding, type Circumstances, effectiveDecisionNow } from './effective-decision.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`;
const approval = (state: ApprovalState, grantExpiresAt: string | null = at(30)) => ({
  state,
  expiresAt: at(10),
  grantExpiresAt,
  bundleDigest: DIGEST,
  decisions: [{ approver: 'olga', decision: 'grant' as const, at: at(3), signed: true, groups: ['sre'], reason: null }],
});
const circumstances = (more: Partial<Circumstances> = {}): Circumstances => ({
  now: at(5),
  bundleDigest: DIGEST,
  adapterRegistered: true,
  approvers: ['olga', 'carol'],
  mandateExpiresAt: undefined,
  ...more,
});
const asked = { enforced: true, effective_decision: 'REQUIRE_APPROVAL' } as const;

describe('an approval', () => {
  it('is pending up to its last millisecond, and expired from then on, recorded or not', () => {
    expect(approvalStanding(approval('pending'), circumstances({ now: '2026-01-02T03:04:09.999Z' }))).toBe('pending');
    expect(approvalStanding(approval('pending'), circumstances({ now: at(10) }))).toBe('expired');
    expect(approvalStanding(approval('expired'), circumstances())).toBe('expired');
  });

  it('is granted while the circumstances hold that it was granted in', () => {
    expect(approvalStanding(approval('granted'), circumstances({ now: at(29) }))).toBe('granted');
    expect(approvalStanding(approval('granted', null), circumstances({ now: at(59) }))).toBe('granted');
    expect(approvalStanding(approval('granted'), circumstances({ mandateExpiresAt: at(6) }))).toBe('granted');
  });

  it.each<[string, Partial<Circumstances>]>([
    ['its time is over', { now: at(30) }],
    ['another bundle decides', { bundleDigest: `sha256:${'b'.repeat(64)}` }],
    ['no bundle decides', { bundleDigest: undefined }],
    ['the adapter is gone', { adapterRegistered: false }],
    ['an approver is gone', { approvers: ['carol'] }],
    ['the mandate has ended', { mandateExpiresAt: at(5) }],
  ])('has lapsed when %s', (_, more) => {
    expect(approvalStanding(approval('granted'), circumstances(more))).toBe('lapsed');
  });

  it.each(['rejected', 'cancelled', 'consumed'] as const)('stays %s', (state) => {
    expect(approvalStanding(approval(state), circumstances({ now: at(59) }))).toBe(state);
  });
});

describe('the effective decision', () => {
  it('follows the approval where one was asked for', () => {
    expect(effectiveDecisionNow(asked, 'pending')).toBe('REQUIRE_APPROVAL');
    expect(effectiveDecisionNow(asked, 'granted')).toBe('ALLOW');
    for (const standing of ['rejected', 'expired', 'cancelled', 'consumed', 'lapsed', undefined] as const)
      expect(effectiveDecisionNow(asked, standing)).toBe('DENY');
  });

  it('is what was answered where none was asked for', () => {
    expect(effectiveDecisionNow({ enforced: true, effective_decision: 'ALLOW' }, undefined)).toBe('ALLOW');
    expect(effectiveDecisionNow({ enforced: true, effective_decision: 'DENY' }, undefined)).toBe('DENY');
  });

  it('stays ALLOW in shadow mode, whatever became of the approval (gate/service.7)', () => {
    for (const standing of ['pending', 'rejected', 'expired', 'granted'] as const)
      expect(effectiveDecisionNow({ enforced: false, effective_decision: 'ALLOW' }, standing)).toBe('ALLOW');
  });
});
