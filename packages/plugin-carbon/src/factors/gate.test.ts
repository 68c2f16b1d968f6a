import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Candidate, converted, gate, type Rejection } from './gate.js';

const candidate = (subject: string, values: (number | null)[], more: Partial<Candidate> = {}): Candidate => ({
  subject,
  source: 'list',
  year: 2026,
  unit: 'W',
  wanted: 'W',
  values,
  ...more,
});
const rulesOf = (...candidates: Candidate[]) => gate(candidates, []).rejected.map(({ subject, rule }) => `${subject}: ${rule}`);

describe('the gate for factors', () => {
  it('lets through what is in its unit, near to its family, rising, and has a source', () => {
    const all = [candidate('a', [1, 2, 3]), candidate('b', [1, 1, 4], { family: 'f' }), candidate('c', [2, 2, 5], { family: 'f' })];
    expect(gate(all, [])).toEqual({ passed: all, rejected: [] });
  });

  it.each([
    ['source', candidate('a', [1], { source: '' }), 'no-source'],
    ['year', candidate('a', [1], { year: null }), 'no-source'],
    ['value', candidate('a', [1, null]), 'no-value'],
    ['unit', candidate('a', [1], { unit: 't', wanted: 'kg' }), 'unit'],
    ['positive value', candidate('a', [0, 1]), 'not-a-number'],
    ['number', candidate('a', [Number.NaN]), 'not-a-number'],
    ['rising curve', candidate('a', [2, 1]), 'not-monotone'],
  ])('refuses what has no %s', (_, one, rule) => {
    expect(rulesOf(one)).toEqual([`a: ${rule}`]);
  });

  it('measures a family by its median, and by what was reviewed where there is any', () => {
    const family = [1, 1.2, 2.4].map((value, index) => candidate(`r${index}`, [value], { family: 'f', reviewed: true }));
    const fresh = [3.1, 30, 31, 32, 33].map((value, index) => candidate(`n${index}`, [value], { family: 'f' }));
    expect(rulesOf(...family, ...fresh)).toEqual([0, 1, 2, 3, 4].map((index) => `n${index}: out-of-family`));
    expect(rulesOf(candidate('big', [100], { family: 'g', scale: 10 }), candidate('small', [11], { family: 'g' }))).toEqual([]);
  });

  it('refuses the figures of one processor as those of another', () => {
    const copies = ['EPYC', 'Graviton'].map((subject) => candidate(subject, [0.47, 1.69], { family: 'f', distinct: true }));
    expect(rulesOf(...copies)).toEqual(['Graviton: copied']);
  });

  it('lets a reviewed exception pass its rule, and no other', () => {
    const one = candidate('a/b', [2, 1], { unit: 't', wanted: 'kg' });
    const exception = { subject: 'a/*', source: 'list', rule: 'unit' as const, reason: 'looked at' };
    expect(gate([one], [exception]).rejected).toEqual([{ subject: 'a/b', source: 'list', rule: 'not-monotone' }]);
    expect(converted(one)).toEqual([2000, 1000]);
    expect(converted(candidate('a', [1], { unit: 'W', wanted: 'kg' }))).toBeUndefined();
  });
});

describe('what was not imported', () => {
  const rejected = JSON.parse(readFileSync(new URL('../../data/rejected.json', import.meta.url), 'utf8')) as Rejection[]; // our own file
  const of = (rule: string, prefix: string) =>
    rejected.filter((rejection) => rejection.rule === rule && rejection.subject.startsWith(prefix));

  it('has the faults of the refresh of 2026', () => {
    expect(of('out-of-family', 'aws/architecture/').map(({ subject }) => subject)).toEqual(['aws/architecture/EPYC 5th Gen']);
    expect(of('copied', 'aws/architecture/')).toHaveLength(4);
    expect(of('no-value', 'aws/embodied-2026/')).toHaveLength(392);
    expect(of('out-of-family', 'gcp/embodied-2026/').length).toBeGreaterThan(300);
  });

  it('would have the tonnes that are called otherwise, had nobody looked at them', () => {
    const exceptions = JSON.parse(readFileSync(new URL('../../data/exceptions.json', import.meta.url), 'utf8')) as object[]; // our own file
    expect(exceptions).toContainEqual(expect.objectContaining({ rule: 'unit', subject: 'aws/embodied-2026/*' }));
  });
});
