import { describe, expect, it } from 'vitest';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import type { StoredApproval } from '../../store/index.js';
import { approverHint } from './approver-hint.js';

const keys = { carol: signerFromPem(newKeyPem()).publicKey, dan: signerFromPem(newKeyPem()).publicKey };
const approvers = [
  { id: 'carol', public_key: keys.carol, groups: ['sre'] },
  { id: 'dan', public_key: keys.dan, groups: ['sre', 'dba'] },
  { id: 'erin', public_key: signerFromPem(newKeyPem()).publicKey, groups: ['finance'] },
  { id: 'ann', public_key: signerFromPem(newKeyPem()).publicKey, groups: ['sre'] },
];

// What the rules look at; the other members do not matter here.
const approval = {
  id: 'apr_1',
  proposalId: 'p-1',
  state: 'pending',
  need: { groups: ['sre'], quorum: 1, ttl_seconds: 600, grant_ttl_seconds: 600 },
  principal: 'ann',
  agent: null,
  decisions: [],
  expiresAt: '2026-01-02T04:00:00.000Z',
  bundleDigest: 'sha256:1',
  inputDigest: 'sha256:2',
} as unknown as StoredApproval;

const decided = (approver: string) =>
  ({ approver, decision: 'grant', reason: null, at: '2026-01-02T03:00:00.000Z', signature: null }) as const;
const rules = { chainId: 'c', approvers, allowUnsigned: false, bundleDigest: 'sha256:1' };

describe('the hint for a refused approver', () => {
  it('names the nearest approver, and those who can decide: in a required group, and not the principal', () => {
    expect(approverHint(approval, decided('carl'), rules)).toBe(
      'Did you mean carol? Approvers who can grant it: carol (sre), dan (sre, dba).',
    );
  });

  it('names everybody but the principal for a rejection, which needs no group', () => {
    expect(approverHint(approval, { ...decided('x'), decision: 'reject' }, rules)).toContain(
      'Approvers who can reject it: carol (sre), dan (sre, dba), erin (finance).',
    );
  });

  it('says whose key it is', () => {
    expect(approverHint(approval, decided('carol'), rules, keys.dan)).toMatch(/^This is the key of dan\. Approvers/);
  });

  it('asks for a key where none was given and none can be left out', () => {
    expect(approverHint(approval, decided('carol'), rules)).toMatch(/^Sign the decision with the key of the approver: --key FILE\. /);
  });

  it('says that nobody can decide, or that nobody is configured', () => {
    const onlyErin = { ...rules, approvers: approvers.filter(({ id }) => id === 'erin') };
    expect(approverHint(approval, decided('zoe'), onlyErin)).toBe('No configured approver can grant it.');
    expect(approverHint(approval, decided('zoe'), { ...rules, approvers: [] })).toContain('bylaw approvals key FILE');
  });
});
