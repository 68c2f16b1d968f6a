import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/index.js';
import { signerFromSeed } from '../keys/index.js';
import { deriveApproval, type HistoryEntry, statementText } from './index.js';

const signers = new Map(['carol', 'dave', 'erin'].map((id, index) => [id, signerFromSeed(new Uint8Array(32).fill(index + 1))]));
const CHAIN = 'c-1';
const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
const NEED = { groups: ['sre'], quorum: 1, ttl_seconds: 60, grant_ttl_seconds: 30 };
const DIGESTS = { input_digest: 'sha256:i', bundle_digest: 'sha256:b' };

interface Wishes {
  need?: Partial<typeof NEED>;
  enforced?: boolean;
}

function decision({ need = {}, enforced = true }: Wishes = {}): HistoryEntry[] {
  const approval = { ...NEED, ...need };
  const verdict = { decision: 'REQUIRE_APPROVAL', approval, input_digest: 'sha256:i', bundle: { digest: 'sha256:b' } };
  return [
    entry('proposal', 0, { proposal: { id: 'p-1', principal: { id: 'alice' }, agent: { id: 'bot' } } }),
    entry('verdict', 0, { proposal_id: 'p-1', approval: 'apr_1', enforced, verdict }),
  ];
}

function requested(wishes: Wishes = {}, more: JsonObject = {}): HistoryEntry[] {
  const { need = {}, enforced = true } = wishes;
  const data = { proposal_id: 'p-1', shadow: !enforced, state: 'pending', expires_at: at(60), ...DIGESTS, ...NEED, ...need, ...more };
  return [...decision(wishes), entry('approval', 0, { ...REQUEST, ...data })];
}

const REQUEST = { approval_id: 'apr_1', event: 'requested', approver: null, approver_sig: null, reason: null };
const old = (wishes?: Wishes): HistoryEntry[] => [...decision(wishes), entry('approval', 0, REQUEST)];

function entry(type: HistoryEntry['type'], second: number, data: JsonObject | null): HistoryEntry {
  return { type, time: at(second), reportedBy: 'ci', data };
}

/** A record of format 2, signed, with whatever differs. */
function decided(approver: string, event: 'granted' | 'rejected', second: number, more: JsonObject = {}): HistoryEntry {
  const signer = signers.get(approver);
  const statement = {
    chain_id: CHAIN,
    approval_id: 'apr_1',
    proposal_id: 'p-1',
    ...DIGESTS,
    decision: event === 'granted' ? ('grant' as const) : ('reject' as const),
    reason: null,
    at: at(second),
  };
  return entry('approval', second, {
    approval_id: 'apr_1',
    event,
    approver,
    approver_key: signer?.publicKey ?? null,
    approver_sig: signer?.sign(statementText(statement)) ?? null,
    approver_groups: ['sre'],
    reason: null,
    at: at(second),
    state: event,
    grant_expires_at: event === 'granted' ? at(second + 30) : null,
    ...more,
  });
}

const partial = { state: 'partial', grant_expires_at: null };
const over = (event: 'expired' | 'cancelled', second: number) =>
  entry('approval', second, { ...REQUEST, event, approver_key: null, approver_groups: null, state: event, grant_expires_at: null });
const result = (status: string, more: JsonObject = {}) => entry('result', 20, { proposal_id: 'p-1', status, ...more });

const derived = (history: HistoryEntry[], groups: { [approver: string]: string[] } = {}) =>
  deriveApproval(history, { chainId: CHAIN, groupsOf: (approver) => groups[approver] ?? [] });
const stateOf = (...args: Parameters<typeof derived>) => {
  const found = derived(...args);
  return found.kind === 'approval' ? found.approval.state : found.kind;
};

describe('an approval in the records of its proposal', () => {
  it('is all that the request and the proposal say', () => {
    expect(derived(requested())).toEqual({
      kind: 'approval',
      erased: false,
      approval: {
        id: 'apr_1',
        proposalId: 'p-1',
        state: 'pending',
        need: NEED,
        shadow: false,
        inputDigest: 'sha256:i',
        bundleDigest: 'sha256:b',
        adapter: 'ci',
        principal: 'alice',
        agent: 'bot',
        requestedAt: at(0),
        expiresAt: at(60),
        grantExpiresAt: null,
        decisions: [],
      },
    });
    expect(derived(old())).toEqual(derived(requested()));
    expect(derived(old({ enforced: false }))).toEqual(derived(requested({ enforced: false })));
  });

  it('is granted when each group has its quorum, by the groups that were recorded', () => {
    const two = { need: { groups: ['security', 'sre'], quorum: 2 } };
    const both = { approver_groups: ['security', 'sre'] };
    const carol = decided('carol', 'granted', 1, { ...both, ...partial });
    const dave = decided('dave', 'granted', 2, { approver_groups: ['sre'], ...partial });
    const erin = decided('erin', 'granted', 3, both);
    expect(stateOf([...requested(two), carol, dave])).toBe('pending');
    expect(derived([...requested(two), carol, dave, erin])).toMatchObject({
      approval: {
        state: 'granted',
        grantExpiresAt: at(33),
        decisions: [{ approver: 'carol', signed: true, decision: 'grant', groups: ['security', 'sre'] }, {}, { approver: 'erin' }],
      },
    });
  });

  it('is rejected by one, expires, and can be cancelled', () => {
    expect(stateOf([...requested(), decided('carol', 'rejected', 1)])).toBe('rejected');
    expect(stateOf([...requested(), over('expired', 60)])).toBe('expired');
    expect(stateOf([...requested(), decided('carol', 'granted', 1), over('cancelled', 2)])).toBe('cancelled');
  });

  it('is used up by a final result, and by no other', () => {
    const granted = [...requested(), decided('carol', 'granted', 1)];
    expect(stateOf([...granted, result('deferred')])).toBe('granted');
    for (const status of ['ok', 'error', 'skipped', 'timeout']) expect(stateOf([...granted, result(status)])).toBe('consumed');
    expect(stateOf([...requested(), result('skipped')])).toBe('consumed');
    expect(stateOf([...requested(), decided('carol', 'rejected', 1), result('skipped')])).toBe('rejected');
  });

  it('is none where the verdict needs none, and where nothing is left that said what it needs', () => {
    const [proposal, verdict] = decision();
    const none = [proposal, { ...verdict, data: { ...verdict?.data, approval: null } }] as HistoryEntry[];
    expect(stateOf(none)).toBe('none');
    const erased = (index: number, history: HistoryEntry[]) => history.map((one, i) => (i === index ? { ...one, data: null } : one));
    expect(stateOf(erased(2, erased(1, requested())))).toBe('none');
    expect(stateOf(erased(1, requested()))).toBe('pending');
    expect(stateOf(erased(2, requested()))).toBe('pending');
    expect(derived(erased(0, requested()))).toMatchObject({ approval: { principal: null, agent: null } });
  });

  it('is never granted once one of its decisions or results is erased', () => {
    const erased = (type: HistoryEntry['type']) => entry(type, 3, null);
    expect(derived([...requested(), erased('approval')])).toMatchObject({ approval: { state: 'cancelled' }, erased: true });
    expect(stateOf([...requested(), decided('carol', 'granted', 1), erased('result')])).toBe('consumed');
    expect(stateOf([...requested(), erased('approval'), result('ok')])).toBe('consumed');
    expect(stateOf([...requested(), decided('carol', 'rejected', 1), erased('result')])).toBe('rejected');
  });

  it.each<[string, HistoryEntry[]]>([
    ['a verdict whose approval was not requested', decision()],
    ['a request for another approval', [...decision(), entry('approval', 0, { ...REQUEST, approval_id: 'apr_2' })]],
    ['a request that asks for less', requested({}, { quorum: 2 })],
    ['a request for another proposal', requested({}, { proposal_id: 'p-2' })],
    ['a request with a later end', requested({}, { expires_at: at(61) })],
    ['a request without groups', requested({}, { groups: null })],
    ['a decision before the request', [...decision(), decided('carol', 'granted', 1)]],
    ['a decision on another approval', [...requested(), decided('carol', 'granted', 1, { approval_id: 'apr_2' })]],
    ['a result of another proposal', [...requested(), result('ok', { proposal_id: 'p-2' })]],
    ['a grant that says it is partial', [...requested(), decided('carol', 'granted', 1, partial)]],
    ['a grant without its quorum', [...requested({ need: { quorum: 2 } }), decided('carol', 'granted', 1)]],
    ['a grant of somebody in other groups', [...requested(), decided('carol', 'granted', 1, { approver_groups: ['finance'] })]],
    ['a grant that lasts longer', [...requested(), decided('carol', 'granted', 1, { grant_expires_at: at(59) })]],
    ['a grant after the end', [...requested(), decided('carol', 'granted', 60)]],
    ['an end before its time', [...requested(), over('expired', 59)]],
    ['a record after the end', [...requested(), decided('carol', 'rejected', 1), decided('dave', 'granted', 2)]],
    ['a decision after the result', [...requested(), result('ok'), decided('carol', 'granted', 21)]],
    [
      'two grants of one approver',
      [
        ...requested({ need: { quorum: 2 } }),
        decided('carol', 'granted', 1, partial),
        decided('carol', 'granted', 2, { grant_expires_at: at(32) }),
      ],
    ],
    ['the key of another', [...requested(), decided('carol', 'granted', 1, { approver_key: signers.get('dave')?.publicKey ?? null })]],
    ['a signature without a key', [...requested(), decided('carol', 'granted', 1, { approver_key: null })]],
    ['a key without a signature', [...requested(), decided('carol', 'granted', 1, { approver_sig: null })]],
    ['a text that is no key', [...requested(), decided('carol', 'granted', 1, { approver_key: 'carol' })]],
    ['another reason than was signed', [...requested(), decided('carol', 'granted', 1, { reason: 'fine' })]],
    [
      'another decision than was signed',
      [
        ...requested(),
        {
          ...decided('carol', 'rejected', 1),
          data: { ...decided('carol', 'rejected', 1).data, event: 'granted', state: 'granted', grant_expires_at: at(31) },
        },
      ],
    ],
    ['a step that is none', [...requested(), decided('carol', 'granted', 1, { event: 'believed' })]],
  ])('contradicts itself with %s', (_, history) => {
    expect(derived(history)).toMatchObject({ kind: 'contradiction', message: expect.stringMatching(/\.$/) });
  });

  it('may be decided without a signature, and says so', () => {
    const unsigned = decided('carol', 'granted', 1, { approver_key: null, approver_sig: null });
    expect(derived([...requested(), unsigned])).toMatchObject({ approval: { state: 'granted', decisions: [{ signed: false }] } });
  });
});

describe('an approval in records of format 1', () => {
  const grant = (approver: string, second: number) =>
    entry('approval', second, { approval_id: 'apr_1', event: 'granted', approver, approver_sig: 'sig', reason: null, at: at(second) });

  it('counts grants with the groups that are configured now', () => {
    const two = { need: { quorum: 2 } };
    const groups = { carol: ['sre'], dave: ['sre'] };
    expect(stateOf([...old(two), grant('carol', 1)], groups)).toBe('pending');
    expect(derived([...old(two), grant('carol', 1), grant('dave', 2)], groups)).toMatchObject({
      approval: { state: 'granted', grantExpiresAt: at(32), decisions: [{ signed: true, groups: ['sre'] }, {}] },
    });
    expect(stateOf([...old(two), grant('carol', 1), grant('dave', 2)], { carol: ['sre'] })).toBe('pending');
  });

  it('ends where it ended, whatever an older version recorded after', () => {
    const rejected = { ...decided('carol', 'rejected', 1), data: { approval_id: 'apr_1', event: 'rejected', approver: 'carol' } };
    expect(stateOf([...old(), rejected, grant('dave', 2)], { dave: ['sre'] })).toBe('rejected');
    expect(stateOf([...old(), result('skipped'), grant('dave', 2)], { dave: ['sre'] })).toBe('consumed');
  });

  it('goes on in format 2', () => {
    const two = { need: { quorum: 2 } };
    const last = decided('dave', 'granted', 2, { grant_expires_at: at(32) });
    expect(stateOf([...old(two), grant('carol', 1), last], { carol: ['sre'] })).toBe('granted');
    expect(stateOf([...old(two), grant('carol', 1), last], {})).toBe('contradiction');
  });
});

it('never finds an approval granted without the quorum of different people in each group', () => {
  const people = [...signers.keys()];
  const groupSets = fc.dictionary(fc.constantFrom(...people), fc.subarray(['sre', 'security']), { noNullPrototype: true });
  fc.assert(
    fc.property(
      groupSets,
      fc.shuffledSubarray(people),
      fc.subarray(['security', 'sre'], { minLength: 1 }),
      fc.integer({ min: 1, max: 3 }),
      (groups, order, asked, quorum) => {
        const grants = order.map((id, index) =>
          entry('approval', index, {
            approval_id: 'apr_1',
            event: 'granted',
            approver: id,
            approver_sig: null,
            reason: null,
            at: at(index),
          }),
        );
        const enough = asked.every((group) => order.filter((id) => groups[id]?.includes(group)).length >= quorum);
        expect(stateOf([...old({ need: { groups: asked, quorum } }), ...grants], groups) === 'granted').toBe(enough);
      },
    ),
  );
});
