import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { canonical, type JsonObject } from '../../json/index.js';
import { HEAD, policyFile, removeBundles, writeBundle } from '../../policy/bundle-files.test-support.js';
import type { Bundle } from '../../policy/index.js';
import { loadBundle } from '../bundle/load-bundle.js';
import { check } from '../check.js';
import type { CheckInput } from '../check-input.js';
import { type Verdict, verdictText } from '../verdict.js';
import { AT, BUDGET, codesOf, mandateOf, noEvaluator, TRUST } from '../verdict.test-support.js';
import { CONDITIONS, type ReferenceBundle, type ReferencePolicy, referenceVerdict } from './reference.test-support.js';

const approvals = fc.record({
  groups: fc.uniqueArray(fc.constantFrom('sre', 'dba', 'cfo'), { minLength: 1, maxLength: 2 }).map((groups) => groups.sort()),
  quorum: fc.integer({ min: 1, max: 4 }),
  ttl_seconds: fc.integer({ min: 1, max: 5000 }),
  grant_ttl_seconds: fc.integer({ min: 1, max: 5000 }),
});

const policies = fc.record({
  stage: fc.constantFrom('active', 'active', 'active', 'draft'),
  effect: fc.constantFrom('allow', 'allow', 'deny', 'require_approval'),
  condition: fc.constantFrom(...Object.keys(CONDITIONS)),
  environments: fc.option(fc.uniqueArray(fc.constantFrom('production', 'prod*', 'staging', '*'), { minLength: 1, maxLength: 2 }), {
    nil: undefined,
  }),
  actions: fc.option(
    fc.uniqueArray(fc.constantFrom('kubernetes.**', 'kubernetes.*', '*.apply', '**', 'database.*'), { minLength: 1, maxLength: 2 }),
    { nil: undefined },
  ),
  mandate: fc.constantFrom(false, false, true),
  obligations: fc.array(fc.constantFrom('ticket', 'notify'), { maxLength: 2 }),
  approval: approvals,
});

const bundles: fc.Arbitrary<ReferenceBundle> = fc.record({
  default: fc.constantFrom('deny', 'allow', 'require_approval'),
  onExceed: fc.constantFrom('deny', 'require_approval'),
  approval: approvals,
  policies: fc
    .array(policies, { maxLength: 7 })
    .map((all) => all.map((policy, index): ReferencePolicy => ({ ...policy, id: `p-${index}` }) as ReferencePolicy)),
}) as fc.Arbitrary<ReferenceBundle>; // constants are strings to the compiler

const proposals = fc.record(
  {
    id: fc.constant('p-1'),
    principal: fc.record({ id: fc.constant('alice@example.com'), type: fc.constantFrom('human', 'agent') }, { requiredKeys: ['id'] }),
    agent: fc.constant({ id: 'deploy-bot' }),
    adapter: fc.constant('ci-main'),
    action: fc.record(
      {
        type: fc.constantFrom('kubernetes.apply', 'kubernetes.deployment.update', 'database.migrate', 'terraform.apply'),
        resource: fc.constantFrom('k8s://prod/shop/Deployment/web', 'postgres://orders'),
        parameters: fc.record({ n: fc.integer({ min: 0, max: 5 }), constructor: fc.constant({ a: 1 }) }, { requiredKeys: [] }),
        cost: fc.record({ unit: fc.constant('USD.cents'), amount: fc.constantFrom(0, 50, 100, 101, 2000, 2001) }),
      },
      { requiredKeys: ['type', 'resource'] },
    ),
    environment: fc.constantFrom('production', 'staging', 'dev'),
    justification: fc.string({ maxLength: 20, unit: 'grapheme' }),
  },
  { requiredKeys: ['id', 'principal', 'agent', 'action', 'environment'] },
);

const inputs = fc
  .record({ proposal: proposals, budgeted: fc.boolean(), mandate: fc.constantFrom('absent', 'valid', 'invalid') })
  .map(({ proposal, budgeted, mandate }) => ({
    status: mandate as 'absent' | 'valid' | 'invalid',
    input: {
      proposal,
      ...(budgeted && { budget: BUDGET }),
      ...(mandate === 'valid' && { mandate: WIDE }),
      ...(mandate === 'invalid' && { mandate: { ...WIDE, subject: 'mallory' } }),
      at: AT,
    } as CheckInput, // as above
  }));

const WIDE = mandateOf({ scope: { actions: ['**'], resources: ['**'], environments: ['**'] }, limits: {} });

/** @param order of the files of the policies: names that sort otherwise than the ids */
async function load(bundle: ReferenceBundle, order: (index: number) => number = (index) => index): Promise<Bundle> {
  const head = { ...HEAD, default: bundle.default, approval: bundle.approval, budget: { on_exceed: bundle.onExceed } };
  const files = bundle.policies.map((policy, index) => [`policies/${order(index)}.yaml`, fileOf(policy)] as const);
  const loaded = await loadBundle(await writeBundle({ 'bundle.yaml': head, ...TRUST, ...Object.fromEntries(files) }));
  if (loaded.bundle === undefined) throw new Error(JSON.stringify(loaded.errors));
  return loaded.bundle;
}

function fileOf({ id, stage, effect, condition, environments, actions, mandate, obligations, approval }: ReferencePolicy): object {
  const when = CONDITIONS[condition]?.cel;
  return policyFile(id, {
    stage,
    effect,
    match: { ...(environments && { environments }), ...(actions && { actions }) },
    ...(when !== undefined && { when }),
    ...(mandate && { mandate: 'required' }),
    ...(obligations.length > 0 && { obligations: obligations.map((type) => ({ type })) }),
    ...(effect === 'require_approval' && { approval }),
  });
}

const verdictOf = async (input: CheckInput, bundle: Bundle): Promise<Verdict> => (await check(input, bundle, noEvaluator)).verdict;

const withoutDigest = (verdict: Verdict) => ({ ...verdict, bundle: null });

const many = fc.array(inputs, { minLength: 40, maxLength: 40 });

/** What holds of every verdict. @param numRuns bundles for each property; each evaluates 40 proposals */
export function describeVerdicts(numRuns: number): void {
  afterAll(removeBundles);

  describe('a verdict, whatever the bundle and the proposal', () => {
    it('is what the reference interpreter says', async () => {
      await fc.assert(
        fc.asyncProperty(bundles, many, async (reference, cases) => {
          const bundle = await load(reference);
          for (const { input, status } of cases) {
            const verdict = await verdictOf(input, bundle);
            const expected = referenceVerdict(reference, { proposal: input.proposal, budget: input.budget, mandate: status });
            expect({
              decision: verdict.decision,
              codes: codesOf(verdict),
              matched: verdict.matched_policies.map(({ id, effect }) => `${id} ${effect}`),
              drafts: verdict.draft_matches.map(({ id, effect }) => `${id} ${effect}`),
              obligations: verdict.obligations.map(({ id }) => id),
              approval: verdict.approval,
            }).toEqual(expected);
          }
        }),
        { numRuns },
      );
    });

    it('has the canonical text of its members', async () => {
      await fc.assert(
        fc.asyncProperty(bundles, many, async (reference, cases) => {
          const bundle = await load(reference);
          for (const { input } of cases) {
            const { verdict, texts } = await check(input, bundle, noEvaluator);
            expect(texts.verdict.text).toBe(verdictText(verdict));
          }
        }),
        { numRuns },
      );
    });

    it('is the same for the same input, also after a round trip through JSON with its members in another order', async () => {
      await fc.assert(
        fc.asyncProperty(bundles, many, async (reference, cases) => {
          const bundle = await load(reference);
          for (const { input } of cases) {
            const [first, second] = [await check(input, bundle, noEvaluator), await check(reordered(input), bundle, noEvaluator)];
            expect(canonical(asJson(second.verdict))).toBe(canonical(asJson(first.verdict)));
            expect(canonical(asJson(second.masked))).toBe(canonical(asJson(first.masked)));
          }
        }),
        { numRuns },
      );
    });

    it('does not depend on the order of the policies', async () => {
      await fc.assert(
        fc.asyncProperty(bundles, many, async (reference, cases) => {
          const [forwards, backwards] = [await load(reference), await load(reference, (index) => 100 - index)];
          for (const { input } of cases)
            expect(withoutDigest(await verdictOf(input, backwards))).toEqual(withoutDigest(await verdictOf(input, forwards)));
        }),
        { numRuns },
      );
    });

    it('never allows more once a policy that denies is added', async () => {
      await fc.assert(
        fc.asyncProperty(bundles, policies, many, async (reference, added, cases) => {
          const denying = { ...added, id: 'q', effect: 'deny', stage: 'active' } as ReferencePolicy; // as above
          const [before, after] = [await load(reference), await load({ ...reference, policies: [...reference.policies, denying] })];
          for (const { input } of cases) {
            const [old, now] = [await verdictOf(input, before), await verdictOf(input, after)];
            const spoke = [...now.matched_policies.map(({ id }) => id), ...now.reasons.map(({ policy }) => policy)].includes('q');
            expect(now.decision).toBe(spoke ? 'DENY' : old.decision);
          }
        }),
        { numRuns },
      );
    });

    it('denies whenever an active policy that denies matches', async () => {
      await fc.assert(
        fc.asyncProperty(bundles, many, async (reference, cases) => {
          const bundle = await load(reference);
          for (const { input } of cases) {
            const { decision, matched_policies } = await verdictOf(input, bundle);
            if (matched_policies.some(({ effect }) => effect === 'deny')) expect(decision).toBe('DENY');
          }
        }),
        { numRuns },
      );
    });
  });
}

function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** A copy whose members are in the opposite order. */
function reordered<T>(value: T): T {
  const turned = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member) ? Object.fromEntries(Object.entries(member).reverse()) : member,
  );
  return JSON.parse(turned) as T; // the same members
}
