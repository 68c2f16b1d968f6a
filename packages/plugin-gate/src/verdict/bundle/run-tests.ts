import { canonical, IJsonError, type Json, parseIJson } from '../../json/index.js';
import type { Bundle, BundleTest } from '../../policy/index.js';
import { readSubmission } from '../../proposal/index.js';
import { check } from '../check.js';
import type { CheckInput, ManifestEvaluator } from '../check-input.js';
import type { Verdict } from '../verdict.js';

/** What came of a test of a bundle. */
export interface TestResult {
  test: BundleTest;
  /** What is not as expected, as sentences; empty: passed. */
  problems: string[];
}

/** Runs one test that a bundle ships. */
export async function runTest(test: BundleTest, bundle: Bundle): Promise<TestResult> {
  const input = readTestInput(test);
  if ('problems' in input) return { test, problems: input.problems };
  const { verdict } = await check(input, bundle, testEvaluator(test));
  return { test, problems: differences(test.expect, verdict) };
}

/** The input of a test, read as that of a request. */
export function readTestInput(test: BundleTest): CheckInput | { problems: string[] } {
  let value: Json;
  try {
    value = parseIJson(Buffer.from(canonical(test.input)));
  } catch (error) {
    if (error instanceof IJsonError || error instanceof RangeError) return { problems: [`The input cannot be read. ${error.message}`] };
    throw error;
  }
  const read = readSubmission(value);
  if ('errors' in read) return { problems: read.errors.map(({ path, message }) => `The input is not valid: ${path || '/'} ${message}.`) };
  const hasManifests = read.envelope.proposal.action.parameters?.['manifests'] !== undefined;
  if (hasManifests && test.governance === undefined)
    return { problems: ['The input has manifests. Define the result of the rule engine for them under `governance`.'] };
  return { ...read.envelope, at: test.at };
}

/** Tests say themselves what the rules find, so that a bundle is as good on every catalogue. */
export function testEvaluator({ governance }: BundleTest): ManifestEvaluator {
  const findings = (governance?.findings ?? []).map((finding) => ({ ...UNSAID, ...finding }));
  const rules = [...new Set(findings.map(({ rule_id }) => rule_id))].sort();
  const { score = 100, unchecked = 0, incomplete = false, unchecked_kinds = [] } = governance ?? {};
  return async () => ({ governance: { catalogue_digest: '', score, rules, unchecked, incomplete }, findings, unchecked_kinds });
}

/** What a test need not say of a finding. */
const UNSAID = {
  rule_id: '',
  category: '',
  title: '',
  status: 'fail',
  resource: { api_version: '', kind: '', namespace: null, name: '' },
  path: '',
  message: '',
  fix: '',
  frameworks: [],
};

function differences(expect: BundleTest['expect'], verdict: Verdict): string[] {
  const decision =
    expect.decision === verdict.decision
      ? []
      : [
          `The decision is ${verdict.decision}, not ${expect.decision}: ${verdict.reasons.map(({ code, policy = '' }) => `${code} ${policy}`.trim()).join(', ')}.`,
        ];
  return [
    ...decision,
    ...listDifference(
      'policies that match',
      expect.policies,
      verdict.matched_policies.map(({ id }) => id),
    ),
    ...listDifference(
      'drafts that match',
      expect.drafts,
      verdict.draft_matches.map(({ id }) => id),
    ),
    ...listDifference(
      'reasons',
      expect.reasons,
      verdict.reasons.map(({ code }) => code),
    ),
    ...listDifference(
      'obligations',
      expect.obligations,
      verdict.obligations.map(({ id }) => id),
    ),
  ];
}

function listDifference(what: string, expected: readonly string[] | undefined, found: readonly string[]): string[] {
  if (expected === undefined) return [];
  const [wanted, given] = [[...new Set(expected)].sort().join(', '), [...new Set(found)].sort().join(', ')];
  return wanted === given ? [] : [`The ${what} are ${given || 'none'}, not ${wanted || 'none'}.`];
}
