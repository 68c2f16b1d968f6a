import { describe, expect, it } from 'vitest';
import { describeRule } from './describe-rule.js';
import { policyRule } from './policy-rule.js';

describe('a rule in words', () => {
  it.each([
    [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }, 'get, list secrets'],
    [{ apiGroups: ['apps', ''], resources: ['deployments', 'pods'], verbs: ['*'] }, 'every verb on deployments, pods of apps, core'],
    [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, 'every verb on every resource of every group'],
    [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a', 'b'] }, 'get secrets named a, b'],
    [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }, 'get /metrics'],
    [{ nonResourceURLs: ['*'], verbs: ['*'] }, 'every verb on every URL'],
    [
      { apiGroups: [''], resources: Array.from({ length: 10 }, (_, index) => `r${index}`), verbs: ['get'] },
      'get r0, r1, r2, r3, r4, r5, r6, r7 and 2 more',
    ],
    [{ apiGroups: [''], resources: [`a\u001b[31m${'b'.repeat(100)}`], verbs: ['get'] }, `get a${'b'.repeat(57)}…`],
    [{}, 'nothing'],
  ])('%j', (rule, words) => {
    expect(describeRule(policyRule(rule))).toBe(words);
  });
});
