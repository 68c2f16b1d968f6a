import { describe, expect, it } from 'vitest';
import type { RuleDetail, RuleEdit } from '../rule/index.js';
import { runEdits } from './example-edits.js';
import { newCatalogue, newRule } from './rules.test-support.js';

const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [], ...spec } });
const examples = [{ fail: pod({ a: 1 }) }, { pass: pod({}) }, { fail: [pod({ a: 1, b: 1 }), pod({})] }];

function results(edit: RuleEdit | undefined, others: RuleDetail[] = [], expression = '!podSpec.?a.hasValue()') {
  const rule = { ...newRule('ORG-001', expression, edit, { path: '/spec/a' }), examples };
  const catalogue = newCatalogue([rule, ...others]);
  return runEdits(catalogue, [rule], catalogue.rules).map(({ example, problem }) => `${example}: ${problem ?? 'mended'}`);
}

describe('the edit of a rule, tried on its examples', () => {
  it('mends those that fail', () => {
    expect(results({ remove: ['/spec/a'] })).toEqual(['0: mended', '2: mended']);
  });

  it('need not be safe everywhere, but somewhere', () => {
    expect(results({ when: 'podSpec.?b.hasValue()', remove: ['/spec/a'] })).toEqual(['0: mended', '2: mended']);
    expect(results({ when: 'false', remove: ['/spec/a'] })).toEqual(['0: neither this example nor any other is fixed', '2: mended']);
  });

  it('is wrong where the finding stays, the place is another, or another rule fails', () => {
    expect(results({ remove: ['/spec/b'] })).toEqual([
      '0: the finding at /spec/a remains: the fix changes nothing here',
      '2: the finding at /spec/a remains: the finding would remain',
    ]);
    expect(results({ set: { '/spec/a/x': 1 } })[0]).toContain('is not what the fix expects');
    expect(results({ remove: ['/spec/a'] }, [newRule('ORG-002', 'podSpec.?a.hasValue()', undefined)])[0]).toContain(
      'ORG-002 would then fail',
    );
  });

  it('is not looked for in rules that have none', () => {
    expect(results(undefined)).toEqual([]);
  });
});
