import { deriveApproval, type FollowRules, type HistoryEntry } from '../../../approval/index.js';
import type { JsonObject } from '../../../json/index.js';
import type { ApprovalState, StoredApproval } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import type { Queries } from '../database/queries.js';
import { altered, type Proofs } from '../seal/proofs.js';
import { readDecisions, type SignedDecision } from './read-decisions.js';
import { type HistoryRecord, readHistory } from './read-history.js';

/** What the table says of an approval: a cache, by which approvals are found and never answered. */
export interface CachedApproval {
  id: string;
  proposalId: string;
  state: ApprovalState;
}

/**
 * Derives the approvals of decisions from their signed records.
 * @param results of the proposals, where they were read already
 * @returns by the id of the proposal; decisions that need none are not in it
 * @throws {StoreError} AG-EVD-004 when records contradict each other, were altered, or are missing
 */
export async function approvalsOf(
  client: Queries,
  decisions: readonly SignedDecision[],
  { proofs, rules, results }: { proofs: Proofs; rules: Omit<FollowRules, 'chainId'>; results?: readonly HistoryRecord[] },
): Promise<Map<string, StoredApproval>> {
  const asking = decisions.filter(({ verdict, request }) => verdict === null || verdict.approval !== null || request !== undefined);
  if (asking.length === 0) return new Map();
  const ids = await idsOf(client, asking);
  const records = await readHistory(client, 'approval', [...ids.values()], proofs);
  const reported = results ?? (await readHistory(client, 'result', [...ids.keys()], proofs));
  return new Map(
    asking.flatMap((decision) => {
      const own = records.filter(({ subject }) => subject === ids.get(decision.id));
      const followers = [...own, ...reported.filter(({ subject }) => subject === decision.id).map(asResult)];
      const derived = deriveApproval(historyOf(decision, followers), { ...rules, chainId: proofs.chainId });
      if (derived.kind === 'contradiction') throw altered(derived.message);
      return derived.kind === 'none' ? [] : [[decision.id, derived.approval] as const];
    }),
  );
}

/** Approvals by the id of their proposal, as their verdicts say; of an erased one only the table knows it. */
async function idsOf(client: Queries, decisions: readonly SignedDecision[]): Promise<Map<string, string>> {
  const erased = decisions.filter(({ verdict }) => verdict === null).map(({ id }) => id);
  const cached = erased.length === 0 ? [] : await readCached(client, 'proposal_id = ANY($1)', [erased]);
  const told = decisions.flatMap(({ id, verdict }) => (verdict?.approval ? [[id, verdict.approval] as const] : []));
  return new Map([...cached.map(({ id, proposalId }) => [proposalId, id] as const), ...told]);
}

interface ApprovalRow {
  id: string;
  proposal_id: string;
  state: ApprovalState;
}

/** @param condition over the table; never of input */
export async function readCached(client: Queries, condition: string, values: readonly unknown[]): Promise<CachedApproval[]> {
  const { rows } = await client.query<ApprovalRow>(
    `SELECT id, proposal_id, state FROM ${SCHEMA}.approval WHERE ${condition} ORDER BY id DESC`,
    [...values],
  );
  return rows.map(({ id, proposal_id, state }) => ({ id, proposalId: proposal_id, state }));
}

/** Approvals that are derived at one time. */
const PART = 200;

/** Derives approvals that were found in the table, in the same order. */
export async function deriveCached(
  client: Queries,
  cached: readonly CachedApproval[],
  how: { proofs: Proofs; rules: Omit<FollowRules, 'chainId'> },
): Promise<{ cached: CachedApproval; approval: StoredApproval }[]> {
  const found: { cached: CachedApproval; approval: StoredApproval }[] = [];
  for (let at = 0; at < cached.length; at += PART) {
    const part = cached.slice(at, at + PART);
    const decisions = await readDecisions(client, [...new Set(part.map(({ proposalId }) => proposalId))], how.proofs);
    const approvals = await approvalsOf(client, decisions, how);
    for (const one of part) {
      const approval = approvals.get(one.proposalId);
      if (approval !== undefined && approval.id !== one.id) throw altered('A row names an approval of another proposal.');
      if (approval !== undefined) found.push({ cached: one, approval });
    }
  }
  return found;
}

type Follower = HistoryRecord & { type: 'approval' | 'result' };

function asResult(record: HistoryRecord): HistoryRecord & { type: 'result' } {
  return { ...record, type: 'result' };
}

function historyOf(decision: SignedDecision, followers: readonly (HistoryRecord & { type?: 'result' })[]): HistoryEntry[] {
  const { recorded, reportedBy, proposal, verdict, request } = decision;
  const own = { time: recorded.time, reportedBy };
  // Plain data: the types say so member by member.
  const plain = (data: object | null) => data as JsonObject | null;
  const sorted = followers
    .map((follower): Follower => ({ ...follower, type: follower.type ?? 'approval' }))
    .sort((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity) || a.acceptedAs - b.acceptedAs);
  return [
    { type: 'proposal', ...own, data: plain(proposal) },
    { type: 'verdict', ...own, data: plain(verdict) },
    ...(request === undefined
      ? []
      : [{ type: 'approval' as const, time: request.time, reportedBy: request.reportedBy, data: JSON.parse(request.data) }]),
    ...sorted.map(({ type, time, reportedBy: by, data }) => ({ type, time, reportedBy: by, data })),
  ];
}
