import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json/index.js';
import { readResult, readSubmission } from './index.js';

const PROPOSAL = {
  id: '01JD8XQ4W1F3Z6T0B9K2M5N7P8',
  principal: { id: 'alice@example.com', type: 'human' },
  agent: { id: 'deploy-bot', name: 'Deploy Bot', version: '1.4', model: 'm-1', session_id: 's-1' },
  adapter: 'ci-main',
  enforcement: 'enforcing',
  action: {
    type: 'kubernetes.deployment.update',
    resource: 'k8s://prod/shop/Deployment/web',
    parameters: { anything: [{ at: { all: null } }] },
    cost: { unit: 'USD.cents', amount: 1250 },
    reversible: true,
    summary: 'Roll out web',
  },
  environment: 'production',
  justification: 'Release 42',
  requested_at: '2026-01-02T03:04:05.678Z',
  context: { run: 1, branch: 'main', forced: false, ticket: null },
  parent_id: 'parent-1',
};

const BUDGET = {
  budget_id: 'team-shop',
  unit: 'USD.cents',
  limit: 100_000,
  spent: 20,
  reserved: 0,
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2026-02-01T00:00:00.000Z',
  as_of: '2026-01-02T03:04:00.000Z',
};

const MANDATE = {
  v: 'svc-mandate/1',
  mandate_id: 'm-1',
  issuer: 'acme',
  key_id: 'k-1',
  subject: 'alice@example.com',
  delegate: 'deploy-bot',
  scope: { actions: ['kubernetes.**'], resources: ['**'], environments: ['production'], adapters: ['ci-*'] },
  limits: { max_cost: { unit: 'USD.cents', amount: 5000 }, reversible_only: false },
  not_before: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-03T00:00:00.000Z',
  purpose: 'Releases',
  sig: 'A'.repeat(86),
};

const ENVELOPE = { proposal: PROPOSAL, budget: BUDGET, mandate: MANDATE };

const RESULT = {
  status: 'error',
  started_at: '2026-01-02T03:04:05.678Z',
  finished_at: '2026-01-02T03:05:05.678Z',
  exit_code: 1,
  message: 'It failed.',
  output_digest: `sha256:${'0a'.repeat(32)}`,
  resource_after: 'k8s://prod/shop/Deployment/web',
  metrics: { seconds: 1.5 },
};

/** A copy with another value at a path of names; undefined removes the member. */
function changed(value: JsonObject, path: string, to: Json | undefined): JsonObject {
  const copy = structuredClone(value) as { [name: string]: Json };
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce((at, step) => at[step] as { [name: string]: Json }, copy);
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}

const errorsOf = (value: Json) => {
  const read = readSubmission(value);
  return 'errors' in read ? read.errors : [];
};
const resultErrorsOf = (value: Json) => {
  const read = readResult(value);
  return 'errors' in read ? read.errors : [];
};

describe('reading a submission', () => {
  it('takes a proposal as it stands', () => {
    expect(readSubmission(PROPOSAL)).toEqual({ envelope: { proposal: PROPOSAL } });
  });

  it('takes an envelope with budget and mandate, with one of them, and with none', () => {
    expect(readSubmission(ENVELOPE)).toEqual({ envelope: ENVELOPE });
    expect(readSubmission({ proposal: PROPOSAL, budget: BUDGET })).toEqual({ envelope: { proposal: PROPOSAL, budget: BUDGET } });
    expect(readSubmission({ proposal: PROPOSAL })).toEqual({ envelope: { proposal: PROPOSAL } });
  });

  it('takes a proposal with nothing but what is required', () => {
    const least = { id: 'p-1', principal: { id: 'a' }, action: { type: 'deploy', resource: 'r' }, environment: 'dev' };
    expect(readSubmission(least)).toEqual({ envelope: { proposal: least } });
  });

  it.each<Json>([null, true, 1, 'text', [], [PROPOSAL]])('refuses %j, which is no object', (value) => {
    expect(errorsOf(value)).toEqual([{ path: '', message: 'must be object' }]);
  });

  it.each([
    'id',
    'principal',
    'action',
    'environment',
    'principal.id',
    'agent.id',
    'action.type',
    'action.resource',
    'action.cost.unit',
    'action.cost.amount',
  ])('refuses a proposal without %s', (path) => {
    const steps = path.split('.');
    const member = steps.pop();
    const parent = steps.map((step) => `/${step}`).join('');
    expect(errorsOf(changed(PROPOSAL, path, undefined))).toEqual([{ path: parent, message: `must have the member ${member}` }]);
  });

  it.each(['', 'principal', 'agent', 'action', 'action.cost'])(
    'refuses a member of its own at /%s, and names the parent only',
    (parent) => {
      const path = parent === '' ? 'k9Zs3cret' : `${parent}.k9Zs3cret`;
      const pointer = parent === '' ? '' : `/${parent.replaceAll('.', '/')}`;
      expect(errorsOf(changed(PROPOSAL, path, 1))).toEqual([{ path: pointer, message: 'has a member that is not allowed' }]);
      expect(errorsOf({ proposal: changed(PROPOSAL, path, 1) })).toEqual([
        { path: `/proposal${pointer}`, message: 'has a member that is not allowed' },
      ]);
    },
  );

  it.each(['extra', 'budget.extra', 'mandate.extra', 'mandate.scope.extra', 'mandate.limits.extra', 'mandate.limits.max_cost.extra'])(
    'refuses the member %s of an envelope',
    (path) => {
      const parent = path
        .split('.')
        .slice(0, -1)
        .map((step) => `/${step}`)
        .join('');
      expect(errorsOf(changed(ENVELOPE, path, 1))).toEqual([{ path: parent, message: 'has a member that is not allowed' }]);
    },
  );

  it.each<[string, (Json | undefined)[], (Json | undefined)[]]>([
    ['id', ['a', '0.~_-Z', 'a'.repeat(128)], ['', '-a', 'a b', 'a/b', 'a%20', 'é', 'a\n', 'a'.repeat(129), 1, null]],
    ['principal.id', ['a', 'Zoë Ünal <z@x>', '日本', 'a'.repeat(256)], ['', 'a'.repeat(257), 'a\nb', 'a\u0000', 'a\u202eb', 'a\u200bb', 1]],
    ['principal.type', ['human', 'service', 'agent'], ['robot', '', null]],
    ['agent.id', ['x'], ['', null, {}]],
    ['adapter', ['ci-main', '0_a'], ['CI', '', 'a'.repeat(64)]],
    ['enforcement', ['enforcing', 'advisory'], ['shadow', true]],
    ['action.type', ['a', 'a.b_c-d.e1', 'a.b.c.d.e.f.g.h'], ['', 'A', 'a.', '.a', 'a..b', 'a.b.c.d.e.f.g.h.i', '1a', 'a.1', 'a b']],
    ['action.resource', ['x', ' ', 'r'.repeat(2048)], ['', 'r'.repeat(2049), null]],
    ['action.parameters', [{}, { a: [1, { b: 'c' }] }], [[], null, 'x']],
    ['action.cost.unit', ['USD.cents', 'TOK', 'EUR.c1'], ['usd', 'US', 'USD.', 'USD.Cents', 'USD.a.b', 'USDX']],
    ['action.cost.amount', [0, 1, 9007199254740991], [-1, 0.5, '1', null]],
    ['action.reversible', [true, false], ['true', 1, null]],
    ['action.summary', ['', 's'.repeat(2048)], ['s'.repeat(2049), 1]],
    ['environment', ['production', '0', 'a-b'], ['', 'Prod', '-a', 'a'.repeat(64), 'a_b']],
    ['justification', ['', 'j'.repeat(2048)], ['j'.repeat(2049), null]],
    [
      'requested_at',
      ['2026-01-02T03:04:05.678Z'],
      ['2026-01-02T03:04:05Z', '2026-02-30T00:00:00.000Z', '2026-01-02T03:04:05.678+00:00', 1, null],
    ],
    ['context', [{}, { a: 1, b: 'x', c: null, d: true }], [{ a: {} }, { a: [] }, [], 'x']],
    ['parent_id', ['p-0'], ['', 'a/b']],
  ])('takes and refuses values of %s', (path, good, bad) => {
    for (const value of good) expect(errorsOf(changed(PROPOSAL, path, value))).toEqual([]);
    for (const value of bad) expect(errorsOf(changed(PROPOSAL, path, value))).toHaveLength(1);
  });

  it('takes 64 members of a context, and no more', () => {
    const context = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index]));
    expect(errorsOf({ ...PROPOSAL, context: context(64) })).toEqual([]);
    expect(errorsOf({ ...PROPOSAL, context: context(65) })).toEqual([{ path: '/context', message: 'must have at most 64 properties' }]);
  });

  it.each<[string, (Json | undefined)[], (Json | undefined)[]]>([
    ['budget.budget_id', ['b'], ['', 1]],
    ['budget.unit', ['TOK'], ['tok']],
    ['budget.limit', [0, 9007199254740991], [-1, 1.5]],
    ['budget.spent', [0], [-1, '0']],
    ['budget.reserved', [5, undefined], [null, 0.1]],
    ['budget.period_start', ['2026-01-01T00:00:00.000Z'], ['2026-01-01', '2026-02-31T00:00:00.000Z']],
    ['budget.period_end', [], [undefined, '2026-01-01T25:00:00.000Z']],
    ['budget.as_of', [], [undefined, '2026-01-01T00:60:00.000Z']],
    ['mandate.v', [], ['svc-mandate/2', undefined]],
    ['mandate.scope.actions', [[], ['a', 'b.**']], ['a', [''], [1], undefined]],
    ['mandate.scope.adapters', [undefined, ['x']], [null]],
    ['mandate.limits', [{}], [undefined, { max_cost: {} }]],
    ['mandate.limits.reversible_only', [true], ['yes']],
    ['mandate.not_before', [], ['2026-02-30T00:00:00.000Z', undefined]],
    ['mandate.expires_at', [], ['2026-02-30T00:00:00.000Z', undefined]],
    ['mandate.purpose', [undefined], ['p'.repeat(2049)]],
    ['mandate.sig', [`${'-_aZ0'.repeat(17)}A`], ['', 'A'.repeat(85), 'A'.repeat(87), `${'A'.repeat(85)}=`]],
  ])('takes and refuses values of %s', (path, good, bad) => {
    for (const value of good) expect(errorsOf(changed(ENVELOPE, path, value))).toEqual([]);
    for (const value of bad) expect(errorsOf(changed(ENVELOPE, path, value))).toHaveLength(1);
  });

  it('says where an instant is none', () => {
    const wrong = '2026-02-30T00:00:00.000Z';
    const envelope = changed(
      changed(changed(ENVELOPE, 'proposal.requested_at', wrong), 'budget.as_of', wrong),
      'mandate.expires_at',
      wrong,
    );
    const message = 'is not a valid date and time';
    expect(errorsOf(envelope)).toEqual([
      { path: '/proposal/requested_at', message },
      { path: '/budget/as_of', message },
      { path: '/mandate/expires_at', message },
    ]);
    expect(errorsOf({ ...PROPOSAL, requested_at: wrong })).toEqual([{ path: '/requested_at', message }]);
  });

  it('shows a name that the caller made up as *', () => {
    expect(errorsOf({ ...PROPOSAL, context: { '4711-s3cret': {} } })).toEqual([
      { path: '/context/*', message: 'must be string,number,boolean,null' },
    ]);
    expect(errorsOf({ ...PROPOSAL, context: { 123456: [] } })).toEqual([
      { path: '/context/*', message: 'must be string,number,boolean,null' },
    ]);
  });

  it('never says a piece of what was sent (gate/errors.1)', () => {
    const secret = 'k9Zs3cretQ7Lm2Xp';
    const places = Object.keys(leaves(ENVELOPE));
    const canary = fc.constantFrom<Json>(secret, [secret], { [secret]: secret }, { id: secret, [secret]: { [secret]: 1 } });
    fc.assert(
      fc.property(fc.constantFrom(...places), canary, fc.boolean(), (path, value, bare) => {
        const envelope = changed(ENVELOPE, path, value);
        const body = bare && path.startsWith('proposal.') ? (envelope.proposal ?? null) : envelope;
        expect(JSON.stringify(errorsOf(body))).not.toContain(secret);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('reading a result report', () => {
  it('takes a report with all there can be, and one with a status only', () => {
    expect(readResult(RESULT)).toEqual({ report: RESULT });
    for (const status of ['ok', 'error', 'skipped', 'timeout', 'deferred']) expect(readResult({ status })).toEqual({ report: { status } });
  });

  it.each<[string, (Json | undefined)[], (Json | undefined)[]]>([
    ['status', [], ['OK', 'done', '', null, undefined]],
    ['started_at', [undefined], ['now', '2026-02-30T00:00:00.000Z']],
    ['finished_at', [undefined], ['2026-01-02T03:04:60.000Z']],
    ['exit_code', [0, -1, 4294967295], [1.5, '0', null, 1e12]],
    ['message', ['', 'm'.repeat(2048)], ['m'.repeat(2049), null]],
    ['output_digest', [undefined], ['0a', `sha256:${'0A'.repeat(32)}`, `sha512:${'0a'.repeat(32)}`]],
    ['resource_after', [''], ['r'.repeat(2049)]],
    ['metrics', [{}, { a: -1.5 }], [{ a: '1' }, [], null]],
    ['secret', [], ['x']],
  ])('takes and refuses values of %s', (path, good, bad) => {
    for (const value of good) expect(resultErrorsOf(changed(RESULT, path, value))).toEqual([]);
    for (const value of bad) expect(resultErrorsOf(changed(RESULT, path, value))).toHaveLength(1);
  });

  it('names members of the schema only', () => {
    expect(resultErrorsOf({ status: 'ok', metrics: { s3cret: 'x' } })).toEqual([{ path: '/metrics/*', message: 'must be number' }]);
    expect(resultErrorsOf({ status: 'ok', s3cret: 1 })).toEqual([{ path: '', message: 'has a member that is not allowed' }]);
    expect(resultErrorsOf({ status: 's3cret' })).toEqual([
      { path: '/status', message: 'must be one of ok, error, skipped, timeout, deferred' },
    ]);
  });
});

/** All values of an object that have no members, by dotted path. */
function leaves(value: JsonObject, above = ''): { [path: string]: Json } {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) =>
      typeof member === 'object' && member !== null && !Array.isArray(member) && Object.keys(member).length > 0
        ? leaves(member as JsonObject, `${above}${name}.`)
        : { [above + name]: member },
    ),
  );
}
