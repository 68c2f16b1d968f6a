import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { HEAD, policyFile, removeBundles, writeBundle } from '../../policy/bundle-files.test-support.js';
import { explain } from '../explain.js';
import { AT, bundleOf, noEvaluator, PROPOSAL } from '../verdict.test-support.js';
import { coverageOf } from './coverage.js';
import { loadBundle } from './load-bundle.js';

afterAll(removeBundles);

const testsFile = (...tests: object[]) => ({ apiVersion: 'bylaw.dev/v1', kind: 'PolicyTests', base: PROPOSAL, tests });
const test = (expected: object, more: object = {}) => ({ name: 'a test', input: {}, expect: expected, ...more });

async function failuresOf(...tests: object[]): Promise<string[]> {
  const files = {
    'bundle.yaml': HEAD,
    'policies/a.yaml': policyFile('a', { obligations: [{ type: 'ticket' }] }),
    'policies/g.yaml': policyFile('g', {
      effect: 'deny',
      when: 'governance.present && governance.findings.exists(f, f.title == "" && f.severity == "HIGH")',
    }),
    'tests/a.yaml': testsFile(...tests),
  };
  const { bundle, errors } = await loadBundle(await writeBundle(files));
  expect(bundle === undefined).toBe(errors.length > 0);
  return errors.map(({ message, location }) => `${location?.line}: ${message}`);
}

describe('the tests that a bundle ships', () => {
  const manifests = { action: { parameters: { manifests: [{}] } } };

  it.each<[string, object]>([
    ['the decision', test({ decision: 'ALLOW' })],
    ['everything', test({ decision: 'ALLOW', policies: ['a'], drafts: [], reasons: ['AG-POL-022'], obligations: ['a/0'] })],
    [
      'findings',
      test(
        { decision: 'DENY', policies: ['g', 'a'] },
        { input: manifests, governance: { score: 10, findings: [{ rule_id: 'X-1', severity: 'HIGH' }] } },
      ),
    ],
    ['a good score', test({ decision: 'ALLOW' }, { input: manifests, governance: { score: 100 } })],
  ])('let it load when they pass: %s', async (_, one) => {
    expect(await failuresOf(one)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['the decision', test({ decision: 'DENY' }), 'The decision is ALLOW, not DENY: AG-POL-022 a.'],
    ['the policies', test({ decision: 'ALLOW', policies: ['b'] }), 'The policies that match are a, not b.'],
    ['the drafts', test({ decision: 'ALLOW', drafts: ['b'] }), 'The drafts that match are none, not b.'],
    ['the reasons', test({ decision: 'ALLOW', reasons: ['AG-POL-020'] }), 'The reasons are AG-POL-022, not AG-POL-020.'],
    ['the obligations', test({ decision: 'ALLOW', obligations: [] }), 'The obligations are a/0, not none.'],
    [
      'an input that is none',
      test({ decision: 'ALLOW' }, { input: { environment: 5 } }),
      'The input is not valid: /environment must be string.',
    ],
    [
      'an input over the bounds',
      test({ decision: 'ALLOW' }, { input: { justification: 'x'.repeat(9000) } }),
      'The input cannot be read. A string is longer than 8192 bytes.',
    ],
    [
      'manifests without a word on them',
      test({ decision: 'ALLOW' }, { input: manifests }),
      'The input has manifests. Define the result of the rule engine for them under `governance`.',
    ],
  ])('keep it from loading when one fails: %s', async (_, one, message) => {
    expect(await failuresOf(one)).toEqual([`1: The test “a test” fails. ${message}`]);
  });
});

describe('loading', () => {
  it('never throws, whatever the files are', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.json(),
      fc.constantFrom('- a', '{', '? a', '!!binary x', '%YAML 1.1\n---\na', '"\\ud800"'),
    );
    const names = fc.constantFrom(
      'bundle.yaml',
      'policies/a.yaml',
      'tests/a.yaml',
      'trust/issuers.yaml',
      'trust/revoked.yaml',
      'masking.yaml',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, text), async (files) => {
        const { bundle, errors } = await loadBundle(await writeBundle(files));
        expect(bundle === undefined).toBe(errors.length > 0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the coverage of the tests', () => {
  it('counts both outcomes of every policy', async () => {
    const bundle = await bundleOf(
      {
        conditional: { when: 'proposal.environment == "staging"' },
        matching: { match: { environments: ['production'] } },
        everything: { effect: 'deny' },
        elsewhere: { match: { environments: ['dev'] }, when: 'proposal.id == "p-1"' },
      },
      {},
      { 'tests/a.yaml': testsFile(test({ decision: 'DENY' }), test({ decision: 'DENY' }, { input: { environment: 'staging' } })) },
    );
    expect(await coverageOf(bundle)).toEqual({
      percent: 71,
      policies: [
        { id: 'conditional', matched: true, unmatched: true },
        { id: 'elsewhere', matched: false, unmatched: false },
        { id: 'everything', matched: true, unmatched: null },
        { id: 'matching', matched: true, unmatched: true },
      ],
    });
  });
});

describe('an explanation', () => {
  it('tells of every policy which part of it does not fit', async () => {
    const bundle = await bundleOf({
      a: { match: { environments: ['staging'], actions: ['helm.**'] }, when: 'true' },
      b: {
        when: 'proposal.environment == "production" && (has(proposal.action.cost) && proposal.action.cost.amount > 5) && !mandate.valid',
      },
      c: { stage: 'draft', effect: 'deny' },
    });
    const traces = await explain({ proposal: PROPOSAL, at: AT }, bundle, noEvaluator);
    expect(traces).toEqual([
      { id: 'a', title: 'The policy a', stage: 'active', effect: 'allow', misses: ['actions', 'environments'], condition: null, parts: [] },
      {
        id: 'b',
        title: 'The policy b',
        stage: 'active',
        effect: 'allow',
        misses: [],
        condition: false,
        parts: [
          { source: 'proposal.environment == "production"', value: true },
          { source: 'has(proposal.action.cost)', value: false },
          { source: 'proposal.action.cost.amount > 5', value: 'error', error: 'No such key: cost' },
          { source: '!mandate.valid', value: true },
        ],
      },
      { id: 'c', title: 'The policy c', stage: 'draft', effect: 'deny', misses: [], condition: true, parts: [] },
    ]);
  });
});
