import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signerFromSeed } from '../keys/index.js';
import {
  type ApprovalRules,
  type Approver,
  type ApproverDecision,
  ruleOnApproval,
  type StoredApproval,
  statementOf,
  statementText,
} from './index.js';

const signers = new Map(['carol', 'dave', 'erin', 'frank'].map((id, index) => [id, signerFromSeed(new Uint8Array(32).fill(index + 1))]));
const GROUPS: { [id: string]: string[] } = { carol: ['sre'], dave: ['sre', 'security'], erin: ['security'], frank: ['finance'] };
const approvers: Approver[] = [...signers].map(([id, { publicKey }]) => ({ id, public_key: publicKey, groups: GROUPS[id] ?? [] }));

const RULES: ApprovalRules = { chainId: 'c-1', approvers, allowUnsigned: false, bundleDigest: 'sha256:b' };
const AT = '2026-01-02T03:04:05.000Z';

function approval(more: Partial<StoredApproval> = {}, need: Partial<StoredApproval['need']> = {}): StoredApproval {
  return {
    id: 'apr_1',
    proposalId: 'p-1',
    state: 'pending',
    need: { groups: ['sre'], quorum: 1, ttl_seconds: 3600, grant_ttl_seconds: 900, ...need },
    shadow: false,
    inputDigest: 'sha256:i',
    bundleDigest: 'sha256:b',
    adapter: 'ci',
    principal: 'alice',
    agent: 'bot',
    requestedAt: '2026-01-02T03:00:00.000Z',
    expiresAt: '2026-01-02T04:00:00.000Z',
    grantExpiresAt: null,
    decisions: [],
    ...more,
  };
}

function decided(on: StoredApproval, approver: string, more: Partial<ApproverDecision> = {}): ApproverDecision {
  const unsigned = { approver, decision: 'grant', reason: null, at: AT, ...more } as const;
  const signature = signers.get(approver)?.sign(statementText(statementOf(on, RULES.chainId, unsigned))) ?? null;
  return { ...unsigned, signature, ...more };
}

const granted = (approver: string) =>
  ({ approver, decision: 'grant', at: AT, signed: true, reason: null, groups: GROUPS[approver] ?? [] }) as const;

describe('a decision of an approver', () => {
  it('grants when one of one group is enough, and the grant has an end', () => {
    expect(ruleOnApproval(approval(), decided(approval(), 'carol'), RULES)).toEqual({
      expect: 'pending',
      expectDecisions: 0,
      next: 'granted',
      event: 'granted',
      approverKey: signers.get('carol')?.publicKey,
      approverGroups: ['sre'],
      grantExpiresAt: '2026-01-02T03:19:05.000Z',
    });
  });

  it('waits for the quorum of every group', () => {
    const two = approval({}, { groups: ['sre', 'security'], quorum: 2 });
    expect(ruleOnApproval(two, decided(two, 'carol'), RULES)).toMatchObject({ next: 'pending', expectDecisions: 0 });
    const later = { ...two, decisions: [granted('carol'), granted('dave')] };
    expect(ruleOnApproval(later, decided(later, 'erin'), RULES)).toMatchObject({ next: 'granted', expectDecisions: 2 });
  });

  it('rejects for all, once and for good', () => {
    const two = approval({}, { quorum: 2 });
    expect(ruleOnApproval(two, decided(two, 'carol', { decision: 'reject' }), RULES)).toMatchObject({
      next: 'rejected',
      event: 'rejected',
    });
  });

  it.each<[string, Partial<StoredApproval>, string, Partial<ApproverDecision>, Partial<ApprovalRules>, string]>([
    ['somebody unknown', {}, 'mallory', {}, {}, 'AG-APR-004'],
    ['another group', {}, 'frank', {}, {}, 'AG-APR-007'],
    ['no signature', {}, 'carol', { signature: null }, {}, 'AG-APR-004'],
    ['a signature of another', {}, 'carol', { signature: decided(approval(), 'dave').signature }, {}, 'AG-APR-004'],
    [
      'a signature under another decision',
      {},
      'carol',
      { signature: decided(approval(), 'carol', { decision: 'reject' }).signature },
      {},
      'AG-APR-004',
    ],
    ['a signature for another chain', {}, 'carol', {}, { chainId: 'c-2' }, 'AG-APR-004'],
    ['the principal', { principal: 'carol' }, 'carol', {}, {}, 'AG-APR-003'],
    ['the agent', { agent: 'carol' }, 'carol', {}, {}, 'AG-APR-003'],
    ['the principal in other letters', { principal: 'ＣAROL' }, 'carol', {}, {}, 'AG-APR-003'],
    [
      'the principal under an alias',
      { principal: 'Carol@Example.com' },
      'carol',
      {},
      { approvers: approvers.map((one) => ({ ...one, principals: [`${one.id}@example.com`] })) },
      'AG-APR-003',
    ],
    ['a quorum with somebody who was removed', { decisions: [granted('gone')] }, 'carol', {}, {}, 'AG-APR-005'],
    ['an erased proposal', { principal: null }, 'carol', {}, {}, 'AG-APR-002'],
    ['an approval that was rejected', { state: 'rejected' }, 'carol', {}, {}, 'AG-APR-002'],
    ['somebody who has decided', { decisions: [granted('carol')] }, 'carol', {}, {}, 'AG-APR-002'],
    ['the last instant', { expiresAt: AT }, 'carol', {}, {}, 'AG-APR-006'],
    ['other policies', {}, 'carol', {}, { bundleDigest: 'sha256:c' }, 'AG-APR-005'],
    ['no policies', {}, 'carol', {}, { bundleDigest: undefined }, 'AG-APR-005'],
  ])('is refused for %s', (_, more, approver, decision, rules, code) => {
    const on = approval(more);
    expect(ruleOnApproval(on, decided(on, approver, decision), { ...RULES, ...rules })).toMatchObject({ code });
  });

  it('may be unsigned only where that is allowed', () => {
    const on = approval();
    expect(ruleOnApproval(on, decided(on, 'carol', { signature: null }), { ...RULES, allowUnsigned: true })).toMatchObject({
      next: 'granted',
    });
  });

  it('never completes a grant without the quorum of different people in each group', () => {
    const names = fc.subarray(['carol', 'dave', 'erin', 'frank']);
    const groups = fc.subarray(['sre', 'security', 'finance'], { minLength: 1 });
    fc.assert(
      fc.property(
        names,
        fc.constantFrom('carol', 'dave', 'erin', 'frank'),
        groups,
        fc.integer({ min: 1, max: 3 }),
        (earlier, last, asked, quorum) => {
          const on = approval({ decisions: earlier.map(granted) }, { groups: asked, quorum });
          const ruling = ruleOnApproval(on, decided(on, last), RULES);
          const people = new Set([...earlier, last]);
          const enough = asked.every((group) => [...people].filter((id) => GROUPS[id]?.includes(group)).length >= quorum);
          if ('next' in ruling) expect(ruling.next === 'granted').toBe(enough);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
