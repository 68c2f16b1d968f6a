import { describe, expect, it } from 'vitest';
import { canonical, type Writable, written } from '../../json/index.js';
import { decisionUnit } from '../testing/units.test-support.js';
import { decisionDrafts } from './unit-records.js';

describe('the records of a decision', () => {
  it.each([undefined, { replica: 'a', n: 7 }])('have the canonical text of what they say (origin %j)', (origin) => {
    const unit = decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL', parameters: { b: 1, a: 'é "quoted"' } });
    const [proposal, verdict] = decisionDrafts(unit, 3, origin);
    expect(proposal.data).toBe(canonical({ ...unit.proposal, ...(origin && { origin }) } as Writable)); // plain data
    expect(verdict.data).toBe(canonical({ ...unit.verdict, proposal_seq: 3 } as unknown as Writable)); // plain data
  });

  it.each([undefined, { replica: 'a', n: 7 }])('are the same when parts of their data were written before (origin %j)', (origin) => {
    const unit = decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL', parameters: { b: 1, a: 'é "quoted"' } });
    const texts = {
      proposal: written(unit.proposal.proposal),
      budget: written(null),
      mandate: written(null),
      verdict: written(JSON.parse(JSON.stringify(unit.verdict.verdict))),
    };
    expect(decisionDrafts({ ...unit, texts }, 3, origin)).toEqual(decisionDrafts(unit, 3, origin));
    expect(decisionDrafts({ ...unit, texts: { verdict: texts.verdict } }, 3, origin)).toEqual(decisionDrafts(unit, 3, origin));
  });
});
