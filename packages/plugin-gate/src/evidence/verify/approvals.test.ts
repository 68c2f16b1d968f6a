import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, askInFormat1, expire, keyOf, settle, settleInFormat1 } from '../approval-chain.test-support.js';
import { firstKey, inBatches, joinChunks, memoryFile, newChain, ORIGIN } from '../chain.test-support.js';
import type { TestChain } from '../chain-names.test-support.js';
import { exportJsonl } from '../export/jsonl.js';
import { markData } from '../format/index.js';
import type { ApproverList } from './approvals.js';
import { differential } from './python.test-support.js';
import { verifyEvidence } from './verify-evidence.js';

let folder = '';
let both: ReturnType<typeof differential>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  both = differential(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What both verifiers say of a chain, or of the part of it that begins at a number. */
async function verified(chain: TestChain, approvers?: ApproverList, from = 0) {
  const report = await both([await joinChunks(exportJsonl(inBatches(chain.records.slice(from))))], { approvers });
  if (report.result === 'unusable') throw new Error(report.reason);
  return { failures: report.failures.map(({ code, seq }) => `${seq} ${code}`), decisions: report.approver_decisions };
}

/** What the verifier in TypeScript alone says of a part of a chain. */
async function failuresFrom(chain: TestChain, from: number) {
  const file = memoryFile('part', await joinChunks(exportJsonl(inBatches(chain.records.slice(from)))));
  const report = await verifyEvidence([file], { key: { name: ORIGIN, publicKey: firstKey.publicKey } });
  return report.result === 'unusable' ? [report.reason] : report.failures.map(({ code, seq }) => `${seq} ${code}`);
}

const entry = (id: string, groups = ['sre'], principals: string[] = []) => ({ id, public_key: keyOf(id).publicKey, groups, principals });
const list = (...approvers: ApproverList['approvers'][number][]): ApproverList => ({ approvers, allowUnsigned: false });
const two = { need: { groups: ['security', 'sre'], quorum: 1 } };
const partial = { state: 'partial', approver_groups: ['security'] };

/** Approvals that took every way, as this version records them: 29 records. */
function goodChain(): TestChain {
  const chain = newChain();
  const seq = ask(chain, 'p-1');
  settle(chain, 'p-1', 'carol', 'granted');
  chain.report('p-1', seq);
  ask(chain, 'p-2', two);
  settle(chain, 'p-2', 'erin', 'granted', partial);
  settle(chain, 'p-2', 'carol', 'granted');
  const rejected = ask(chain, 'p-3');
  settle(chain, 'p-3', 'carol', 'rejected');
  chain.report('p-3', rejected, true);
  ask(chain, 'p-4', { need: { ttl_seconds: 1 } });
  expire(chain, 'p-4');
  const shadow = ask(chain, 'p-5', { enforced: false });
  chain.report('p-5', shadow);
  ask(chain, 'p-6');
  settle(chain, 'p-6', 'carol', 'granted', { approver_key: null, approver_sig: null });
  return chain;
}

describe('approvals that follow from their records', () => {
  it('are verified by the chain alone, in all states', async () => {
    expect(await verified(goodChain())).toEqual({ failures: [], decisions: { signed: 4, unsigned: 1, unchecked: 0 } });
  });

  it('are verified from any record on', async () => {
    const chain = goodChain();
    for (let from = 1; from < chain.records.length; from++) expect(await failuresFrom(chain, from)).toEqual([]);
  });

  it('are verified where decisions and results are erased', async () => {
    const chain = goodChain();
    for (const { seq, type } of goodChain().records) if (type !== 'genesis') chain.erase(seq);
    expect((await verified(chain)).failures).toEqual([]);
    for (const erased of goodChain().records.filter(({ type }) => type === 'approval' || type === 'result' || type === 'verdict')) {
      const once = goodChain();
      once.erase(erased.seq);
      expect(await failuresFrom(once, 0)).toEqual([]);
    }
  });

  it('are verified in format 1, and go on in format 2', async () => {
    const chain = newChain({ format: 1 });
    const seq = askInFormat1(chain, 'p-1');
    settleInFormat1(chain, 'p-1', 'carol', 'granted');
    chain.report('p-1', seq);
    askInFormat1(chain, 'p-2', two);
    settleInFormat1(chain, 'p-2', 'erin', 'granted');
    for (const data of markData([])) chain.append('admin_action', data, { reportedBy: 'system' });
    expect((await verified(chain)).failures).toEqual([]);
    expect(await verified(chain, list(entry('carol'), entry('erin', ['security'])))).toEqual({
      failures: [],
      decisions: { signed: 2, unsigned: 0, unchecked: 0 },
    });
  });
});

describe('approvals that do not follow from their records', () => {
  it.each<[string, (chain: TestChain) => void, string[]]>([
    [
      'a request that no verdict asks for',
      (chain) => {
        chain.decide('p-1');
        chain.append('approval', { approval_id: 'apr_p-1', event: 'requested', state: 'pending' });
      },
      ['3 approval-request'],
    ],
    [
      'a request that is not next to its verdict',
      (chain) => {
        chain.append('approval', { approval_id: 'apr_p-1', event: 'requested', state: 'pending' });
      },
      ['1 approval-request'],
    ],
    [
      'a request that asks for less than the verdict',
      (chain) => void ask(chain, 'p-1', { request: { quorum: 2 } }),
      ['3 approval-request'],
    ],
    ['a request of format 1 in format 2', (chain) => void askInFormat1(chain, 'p-1'), ['3 approval-request']],
    [
      'a second request',
      (chain) => {
        ask(chain, 'p-1');
        ask(chain, 'p-2', { request: { approval_id: 'apr_p-1' } });
      },
      ['6 approval-request'],
    ],
    ['a decision that nobody requested', (chain) => void settle(chain, 'p-1', 'carol', 'granted'), ['1 approval-request']],
    [
      'a grant without its quorum',
      (chain) => {
        ask(chain, 'p-1', two);
        settle(chain, 'p-1', 'carol', 'granted');
      },
      ['4 approval-state'],
    ],
    [
      'a grant that says it is partial',
      (chain) => {
        ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'granted', { state: 'partial' });
      },
      ['4 approval-state'],
    ],
    [
      'a grant that lasts longer',
      (chain) => {
        ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'granted', { grant_expires_at: '2027-01-01T00:00:00.000Z' });
      },
      ['4 approval-state'],
    ],
    [
      'a decision after the end',
      (chain) => {
        ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'rejected');
        settle(chain, 'p-1', 'dave', 'granted');
      },
      ['5 approval-state'],
    ],
    [
      'a decision after the result',
      (chain) => {
        const seq = ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'granted');
        chain.report('p-1', seq);
        settle(chain, 'p-1', 'dave', 'granted');
      },
      ['6 approval-state'],
    ],
    [
      'an end before its time',
      (chain) => {
        ask(chain, 'p-1');
        expire(chain, 'p-1');
      },
      ['4 approval-state'],
    ],
    [
      'a run while it waited, which the result denies',
      (chain) => {
        const seq = ask(chain, 'p-1');
        chain.report('p-1', seq);
      },
      ['4 approval-state'],
    ],
    [
      'a run after a rejection, which the result denies',
      (chain) => {
        const seq = ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'rejected');
        chain.report('p-1', seq);
      },
      ['5 approval-state'],
    ],
    [
      'the key of another',
      (chain) => {
        ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'granted', { approver_key: keyOf('dave').publicKey });
      },
      ['4 approval-signature'],
    ],
    [
      'a reason that was not signed',
      (chain) => {
        ask(chain, 'p-1');
        settle(chain, 'p-1', 'carol', 'granted', { reason: 'fine "\u0001é\u2028' });
      },
      ['4 approval-signature'],
    ],
  ])('fail: %s', async (_, make, failures) => {
    const chain = newChain();
    make(chain);
    expect((await verified(chain)).failures).toEqual(failures);
  });

  it('fail in format 1 only where an action ran without any grant', async () => {
    const chain = newChain({ format: 1 });
    chain.report('p-1', askInFormat1(chain, 'p-1'));
    const granted = askInFormat1(chain, 'p-2');
    settleInFormat1(chain, 'p-2', 'carol', 'granted');
    chain.report('p-2', granted);
    expect((await verified(chain)).failures).toEqual(['4 approval-state']);
  });
});

describe('with a list of approvers', () => {
  const chain = newChain();
  ask(chain, 'p-1', { principal: 'Ｃarol@Example.com' });
  settle(chain, 'p-1', 'carol', 'granted');

  it.each<[string, ApproverList, string[]]>([
    ['everybody in it passes', list(entry('dave'), entry('carol', ['ops', 'sre'])), []],
    ['an earlier key passes', list({ ...entry('dave'), id: 'carol' }, entry('carol')), []],
    ['somebody else fails', list(entry('dave')), ['4 approver']],
    ['another key fails', list({ ...entry('dave'), id: 'carol' }), ['4 approver']],
    ['another group fails', list(entry('carol', ['ops'])), ['4 approver-groups']],
    ['the principal under an alias fails', list(entry('carol', ['sre'], ['x', 'CAROL@example.com'])), ['4 four-eyes']],
    ['the agent under an alias fails', list(entry('carol', ['sre'], ['AGENT "7"'])), ['4 four-eyes']],
  ])('%s', async (_, approvers, failures) => {
    expect((await verified(chain, approvers)).failures).toEqual(failures);
  });

  it('the principal under the own id fails', async () => {
    const own = newChain();
    ask(own, 'p-1', { principal: 'CAROL' });
    settle(own, 'p-1', 'carol', 'granted');
    expect((await verified(own)).failures).toEqual([]);
    expect((await verified(own, list(entry('carol')))).failures).toEqual(['4 four-eyes']);
  });

  it('a decision without a signature fails, unless the list accepts it', async () => {
    const unsigned = newChain();
    ask(unsigned, 'p-1');
    settle(unsigned, 'p-1', 'carol', 'granted', { approver_key: null, approver_sig: null });
    expect((await verified(unsigned, list(entry('carol')))).failures).toEqual(['4 approver-unsigned']);
    expect((await verified(unsigned, { ...list(entry('carol')), allowUnsigned: true })).failures).toEqual([]);
    expect((await verified(unsigned, { ...list(entry('dave')), allowUnsigned: true })).failures).toEqual(['4 approver']);
  });

  it('a proof of another kind does not count as a signature', async () => {
    const proved = newChain();
    ask(proved, 'p-1');
    settle(proved, 'p-1', 'carol', 'granted', { approver_key: null, approver_sig: null, proof: { kind: 'passkey' } });
    expect(await verified(proved)).toEqual({ failures: [], decisions: { signed: 0, unsigned: 0, unchecked: 1 } });
    expect((await verified(proved, list(entry('carol')))).failures).toEqual(['4 approver']);
  });

  it('decisions of format 1 are checked with the keys and groups of the list', async () => {
    const old = newChain({ format: 1 });
    const seq = askInFormat1(old, 'p-1');
    settleInFormat1(old, 'p-1', 'carol', 'granted');
    old.report('p-1', seq);
    expect((await verified(old, list(entry('carol')))).failures).toEqual([]);
    expect((await verified(old, list(entry('dave')))).failures).toEqual(['4 approver']);
    expect((await verified(old, list(entry('carol', ['ops'])))).failures).toEqual(['5 approval-state']);
  });
});
