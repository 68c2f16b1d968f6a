import { describe, expect, it } from 'vitest';
import { answerText, sixMembers, undecidedText } from './answer-text.js';

const answered = { proposalId: 'p-1', dev: false, url: 'http://127.0.0.1:8000' };

const verdict = {
  decision: 'REQUIRE_APPROVAL',
  reasons: [{ code: 'AG-POL-021', policy: 'ask', message: 'Production needs two approvers.' }],
  obligations: [{ type: 'ticket', id: 'ask/0' }],
  draft_matches: [{ id: 'stricter', effect: 'deny' }],
  approval: { groups: ['sre', 'dba'], quorum: 2 },
  bundle: { id: 'acme', version: '3.2.0', digest: 'sha256:0' },
};

const asked = {
  verdict,
  enforced: true,
  effective_decision: 'REQUIRE_APPROVAL' as const,
  evidence_ref: '5',
  evidence_seq: [4, 5],
  approval: 'apr_1',
};

describe('an answer for people', () => {
  it('says the decision first, then why, what else is needed, who approves, and where it is recorded', () => {
    expect(answerText(asked, answered)).toBe(`REQUIRE_APPROVAL
  AG-POL-021 ask: Production needs two approvers.
Obligations: ticket (ask/0)
Draft policies that match: stricter (deny)
Approval: apr_1, 2 approvers from sre and dba
  An approver grants it:  bylaw approvals grant apr_1 --as NAME --key FILE
  Wait for the decision:  bylaw wait p-1
Evidence: record 5, decided by the bundle acme 3.2.0
`);
  });

  it('names commands that work on the store of dev mode if the server is in dev mode', () => {
    const text = answerText(asked, { ...answered, dev: true });
    expect(text).toContain('bylaw approvals grant apr_1 --dev --as NAME\n');
    expect(text).toContain('bylaw wait p-1 --dev\n');
  });

  it('says that the verdict does not count in shadow mode, and asks nobody to approve', () => {
    const text = answerText({ ...asked, enforced: false, effective_decision: 'ALLOW' }, answered);
    expect(text).toMatch(/^ALLOW \(shadow mode; the verdict is REQUIRE_APPROVAL\)\n/);
    expect(text).not.toContain('bylaw approvals grant');
  });

  it('says what became of the approval once it is decided', () => {
    const granted = { ...asked, effective_decision: 'ALLOW' as const, approval_status: { state: 'granted' } };
    expect(answerText(granted, answered)).toMatch(/^ALLOW \(the approval is granted\)\n/);
    const rejected = { ...asked, effective_decision: 'DENY' as const, approval_status: { state: 'rejected' } };
    expect(answerText(rejected, answered)).toMatch(/^DENY \(the approval is rejected\)\n/);
  });

  it('says of an entry that has no number yet that it has none', () => {
    const text = answerText({ ...asked, evidence_ref: 'ob_1', evidence_seq: [0, 0] }, answered);
    expect(text).toContain('Evidence: ob_1 (not numbered yet), decided by');
  });

  it('shows nothing that could move the cursor or imitate a line, and survives any form', () => {
    const hostile = { reasons: [{ code: '\u001b[2J', message: 'a\nALLOW' }, 7, null], obligations: 'x', bundle: [] };
    const text = answerText({ ...asked, verdict: hostile, approval: 'apr\u001b[1A', evidence_seq: null }, answered);
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').filter((line) => line.startsWith('ALLOW'))).toEqual([]);
  });
});

describe('an answer for programs', () => {
  it('has the six members of the specification, whatever else a recovered answer has', () => {
    const recovered = { ...asked, effective_decision_now: 'ALLOW', proposal: {}, results: [] };
    expect(sixMembers(recovered)).toEqual(asked);
    expect(Object.keys(sixMembers(recovered))).toHaveLength(6);
  });
});

describe('no decision', () => {
  it.each([
    [
      { kind: 'unavailable' as const, last: 'no answer', unknown: true },
      'No decision: http://127.0.0.1:8000 does not answer. Start the gate with `bylaw serve`, or pass its URL with --server. Then run the same command again: the gate decides a proposal only once.',
    ],
    [
      { kind: 'unavailable' as const, last: 'AG-EVD-002 (status 503)', unknown: false },
      'The gate did not decide: AG-EVD-002 (status 503).',
    ],
    [
      { kind: 'refused' as const, status: 409, code: 'AG-RPL-001' },
      'The gate refused the request with status 409 (AG-RPL-001). The proposal id p-1 has already been used. Choose a new id for a new action.',
    ],
    [{ kind: 'refused' as const, status: 422, code: undefined }, 'The gate refused the request with status 422.'],
  ])('%j says what helps', (submission, text) => {
    expect(undecidedText(submission, answered)).toBe(text);
  });
});
