import { isJsonObject, type Json, type JsonObject } from '../json/index.js';
import type { StoredApproval } from './approval.js';
import {
  type ApprovalEntry,
  type Contradiction,
  type FollowRules,
  followApproval,
  followResult,
  requestApproval,
} from './follow-approval.js';

/** A record of a proposal. The caller has verified it, and that it belongs to this proposal. */
export interface HistoryEntry extends ApprovalEntry {
  type: 'proposal' | 'verdict' | 'approval' | 'result';
  /** Of the header. */
  reportedBy: string;
}

/** `none`: the verdict needs no approval, or all that said what it needs is erased. */
export type DerivedApproval = { kind: 'none' } | { kind: 'approval'; approval: StoredApproval; erased: boolean } | ContradictoryApproval;

/** The records of a proposal contradict each other, though each of them is signed. Nobody may act on them. */
export interface ContradictoryApproval extends Contradiction {
  kind: 'contradiction';
}

/**
 * Derives how an approval stands from the records of its proposal alone. A store must give it every record of the proposal:
 * its proposal, its verdict, the approval records that name the approval of the verdict, and the results that name the
 * proposal, in the order of the chain (what is not numbered yet comes last, in the order in which it was accepted). It finds
 * them by what they say, never by a table beside the chain, and verifies each before: header, digest of the data, number,
 * type, and the signature under the key that was active there (of an entry of an outbox: the signature of the entry). Erased
 * records have lost what they say; the store adds those that its tables name.
 */
export function deriveApproval(history: readonly HistoryEntry[], rules: FollowRules): DerivedApproval {
  const verdict = history.find(({ type }) => type === 'verdict');
  const [request, ...followers] = history.filter(({ type }) => type === 'approval' || type === 'result');
  const asked = verdict?.data?.['approval'] ?? null;
  if (request?.type !== 'approval')
    return asked === null ? { kind: 'none' } : contradictory('request', 'The approval was never requested.');
  const named = [request, ...followers].every((entry) => isNamed(entry, verdict?.data, asked, request.data));
  if (!named || (request.data !== null && request.data['event'] !== 'requested'))
    return contradictory('request', 'The records of the approval belong to different approvals.');
  let followed = requestApproval(verdict?.data ?? null, request);
  for (const entry of followers) {
    if (followed === undefined || 'fault' in followed) break;
    followed = entry.type === 'result' ? followResult(followed, entry) : followApproval(followed, entry, rules);
  }
  if (followed === undefined) return { kind: 'none' };
  if ('fault' in followed) return { kind: 'contradiction', ...followed };
  const { erased, decisions, ...state } = followed;
  const { principal, agent } = partiesOf(history);
  const approval = { ...state, adapter: verdict?.reportedBy ?? '', principal, agent, decisions: [...decisions] };
  return { kind: 'approval', approval, erased };
}

function contradictory(fault: Contradiction['fault'], message: string): ContradictoryApproval {
  return { kind: 'contradiction', fault, message };
}

/** Whether a record names the approval, or the proposal, that the verdict names. */
function isNamed({ type, data }: HistoryEntry, verdict: JsonObject | null | undefined, asked: Json, request: JsonObject | null): boolean {
  if (data === null) return true;
  const proposalId = verdict?.['proposal_id'] ?? request?.['proposal_id'];
  if (type === 'result') return proposalId === undefined || data['proposal_id'] === proposalId;
  return data['approval_id'] === (verdict ? asked : request?.['approval_id']);
}

function partiesOf(history: readonly HistoryEntry[]): { principal: string | null; agent: string | null } {
  const proposal = history.find(({ type }) => type === 'proposal')?.data?.['proposal'];
  const idOf = (party: Json | undefined) => (isJsonObject(party) && typeof party['id'] === 'string' ? party['id'] : null);
  return isJsonObject(proposal)
    ? { principal: idOf(proposal['principal']), agent: idOf(proposal['agent']) }
    : { principal: null, agent: null };
}
