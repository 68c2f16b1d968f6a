import { afterAll, describe, expect, it } from 'vitest';
import { removeBundles } from '../policy/bundle-files.test-support.js';
import type { ActionProposal, BudgetState, Mandate } from '../proposal/index.js';
import { BUDGET, bundleOf, codesOf, mandateOf, PROPOSAL, STRANGER, TRUST, verdictOf } from './verdict.test-support.js';

afterAll(removeBundles);

const costing = (amount: number, unit = 'USD.cents'): Partial<ActionProposal> => ({
  action: { ...PROPOSAL.action, cost: { unit, amount } },
});

describe('a mandate', () => {
  const trusting = () => bundleOf({ a: {} }, {}, TRUST);
  const rule = async (mandate: Mandate, proposal: Partial<ActionProposal> = {}, more: object = {}) =>
    verdictOf(await trusting(), proposal, { mandate, ...more });

  it('that covers the action is valid', async () => {
    const verdict = await rule(mandateOf());
    expect(verdict).toMatchObject({ decision: 'ALLOW', mandate: { status: 'valid', mandate_id: 'm-1' } });
  });

  it.each<[string, string, Mandate, Partial<ActionProposal>?]>([
    ['of another key', 'AG-POL-013', mandateOf({}, STRANGER)],
    ['of an unknown issuer', 'AG-POL-013', mandateOf({ issuer: 'other' })],
    ['of an unknown key', 'AG-POL-013', mandateOf({ key_id: 'k-2' })],
    ['that was changed', 'AG-POL-013', { ...mandateOf(), subject: 'mallory' }],
    ['whose signature is of another form', 'AG-POL-013', { ...mandateOf(), sig: 'A'.repeat(86) }],
    ['that was revoked', 'AG-POL-017', mandateOf({ mandate_id: 'm-lost' })],
    ['that is not yet in force', 'AG-POL-014', mandateOf({ not_before: '2026-01-02T03:04:05.679Z' })],
    ['that has expired', 'AG-POL-014', mandateOf({ expires_at: '2026-01-02T03:04:05.678Z' })],
    ['that lives too long', 'AG-POL-014', mandateOf({ expires_at: '2026-01-31T00:00:00.001Z' })],
    [
      'that ends before it begins',
      'AG-POL-014',
      mandateOf({ not_before: '2026-01-03T00:00:00.000Z', expires_at: '2026-01-01T00:00:00.000Z' }),
    ],
    ['for another principal', 'AG-POL-015', mandateOf({ subject: 'bob' })],
    ['to another agent', 'AG-POL-015', mandateOf({ delegate: 'other-bot' })],
    ['for other actions', 'AG-POL-015', mandateOf({ scope: { actions: ['helm.**'], resources: ['**'], environments: ['*'] } })],
    ['for no action', 'AG-POL-015', mandateOf({ scope: { actions: [], resources: ['**'], environments: ['*'] } })],
    ['for other resources', 'AG-POL-015', mandateOf({ scope: { actions: ['**'], resources: ['k8s://prod/*'], environments: ['*'] } })],
    ['for other environments', 'AG-POL-015', mandateOf({ scope: { actions: ['**'], resources: ['**'], environments: ['staging'] } })],
    [
      'for other adapters',
      'AG-POL-015',
      mandateOf({ scope: { actions: ['**'], resources: ['**'], environments: ['*'], adapters: ['mcp-*'] } }),
    ],
    ['for less money', 'AG-POL-016', mandateOf(), costing(5001)],
    ['for another unit', 'AG-POL-016', mandateOf(), costing(1, 'TOK')],
    ['for what can be undone', 'AG-POL-016', mandateOf({ limits: { reversible_only: true } })],
  ])('%s is not valid, and denies', async (_, code, mandate, proposal) => {
    const verdict = await rule(mandate, proposal);
    expect(verdict).toMatchObject({ decision: 'DENY', mandate: { status: 'invalid', mandate_id: mandate.mandate_id } });
    expect(codesOf(verdict)).toEqual([code]);
  });

  it('says all that is wrong with it, once its signature holds', async () => {
    const wrong = { mandate_id: 'm-lost', subject: 'bob', expires_at: '2026-01-01T00:00:00.001Z', limits: { reversible_only: true } };
    expect(codesOf(await rule(mandateOf(wrong)))).toEqual(['AG-POL-014', 'AG-POL-015', 'AG-POL-016', 'AG-POL-017']);
    expect(codesOf(await rule(mandateOf(wrong, STRANGER)))).toEqual(['AG-POL-013']);
  });

  it.each<[string, Mandate, Partial<ActionProposal>]>([
    ['the first instant', mandateOf({ not_before: '2026-01-02T03:04:05.678Z' }), {}],
    ['the last instant', mandateOf({ expires_at: '2026-01-02T03:04:05.679Z' }), {}],
    ['the longest life', mandateOf({ expires_at: '2026-01-31T00:00:00.000Z' }), {}],
    ['the highest cost', mandateOf(), costing(5000)],
    ['what can be undone', mandateOf({ limits: { reversible_only: true } }), { action: { ...PROPOSAL.action, reversible: true } }],
  ])('is valid for %s', async (_, mandate, proposal) => {
    expect((await rule(mandate, proposal)).mandate.status).toBe('valid');
  });

  it('needs an agent that it was given to', async () => {
    const { agent: _, ...without } = PROPOSAL;
    const bundle = await trusting();
    const { check } = await import('./check.js');
    const { verdict } = await check({ proposal: without, mandate: mandateOf(), at: '2026-01-02T00:00:00.000Z' }, bundle, async () => ({
      governance: { catalogue_digest: '', score: 0, rules: [], unchecked: 0, incomplete: true },
      findings: [],
      unchecked_kinds: [],
    }));
    expect(verdict.reasons.map(({ message }) => message)).toEqual(['The mandate is for a different agent.']);
  });

  it('is evaluated at the instant of the proposal, not of the clock', async () => {
    expect((await rule(mandateOf(), { requested_at: '2026-01-02T00:00:00.000Z' }, { at: '2027-01-01T00:00:00.000Z' })).mandate.status).toBe(
      'valid',
    );
  });

  it('may be what a policy demands', async () => {
    const bundle = await bundleOf({ agents: { mandate: 'required', when: 'proposal.environment == "production"' } }, {}, TRUST);
    expect(codesOf(await verdictOf(bundle))).toEqual(['AG-POL-012 agents']);
    expect((await verdictOf(bundle, {}, { mandate: mandateOf() })).decision).toBe('ALLOW');
  });

  it('shows policies nothing unless it is valid', async () => {
    const bundle = await bundleOf({ a: { effect: 'deny', when: 'has(mandate.issuer)' } }, {}, TRUST);
    expect(codesOf(await verdictOf(bundle, {}, { mandate: mandateOf({ subject: 'bob' }) }))).toEqual(['AG-POL-015']);
  });

  it('may live as long as the bundle says', async () => {
    const bundle = await bundleOf({ a: {} }, { mandate: { max_lifetime_hours: 48 } }, TRUST);
    expect((await verdictOf(bundle, {}, { mandate: mandateOf() })).mandate.status).toBe('valid');
    expect(codesOf(await verdictOf(bundle, {}, { mandate: mandateOf({ expires_at: '2026-01-03T00:00:00.001Z' }) }))).toEqual([
      'AG-POL-014',
    ]);
  });
});

describe('a budget', () => {
  const rule = async (budget: Partial<BudgetState>, proposal: Partial<ActionProposal> = {}, head: object = {}) =>
    verdictOf(await bundleOf({ a: {} }, head), proposal, { budget: { ...BUDGET, ...budget } });

  it.each<[string, Partial<BudgetState>, Partial<ActionProposal>]>([
    ['that suffices exactly', {}, costing(2000)],
    ['that an action without a cost does not touch', { spent: 9000, unit: 'TOK' }, {}],
    ['whose period begins', { period_start: '2026-01-02T03:04:05.678Z', as_of: '2026-01-02T03:04:05.678Z' }, costing(1)],
    ['that is as old as it may be', { as_of: '2026-01-02T02:59:05.678Z' }, costing(1)],
  ])('%s is within', async (_, budget, proposal) => {
    const verdict = await rule(budget, proposal);
    expect(verdict).toMatchObject({ decision: 'ALLOW', budget: { status: 'within', budget_id: 'team-shop', source: 'caller' } });
  });

  it.each<[string, string, string, Partial<BudgetState>, Partial<ActionProposal>]>([
    ['that does not suffice', 'exceeded', 'AG-POL-018', {}, costing(2001)],
    ['that is spent already', 'exceeded', 'AG-POL-018', { spent: 9001 }, {}],
    ['in another unit', 'invalid', 'AG-POL-019', {}, costing(1, 'TOK')],
    ['of a period to come', 'invalid', 'AG-POL-019', { period_start: '2026-01-02T03:04:05.679Z' }, costing(1)],
    ['of a period that is over', 'invalid', 'AG-POL-019', { period_end: '2026-01-02T03:04:05.678Z' }, costing(1)],
    ['of the future', 'invalid', 'AG-POL-019', { as_of: '2026-01-02T03:04:05.679Z' }, costing(1)],
    ['that is too old', 'invalid', 'AG-POL-019', { as_of: '2026-01-02T02:59:05.677Z' }, costing(1)],
  ])('%s is %s, and denies', async (_, status, code, budget, proposal) => {
    const verdict = await rule(budget, proposal);
    expect(verdict).toMatchObject({ decision: 'DENY', budget: { status, budget_id: 'team-shop', source: 'caller' } });
    expect(codesOf(verdict)).toEqual([code]);
  });

  const ASKING = { budget: { on_exceed: 'require_approval' }, approval: { groups: ['cfo'], quorum: 2 } };

  it('may ask for an approval when it does not suffice', async () => {
    const verdict = await rule({}, costing(2001), ASKING);
    expect(verdict).toMatchObject({ decision: 'REQUIRE_APPROVAL', approval: { groups: ['cfo'], quorum: 2 } });
    expect(codesOf(verdict)).toEqual(['AG-POL-018']);
  });

  it('never asks for an approval of a statement that cannot be used', async () => {
    expect((await rule({}, costing(1, 'TOK'), ASKING)).decision).toBe('DENY');
  });

  it('that asks for an approval allows nothing that no policy allows', async () => {
    const bundle = await bundleOf({ a: { when: 'false' } }, ASKING);
    const verdict = await verdictOf(bundle, costing(2001), { budget: BUDGET });
    expect([verdict.decision, codesOf(verdict)]).toEqual(['DENY', ['AG-POL-010']]);
  });

  it('asks besides the policies that ask', async () => {
    const bundle = await bundleOf({ a: { effect: 'require_approval', approval: { groups: ['sre'] } } }, ASKING);
    const verdict = await verdictOf(bundle, costing(2001), { budget: BUDGET });
    expect(verdict).toMatchObject({ decision: 'REQUIRE_APPROVAL', approval: { groups: ['cfo', 'sre'], quorum: 2 } });
    expect(codesOf(verdict)).toEqual(['AG-POL-018', 'AG-POL-021 a']);
  });

  it('may be as old as the bundle says', async () => {
    const head = { budget: { max_age_seconds: 0 } };
    expect((await rule({ as_of: '2026-01-02T03:04:05.678Z' }, {}, head)).budget.status).toBe('within');
    expect((await rule({ as_of: '2026-01-02T03:04:05.677Z' }, {}, head)).budget.status).toBe('invalid');
  });

  it('holds for sums that a number cannot hold exactly', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect((await rule({ limit: most, spent: most, reserved: most }, costing(most))).budget.status).toBe('exceeded');
  });
});
