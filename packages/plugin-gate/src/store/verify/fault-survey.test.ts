import { expect, it } from 'vitest';
import { newChain } from '../../evidence/chain.test-support.js';
import type { TestChain } from '../../evidence/chain-names.test-support.js';
import { markData } from '../../evidence/index.js';
import { faultSurvey } from './fault-survey.js';

function findings(chain: TestChain) {
  const survey = faultSurvey();
  for (const record of chain.records) survey.next(record);
  return survey.findings();
}

it('lists the first 20 faults and says how many more there are', () => {
  const chain = newChain();
  const seq = chain.decide('p-1');
  for (let n = 0; n < 26; n++) chain.report('p-1', seq);
  const [, finals] = findings(chain);
  expect(finals?.faults).toHaveLength(21);
  expect(finals?.faults[0]).toBe('record 4: its proposal already had a final result');
  expect(finals?.faults[20]).toBe('and 5 more');
});

it('names the faults that the mark lists, and does not count them', () => {
  const chain = newChain({ format: 1 });
  const seq = chain.decide('p-1');
  for (let n = 0; n < 2; n++) chain.report('p-1', seq);
  expect(findings(chain)[0]?.message).toBe('The chain has format 1.');
  for (const data of markData([{ kind: 'second-final', seq: 4 }])) chain.append('admin_action', data);
  expect(findings(chain)).toEqual([
    { name: 'format', message: 'The chain has format 2.', faults: [] },
    { name: 'finals', message: 'No proposal has a second final result, except 1 known fault of an earlier version (4).', faults: [] },
    { name: 'erasures', message: 'A record explains each erasure.', faults: [] },
  ]);
});

it('finds a mark that the chain must not have', () => {
  const chain = newChain();
  for (const data of markData([])) chain.append('admin_action', data);
  expect(findings(chain)[0]?.faults).toEqual(['record 1: it states a format that does not fit the chain']);
});
