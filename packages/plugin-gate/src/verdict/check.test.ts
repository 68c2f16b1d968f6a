import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { canonical, type Json } from '../json/index.js';
import { removeBundles } from '../policy/bundle-files.test-support.js';
import { check } from './check.js';
import { AT, BUDGET, bundleOf, codesOf, mandateOf, noEvaluator, PROPOSAL, TRUST, verdictOf } from './verdict.test-support.js';

afterAll(removeBundles);

const ALWAYS = {};
const NEVER = { when: 'false' };
const BROKEN = { when: 'proposal.context.missing == 1' };
const approval = (groups: string[], more: object = {}) => ({ effect: 'require_approval', approval: { groups, ...more } });

describe('a verdict', () => {
  it('is whole, in the form of the specification', async () => {
    const bundle = await bundleOf({
      'prod-needs-human': { ...approval(['sre']), match: { environments: ['production'] }, obligations: [{ type: 'ticket' }] },
    });
    expect(await verdictOf(bundle)).toEqual({
      decision: 'REQUIRE_APPROVAL',
      reasons: [{ code: 'AG-POL-021', policy: 'prod-needs-human', message: 'This is prod-needs-human.' }],
      matched_policies: [{ id: 'prod-needs-human', effect: 'require_approval' }],
      draft_matches: [],
      obligations: [{ type: 'ticket', id: 'prod-needs-human/0' }],
      approval: { groups: ['sre'], quorum: 1, ttl_seconds: 3600, grant_ttl_seconds: 900 },
      mandate: { status: 'absent' },
      budget: { status: 'absent' },
      governance: null,
      bundle: { id: 'acme', version: '1.2.3', digest: bundle.digest },
      input_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      engine: 'svc-check/1',
    });
  });
});

describe('the combination of policies', () => {
  it.each<[string, { [id: string]: object }, string, string[]]>([
    ['nothing matches', { a: NEVER }, 'DENY', ['AG-POL-010']],
    ['one allows', { a: ALWAYS, b: NEVER }, 'ALLOW', ['AG-POL-022 a']],
    ['all that allow are named', { b: ALWAYS, a: ALWAYS }, 'ALLOW', ['AG-POL-022 a', 'AG-POL-022 b']],
    ['an approval overrides allowing', { a: ALWAYS, b: approval(['x']) }, 'REQUIRE_APPROVAL', ['AG-POL-021 b']],
    ['denying overrides everything', { a: ALWAYS, b: approval(['x']), c: { effect: 'deny' } }, 'DENY', ['AG-POL-020 c']],
    ['a condition that fails denies', { a: ALWAYS, b: BROKEN }, 'DENY', ['AG-POL-011 b']],
    ['failing and denying are sorted by code', { a: { effect: 'deny' }, b: BROKEN }, 'DENY', ['AG-POL-011 b', 'AG-POL-020 a']],
    ['a condition that gives no bool denies', { a: { when: 'proposal.id' } }, 'DENY', ['AG-POL-011 a']],
    ['a missing mandate denies', { a: { mandate: 'required' }, b: ALWAYS }, 'DENY', ['AG-POL-012 a']],
    [
      'no mandate is needed where the condition is false',
      { a: { mandate: 'required', when: 'false' }, b: ALWAYS },
      'ALLOW',
      ['AG-POL-022 b'],
    ],
    ['drafts decide nothing', { a: { stage: 'draft' }, b: { stage: 'draft', effect: 'deny' }, c: ALWAYS }, 'ALLOW', ['AG-POL-022 c']],
    ['drafts that fail decide nothing', { a: { ...BROKEN, stage: 'draft' }, c: ALWAYS }, 'ALLOW', ['AG-POL-022 c']],
  ])('%s', async (_, policies, decision, reasons) => {
    const verdict = await verdictOf(await bundleOf(policies));
    expect([verdict.decision, codesOf(verdict)]).toEqual([decision, reasons]);
  });

  it.each([
    ['deny', 'DENY', 'AG-POL-010'],
    ['require_approval', 'REQUIRE_APPROVAL', 'AG-POL-021'],
    ['allow', 'ALLOW', 'AG-POL-022'],
  ])('falls back to the default: %s', async (byDefault, decision, code) => {
    const bundle = await bundleOf({ a: NEVER }, { default: byDefault, approval: { groups: ['owners'] } });
    const verdict = await verdictOf(bundle);
    expect([verdict.decision, codesOf(verdict)]).toEqual([decision, [code]]);
    expect(verdict.approval?.groups).toEqual(byDefault === 'require_approval' ? ['owners'] : undefined);
  });

  it('lists what matched, with the effect that it had', async () => {
    const bundle = await bundleOf({
      d: ALWAYS,
      a: { effect: 'deny' },
      b: BROKEN,
      c: { mandate: 'required' },
      e: { stage: 'draft' },
      f: { ...BROKEN, stage: 'draft' },
    });
    const { matched_policies, draft_matches } = await verdictOf(bundle);
    expect(matched_policies).toEqual([
      { id: 'a', effect: 'deny' },
      { id: 'c', effect: 'deny' },
      { id: 'd', effect: 'allow' },
    ]);
    expect(draft_matches).toEqual([{ id: 'e', effect: 'allow' }]);
  });

  it('merges approvals: all groups, the largest quorum, the shortest times', async () => {
    const bundle = await bundleOf({
      a: approval(['sre', 'dba'], { quorum: 1, ttl_seconds: 100, grant_ttl_seconds: 70 }),
      b: approval(['sre', 'cfo'], { quorum: 3, ttl_seconds: 200, grant_ttl_seconds: 60 }),
      c: { ...approval(['ceo'], { quorum: 9 }), when: 'false' },
    });
    expect((await verdictOf(bundle)).approval).toEqual({
      groups: ['cfo', 'dba', 'sre'],
      quorum: 3,
      ttl_seconds: 100,
      grant_ttl_seconds: 60,
    });
  });

  it('takes obligations from the policies that win only, sorted by id', async () => {
    const bundle = await bundleOf({
      b: { obligations: [{ type: 'ticket' }, { type: 'notify.slack' }] },
      a: { obligations: [{ type: 'log' }] },
      c: { obligations: [{ type: 'page' }], effect: 'deny', match: { environments: ['staging'] } },
    });
    expect((await verdictOf(bundle)).obligations).toEqual([
      { type: 'log', id: 'a/0' },
      { type: 'ticket', id: 'b/0' },
      { type: 'notify.slack', id: 'b/1' },
    ]);
    expect((await verdictOf(bundle, { environment: 'staging' })).obligations).toEqual([{ type: 'page', id: 'c/0' }]);
  });
});

describe('what policies match', () => {
  it.each([
    [{ actions: ['kubernetes.**'] }, true],
    [{ actions: ['kubernetes.*'] }, false],
    [{ resources: ['k8s://prod/**'] }, true],
    [{ resources: ['k8s://prod/*'] }, false],
    [{ environments: ['prod*', 'x'] }, true],
    [{ principals: ['*@example.com'] }, true],
    [{ agents: ['deploy-bot'] }, true],
    [{ adapters: ['ci-*'] }, true],
    [{ actions: ['**'], environments: ['staging'] }, false],
    [{}, true],
  ])('%j', async (match, expected) => {
    const { decision } = await verdictOf(await bundleOf({ a: { match } }));
    expect(decision === 'ALLOW').toBe(expected);
  });

  it('is not what is absent', async () => {
    const bundle = await bundleOf({ a: { match: { agents: ['**'] } }, b: { match: { adapters: ['**'] } } });
    const { agent: _, adapter: __, ...without } = PROPOSAL;
    const { verdict } = await check({ proposal: without, at: AT }, bundle, noEvaluator);
    expect(codesOf(verdict)).toEqual(['AG-POL-010']);
  });
});

describe('what conditions see', () => {
  const allows = async (when: string, ...more: Parameters<typeof verdictOf> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await verdictOf(await bundleOf({ a: { when } }), ...more)).decision;

  it.each([
    'proposal.id == "p-1" && proposal.principal.id == "alice@example.com" && proposal.environment == "production"',
    'proposal.enforcement == "advisory"',
    'proposal.action.parameters.replicas == 3 && proposal.action.parameters.replicas > 2.5',
    '!has(proposal.action.parameters.missing) && !has(proposal.context.ticket)',
    '!has(proposal.action.cost) && proposal.action.?cost.?amount.orValue(0) == 0',
    'budget.status == "absent" && !budget.present && !has(budget.limit)',
    'mandate.status == "absent" && !mandate.valid && !mandate.present',
    '!governance.present && governance.?score.orValue(100) == 100',
    `request.time == timestamp("${AT}") && request.time.getHours() == 3`,
    'request.time.getHours("Asia/Tokyo") == 12',
  ])('%s', async (when) => {
    expect(await allows(when)).toBe('ALLOW');
  });

  it('the instant of the proposal where it names one', async () => {
    expect(await allows('request.time == timestamp("2026-07-07T07:07:07.007Z")', { requested_at: '2026-07-07T07:07:07.007Z' })).toBe(
      'ALLOW',
    );
  });

  it('no parameters as none, not as missing', async () => {
    const action = { type: 'a', resource: 'r' };
    expect(await allows('!has(proposal.action.parameters.x) && proposal.action.parameters.size() == 0', { action })).toBe('ALLOW');
  });

  it('members of any name', async () => {
    const parameters = JSON.parse('{"constructor":{"name":"x"},"toString":1,"hasOwnProperty":[{"constructor":2}]}') as {
      [name: string]: Json;
    };
    const action = { type: 'a', resource: 'r', parameters };
    expect(
      await allows('has(proposal.action.parameters.constructor) && proposal.action.parameters["constructor"].name == "x"', { action }),
    ).toBe('ALLOW');
    expect(await allows('proposal.action.parameters.hasOwnProperty[0].constructor == 2', { action })).toBe('ALLOW');
    expect(await allows('has(proposal.action.parameters.valueOf)', { action })).toBe('DENY');
  });

  it('the budget and the mandate, once it is valid', async () => {
    const bundle = await bundleOf(
      { a: { when: 'mandate.valid && mandate.issuer == "acme" && budget.present && budget.limit == 10000 && budget.reserved == 0' } },
      {},
      TRUST,
    );
    const { reserved: _, ...budget } = BUDGET;
    expect((await verdictOf(bundle, {}, { mandate: mandateOf(), budget })).decision).toBe('ALLOW');
  });
});

describe('the digest of the input', () => {
  const digestOf = async (...more: Parameters<typeof verdictOf> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await verdictOf(await bundleOf({}), ...more)).input_digest;

  it('is that of the masked input with its constant defaults', async () => {
    const bundle = await bundleOf({});
    const { reserved: _, ...budget } = BUDGET;
    const { verdict, masked } = await check({ proposal: PROPOSAL, budget, at: AT }, bundle, noEvaluator);
    expect(masked).toEqual({ proposal: { ...PROPOSAL, enforcement: 'advisory' }, budget: { ...budget, reserved: 0 }, mandate: null });
    expect(verdict.input_digest).toBe(
      `sha256:${createHash('sha256')
        .update(canonical({ ...masked }))
        .digest('hex')}`,
    );
  });

  it('is the same whether a default is written or not, and whenever it is evaluated', async () => {
    const digest = await digestOf();
    expect(await digestOf({ enforcement: 'advisory' })).toBe(digest);
    expect(await digestOf({}, { at: '2027-01-01T00:00:00.000Z' })).toBe(digest);
    expect(await digestOf({ enforcement: 'enforcing' })).not.toBe(digest);
    expect(await digestOf({ requested_at: AT })).not.toBe(digest);
    expect(await digestOf({}, { budget: BUDGET })).not.toBe(digest);
  });

  it('says nothing of secrets', async () => {
    const withSecret = (password: string) => ({ action: { ...PROPOSAL.action, parameters: { password } } });
    const { verdict, masked } = await check(
      { proposal: { ...PROPOSAL, ...withSecret('hunter2') }, at: AT },
      await bundleOf({ a: ALWAYS }),
      noEvaluator,
    );
    expect(JSON.stringify([verdict, masked])).not.toContain('hunter2');
    expect(await digestOf(withSecret('hunter2'))).toBe(await digestOf(withSecret('other')));
  });

  it('leaves what it was given as it is', async () => {
    const input = { proposal: PROPOSAL, budget: BUDGET, mandate: mandateOf(), at: AT };
    const before = structuredClone(input);
    await check(input, await bundleOf({ a: ALWAYS }, {}, TRUST), noEvaluator);
    expect(input).toEqual(before);
  });
});

describe('a policy', () => {
  it('sees the secret that the verdict masks', async () => {
    const bundle = await bundleOf({ a: { when: 'proposal.action.parameters.password == "hunter2"' } });
    const action = { ...PROPOSAL.action, parameters: { password: 'hunter2' } };
    const verdict = await verdictOf(bundle, { action });
    expect(verdict.decision).toBe('ALLOW');
    expect(JSON.stringify(verdict)).not.toContain('hunter2');
  });
});
