import { describe, expect, it } from 'vitest';
import { adminUnit, approvalUnit, decisionUnit, resultUnit } from '../../testing/units.test-support.js';
import { type NumberedAnswer, type NumberedUnit, packAnswers, packUnits, unpackAnswers, unpackUnits } from './messages.js';
import { decisionTexts, type Unit } from './unit.js';

const time = '2026-01-02T03:04:05.678Z';

describe('messages between the threads', () => {
  it('hold units of all kinds, in the order in which they came', () => {
    const units: Unit[] = [
      decisionTexts(decisionUnit('p-1', { decision: 'ALLOW' })),
      resultUnit('p-1', { status: 'ok' }),
      decisionTexts(decisionUnit('p-2', { decision: 'REQUIRE_APPROVAL' })),
      approvalUnit('apr_1', {}),
      adminUnit({}),
      decisionTexts(decisionUnit('p-3', { decision: 'DENY' })),
    ];
    const numbered: NumberedUnit[] = units.map((unit, at) => ({ number: at + 1, unit }));
    expect(unpackUnits(structuredClone(packUnits(numbered)))).toEqual(numbered);
  });

  it('hold outcomes and failures of all kinds', () => {
    const answers: NumberedAnswer[] = [
      [1, { outcome: { ref: '2', seq: [1, 2], time } }],
      [2, { outcome: undefined }],
      [3, { outcome: { ref: '5', seq: [5, 5], time } }],
      [4, { outcome: { kind: 'unknown-proposal' } }],
      [5, { outcome: { kind: 'recorded', recorded: { ref: '6', seq: [6, 6], time }, assurance: 'self' } }],
      [6, { failure: { code: 'AG-EVD-002', message: 'full', fatal: false } }],
      [7, { outcome: { ref: '8', seq: [7, 8], time } }],
    ];
    const arrived = unpackAnswers(structuredClone(packAnswers(answers)));
    expect(arrived.toSorted(([a], [b]) => a - b)).toEqual(answers);
  });
});
