import { canonical, type Json } from '../json/index.js';
import { signerFromSeed } from '../keys/index.js';
import { ask, settle } from './approval-chain.test-support.js';
import { BUNDLE_DIGEST, CHAIN_ID, INPUT_DIGEST, type TestChain } from './chain-names.test-support.js';
import { genesisDraft, rotationData } from './key-records.js';
import type { Draft, StoredRecord } from './record.js';
import { sealRecords } from './seal.js';

export { CHAIN_ID };

/** Chains for tests: every type of record, awkward texts, and the same bytes at every run. */

export const ORIGIN = `svc.example/${CHAIN_ID}`;
export const firstKey = signerFromSeed(Uint8Array.from({ length: 32 }, (_, i) => i));
export const secondKey = signerFromSeed(Uint8Array.from({ length: 32 }, (_, i) => 255 - i));

/** A chain that begins with its genesis record. `format` 1: as versions without a format wrote it. */
export function newChain(options: { dev?: boolean; format?: 1 | 2 } = {}): TestChain {
  let signer = firstKey;
  let salts = 0;
  const salt = () => Buffer.alloc(16, ++salts % 251);
  const time = (seq: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + seq * 1009).toISOString();
  const dev = options.dev ?? false;
  const draft = genesisDraft({ chainId: CHAIN_ID, origin: ORIGIN, publicKey: signer.publicKey, time: time(0), dev });
  const first = options.format === 1 ? { ...draft, data: draft.data.replace('"format":2,', '') } : draft;
  const genesis = sealRecords(undefined, [first], signer, salt);
  const chain: TestChain = {
    records: [...genesis.records],
    head: genesis.head,
    append(type, data, { reportedBy = 'ci-main', dev: marked = dev } = {}) {
      const draft: Draft = { type, time: time(chain.head.seq + 1), dev: marked, reportedBy, data: canonical(data) };
      if (type === 'result') draft.assurance = 'adapter';
      const { records, head } = sealRecords(chain.head, [draft], signer, salt);
      chain.records.push(...records);
      chain.head = head;
      // One draft makes one record.
      return records[0] as StoredRecord;
    },
    now: () => time(chain.head.seq + 1),
    decide(id, { decision = 'ALLOW', enforced = true, resource = 'k8s://prod/web', replica, n, need, principal = '=cmd|calc' } = {}) {
      const origin: { [member: string]: Json } = replica === undefined ? {} : { origin: { replica, n: n ?? 1 } };
      const proposal = {
        id,
        principal: { id: principal },
        agent: { id: 'agent "7"' },
        action: { type: 'kubernetes.apply', resource, parameters: { text: 'a,"b"\r\n\u2028 ünï ＠ 🜁' } },
        environment: 'production',
      };
      const at = { evaluated_at: time(chain.head.seq + 1), adapter: { id: 'ci-main', kind: 'ci' }, class: 'enforcing' };
      const { seq } = chain.append('proposal', { proposal, budget: null, mandate: null, ...at, ...origin });
      const policies = [{ id: 'prod-needs-human', effect: 'allow' }];
      const bundle = { id: 'acme', version: '1', digest: BUNDLE_DIGEST };
      const verdict = { decision, matched_policies: policies, bundle, ...(need && { approval: need, input_digest: INPUT_DIGEST }) };
      const told = enforced ? decision : 'ALLOW';
      const approval = need ? `apr_${id}` : null;
      const data = { proposal_id: id, proposal_seq: seq, verdict, enforced, effective_decision: told, approval };
      return chain.append('verdict', data).seq;
    },
    report: (id, verdictSeq, contradicts = false) =>
      chain.append('result', {
        proposal_id: id,
        verdict_seq: verdictSeq,
        status: 'ok',
        report: { status: 'ok', message: '+done' },
        contradicts_verdict: contradicts,
      }),
    rotate(to) {
      chain.append('key', rotationData(to, CHAIN_ID, chain.head.hash, 'yearly'), { reportedBy: 'operator:root' });
      signer = to;
    },
    erase(seq) {
      chain.records = chain.records.map((record) => (record.seq === seq ? { ...record, data: null, salt: null } : record));
      const data = { action: 'evidence.erase', seq, operator: 'root', reason: 'a secret' };
      chain.append('admin_action', data, { reportedBy: 'operator:root' });
    },
  };
  return chain;
}

/** A chain with a record of each type, a rotation, an erasure, an unenforced denial and a contradiction: 20 records. */
export function richChain(): TestChain {
  const chain = newChain();
  chain.append('admin_action', { action: 'config.load', digest: 'sha256:00' }, { reportedBy: 'system' });
  const allowed = chain.decide('p-1');
  chain.report('p-1', allowed);
  chain.decide('p-2', { decision: 'DENY', enforced: false, resource: '@SUM(A1:A9)' });
  chain.rotate(secondKey);
  const denied = chain.decide('p-3', { decision: 'DENY', resource: '\ttabbed' });
  chain.report('p-3', denied, true);
  ask(chain, 'p-4');
  settle(chain, 'p-4', 'ann', 'granted', { approver_key: null, approver_sig: null, reason: '-fine' });
  chain.erase(4);
  chain.append(
    'admin_action',
    { action: 'adapter.add', adapter: 'ci-main', variable: 'SVC_ADAPTER_SECRET_CI_MAIN' },
    { reportedBy: 'operator:a\n"b"' },
  );
  chain.decide('p-5');
  return chain;
}

/** The records as a store gives them. */
export async function* inBatches(records: readonly StoredRecord[], size = 7): AsyncGenerator<readonly StoredRecord[]> {
  for (let at = 0; at < records.length; at += size) yield records.slice(at, at + size);
}

/** Everything that an export gives. */
export async function joinChunks(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** A file in memory, read in pieces of an awkward size. */
export function memoryFile(name: string, content: string | Uint8Array, piece = 997) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  return {
    name,
    async *open() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
    },
  };
}
