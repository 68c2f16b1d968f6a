import { describe, expect, it } from 'vitest';
import { type Decided, ruleOnResult } from './result-rules.js';

const GRANTED: Decided = {
  reportedBy: 'ci',
  class: 'enforcing',
  effectiveDecision: 'REQUIRE_APPROVAL',
  approval: { state: 'granted', grantExpiresAt: '2026-01-02T03:30:00.000Z' },
};

describe('an action that needed an approval', () => {
  it.each([
    ['began under the grant and took long', '2026-01-02T03:29:59.999Z', false],
    ['began after the grant was over', '2026-01-02T03:30:00.000Z', true],
    ['says nothing of its beginning', undefined, true],
    ['says that it has not begun yet', '2026-01-02T05:00:00.000Z', true],
  ])('that %s, reported after the grant', (_, started, contradictsVerdict) => {
    const unit = {
      status: 'ok',
      bodyDigest: 'd',
      reportedBy: 'ci',
      time: '2026-01-02T04:00:00.000Z',
      report: { status: 'ok', ...(started !== undefined && { started_at: started }) },
    } as const;
    expect(ruleOnResult(GRANTED, [], unit)).toMatchObject({ kind: 'record', contradictsVerdict });
  });
});
