import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalUnit, ResultUnit } from '../../store.js';
import { adminUnit, approvalUnit, decisionUnit, eraseAct, resultUnit } from '../../testing/units.test-support.js';
import { openReading } from '../file/connection.js';
import { newKey, openFor, optionsFor, temporaryFolder } from '../sqlite.test-support.js';
import { openChain } from './chain.js';
import { decisionTexts, type Unit } from './unit.js';

const key = newKey();

/** A chain that has begun, with the same bytes at each call. */
async function newStore(folder: string, name: string) {
  let salts = 0;
  const random = (bytes: number) => Buffer.alloc(bytes, ++salts % 251);
  const path = join(folder, name);
  await (await openFor(optionsFor({ path, key, random }))).close();
  const chain = openChain({ path, signer: key.signer, salt: () => random(16) });
  return { path, chain };
}

/** All that the file holds. */
function contentOf(path: string) {
  const db = openReading(path);
  const rows = (table: string, order: string) => db.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all();
  const content = {
    record: rows('record', 'seq'),
    head: rows('head', 'seq'),
    proposal: rows('proposal', 'id'),
    result: rows('result', 'proposal_id, seq'),
    approval: rows('approval', 'id'),
    approval_event: rows('approval_event', 'approval_id, seq'),
  };
  db.close();
  return content;
}

/** Records units in batches of the given sizes. @returns every answer, and all that the file then holds */
async function recorded(units: readonly Unit[], sizes: readonly number[]) {
  const { path, chain } = await newStore(temporaryFolder(), 'store.sqlite');
  const answers = [];
  for (let at = 0, batch = 0; at < units.length; batch++) {
    const size = sizes[batch] ?? 1;
    answers.push(...chain.append(units.slice(at, at + size)));
    at += size;
  }
  chain.close();
  return { answers, ...contentOf(path) };
}

const final = (id: string, status: ResultUnit['status'], wishes: Partial<ResultUnit> = {}) => resultUnit(id, { status, ...wishes });
const decision = (id: string, decision: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL') => decisionTexts(decisionUnit(id, { decision }));
const askingTwo = (id: string) => decisionTexts(decisionUnit(id, { decision: 'REQUIRE_APPROVAL', quorum: 2 }));

describe('units of one batch', () => {
  it.each<[string, Unit[], unknown[]]>([
    [
      'a final result and another one: the second is refused',
      [decision('p-1', 'ALLOW'), final('p-1', 'ok'), final('p-1', 'error')],
      [{}, { outcome: { kind: 'recorded' } }, { outcome: { kind: 'already-final' } }],
    ],
    [
      'a final result and the same body: it is answered again',
      [decision('p-1', 'ALLOW'), final('p-1', 'ok'), final('p-1', 'ok')],
      [
        {},
        { outcome: { kind: 'recorded', recorded: { ref: '3', seq: [3, 3] }, assurance: 'adapter' } },
        { outcome: { kind: 'repeated', recorded: { ref: '3', seq: [3, 3] }, assurance: 'adapter' } },
      ],
    ],
    [
      'deferred reports: any number, and one final result after them',
      [
        decision('p-1', 'ALLOW'),
        final('p-1', 'deferred', { bodyDigest: 'a' }),
        final('p-1', 'deferred', { bodyDigest: 'b' }),
        final('p-1', 'ok'),
        final('p-1', 'deferred', { bodyDigest: 'c' }),
      ],
      [{}, ...Array.from({ length: 3 }, () => ({ outcome: { kind: 'recorded' } })), { outcome: { kind: 'already-final' } }],
    ],
    [
      'a decision and the same id: the second is refused',
      [decision('p-1', 'ALLOW'), decision('p-1', 'DENY')],
      [{ outcome: { seq: [1, 2] } }, { outcome: undefined }],
    ],
    [
      'a grant and a result: the action was allowed, and the grant is used up',
      [
        decision('p-1', 'REQUIRE_APPROVAL'),
        approvalUnit('apr_p-1'),
        final('p-1', 'ok'),
        approvalUnit('apr_p-1', { expect: 'granted', next: 'cancelled', event: 'cancelled' }),
      ],
      [{}, { outcome: { seq: [4, 4] } }, { outcome: { kind: 'recorded' } }, { outcome: undefined }],
    ],
    [
      'two grants by approvers who have seen no other: the second is refused',
      [
        askingTwo('p-1'),
        approvalUnit('apr_p-1', { next: 'pending', expectDecisions: 0 }),
        approvalUnit('apr_p-1', { next: 'pending', expectDecisions: 0, approver: 'dave' }),
      ],
      [{}, { outcome: { seq: [4, 4] } }, { outcome: undefined }],
    ],
    [
      'a record and its erasure, and the erasure again',
      [decision('p-1', 'ALLOW'), { kind: 'erase', seq: 1, act: eraseAct(1) }, { kind: 'erase', seq: 1, act: eraseAct(1) }],
      [{}, { outcome: { seq: [3, 3] } }, { failure: { refused: true } }],
    ],
  ])('see each other: %s', async (_, units, expected) => {
    const { answers } = await recorded(units, [units.length]);
    expect(answers).toMatchObject(expected);
    expect(answers).toHaveLength(expected.length);
  });

  it('have the outcomes, and leave the bytes, of units that come one after another', async () => {
    const id = fc.constantFrom('p-1', 'p-2', 'p-3');
    const unit: fc.Arbitrary<Unit> = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(id, fc.constantFrom('ALLOW', 'DENY', 'REQUIRE_APPROVAL')).map(([p, d]) => decision(p, d)) },
      { weight: 2, arbitrary: id.map(askingTwo) },
      {
        weight: 5,
        arbitrary: fc
          .tuple(id, fc.constantFrom('ok', 'error', 'deferred'), fc.constantFrom('a', 'b'), fc.constantFrom('ci-main', 'ci-main', 'other'))
          .map(([p, status, body, reportedBy]) => final(p, status, { bodyDigest: `${status}${body}`, reportedBy })),
      },
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            id,
            fc.constantFrom('pending', 'granted'),
            fc.constantFrom('pending', 'granted', 'rejected', 'expired'),
            fc.option(fc.nat(1), { nil: undefined }),
            fc.constantFrom('carol', 'dave'),
          )
          .map(([p, expect, next, expectDecisions, approver]) => settled(`apr_${p}`, expect, next, expectDecisions, approver)),
      },
      { weight: 1, arbitrary: fc.constant(adminUnit()) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }).map((seq) => ({ kind: 'erase' as const, seq, act: eraseAct(seq) })) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { minLength: 12, maxLength: 30 }),
        fc.array(fc.integer({ min: 2, max: 15 }), { minLength: 10 }),
        async (units, sizes) => {
          const [together, apart] = [await recorded(units, sizes), await recorded(units, [])];
          expect(together).toEqual(apart);
        },
      ),
      { numRuns: 30 },
    );
  }, 120_000);
});

function settled(
  id: string,
  expected: ApprovalUnit['expect'],
  next: ApprovalUnit['next'],
  expectDecisions: number | undefined,
  approver: string,
): ApprovalUnit {
  const wishes = { expect: expected, next, ...(expectDecisions !== undefined && { expectDecisions }) };
  if (next === 'expired')
    return approvalUnit(id, { ...wishes, event: next, approver: null, approverGroups: null, time: '2026-01-02T05:00:00.000Z' });
  return approvalUnit(id, { ...wishes, event: next === 'rejected' ? next : 'granted', approver });
}
