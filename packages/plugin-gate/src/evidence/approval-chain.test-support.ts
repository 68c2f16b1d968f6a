import { type Statement, statementText } from '../approval/index.js';
import type { Json } from '../json/index.js';
import { type Signer, signerFromSeed } from '../keys/index.js';
import { BUNDLE_DIGEST, CHAIN_ID, type DecideOptions, INPUT_DIGEST, type TestChain } from './chain-names.test-support.js';
import type { StoredRecord } from './record.js';

/** Approvals in chains for tests. */

const approverKeys = new Map<string, Signer>();

/** The key of an approver, the same at every run. */
export function keyOf(approver: string): Signer {
  const key = approverKeys.get(approver) ?? signerFromSeed(Buffer.alloc(32, approver));
  approverKeys.set(approver, key);
  return key;
}

export const NEED = { groups: ['sre'], quorum: 1, ttl_seconds: 3600, grant_ttl_seconds: 900 };

interface Data {
  [member: string]: Json;
}

export interface AskOptions extends DecideOptions {
  /** Members of the request that differ. */
  request?: Data;
}

/** A decision that needs an approval, `apr_<id>`, and its request. @returns the number of the verdict */
export function ask(chain: TestChain, id: string, { request = {}, ...options }: AskOptions = {}): number {
  const need = { ...NEED, ...options.need };
  const seq = chain.decide(id, { decision: 'REQUIRE_APPROVAL', ...options, need });
  const data = {
    ...OLD_REQUEST,
    approval_id: `apr_${id}`,
    proposal_id: id,
    input_digest: INPUT_DIGEST,
    bundle_digest: BUNDLE_DIGEST,
    ...need,
    shadow: options.enforced === false,
    state: 'pending',
    expires_at: later(chain.now(), Number(need.ttl_seconds)),
  };
  chain.append('approval', { ...data, ...request });
  return seq;
}

const OLD_REQUEST = { event: 'requested', approver: null, approver_sig: null, reason: null };

/** The same as an older version wrote it. */
export function askInFormat1(chain: TestChain, id: string, options: DecideOptions = {}): number {
  const seq = chain.decide(id, { decision: 'REQUIRE_APPROVAL', ...options, need: { ...NEED, ...options.need } });
  chain.append('approval', { ...OLD_REQUEST, approval_id: `apr_${id}` });
  return seq;
}

/** A signed decision. @param more members that differ; the signature stays that over the others */
export function settle(chain: TestChain, id: string, approver: string, event: 'granted' | 'rejected', more: Data = {}): StoredRecord {
  const at = chain.now();
  const granted = event === 'granted' && more['state'] !== 'partial';
  const data = {
    ...decision(id, approver, event, at),
    approver_key: keyOf(approver).publicKey,
    approver_groups: ['sre'],
    state: event,
    grant_expires_at: granted ? later(at, 900) : null,
  };
  return chain.append('approval', { ...data, ...more }, { reportedBy: `operator:${approver}` });
}

/** The same as an older version wrote it. */
export function settleInFormat1(
  chain: TestChain,
  id: string,
  approver: string,
  event: 'granted' | 'rejected',
  more: Data = {},
): StoredRecord {
  return chain.append('approval', { ...decision(id, approver, event, chain.now()), ...more }, { reportedBy: `operator:${approver}` });
}

export function expire(chain: TestChain, id: string): StoredRecord {
  const data = { ...OLD_REQUEST, event: 'expired', approver_key: null, approver_groups: null, state: 'expired', grant_expires_at: null };
  return chain.append('approval', { ...data, approval_id: `apr_${id}` }, { reportedBy: 'system' });
}

function decision(id: string, approver: string, event: 'granted' | 'rejected', at: string): Data {
  const statement: Statement = {
    chain_id: CHAIN_ID,
    approval_id: `apr_${id}`,
    proposal_id: id,
    input_digest: INPUT_DIGEST,
    bundle_digest: BUNDLE_DIGEST,
    decision: event === 'granted' ? 'grant' : 'reject',
    reason: null,
    at,
  };
  return { approval_id: `apr_${id}`, event, approver, approver_sig: keyOf(approver).sign(statementText(statement)), reason: null, at };
}

function later(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}
