import { describe, expect, it } from 'vitest';
import { denialOf, pendingText, undecided } from './decision-text.js';

const answer = {
  verdict: {
    reasons: [
      { code: 'AG-POL-021', policy: 'ask', message: 'Production needs two approvers.' },
      { code: 'AG-BDG-001', message: 'x' },
    ],
  },
  effective_decision: 'REQUIRE_APPROVAL' as const,
  evidence_ref: '5',
  approval: 'apr_1',
};

describe('what `bylaw run` says of a decision', () => {
  it('names the approval, the reasons as `bylaw propose` words them, and how to grant it', () => {
    expect(pendingText(answer, false)).toBe(`This needs the approval apr_1.
  AG-POL-021 ask: Production needs two approvers.
  AG-BDG-001: x
  An approver grants it:  bylaw approvals grant apr_1 --as NAME --key FILE`);
  });

  it('asks for the name of another person in dev mode, where no key is needed', () => {
    expect(pendingText(answer, true)).toMatch(/ bylaw approvals grant apr_1 --dev --as NAME$/);
  });

  it('shows nothing that could move the cursor or imitate a line, and survives any form', () => {
    const hostile = { reasons: [{ code: '\u001b[2J', message: 'a\nALLOW' }, 7, null] };
    const { text } = denialOf({ ...answer, verdict: hostile, effective_decision: 'DENY' });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').filter((line) => line.startsWith('ALLOW'))).toEqual([]);
    expect(denialOf({ ...answer, verdict: 'none', effective_decision: 'DENY' }).text).toBe('The gate denies this.');
  });

  it('says which address does not answer, and what helps against a refusal', () => {
    const request = { proposalId: 'p-1', url: 'http://127.0.0.1:8000' };
    expect(undecided({ kind: 'unavailable', last: 'no answer', unknown: true }, request)).toEqual({
      exit: 13,
      text: 'No decision: http://127.0.0.1:8000 does not answer. Start the gate with `bylaw serve`, or pass its URL with --server.',
    });
    expect(undecided({ kind: 'refused', status: 401, code: 'AG-IDN-001' }, request)).toEqual({
      exit: 12,
      text: 'The gate refused the request with status 401 (AG-IDN-001). Pass the adapter with --adapter, or set SVC_ADAPTER_ID.',
    });
  });
});
