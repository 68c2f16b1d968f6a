import {
  type FollowedApproval,
  followApproval,
  followResult,
  isFormat2,
  isSignedDecision,
  requestApproval,
  takesPart,
} from '../../approval/index.js';
import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';
import { RAN_STATUSES } from '../../proposal/index.js';
import type { Format } from '../format/index.js';
import { idTable } from '../id-table.js';
import type { ReadRecord } from './parse-record-line.js';
import type { FailureCode, ReadableReport } from './report.js';

/** An approver that an auditor trusts. Somebody who had several keys has an entry for each. */
export interface TrustedApprover {
  id: string;
  /** Raw Ed25519 key, base64url. */
  public_key: string;
  groups: readonly string[];
  /** Other names under which the approver submits proposals. */
  principals?: readonly string[];
}

/** What decisions on approvals are held against. */
export interface ApproverList {
  approvers: readonly TrustedApprover[];
  /** Whether decisions without a signature are accepted. */
  allowUnsigned: boolean;
}

/**
 * Follows approvals: requests after their verdicts, states that follow from the records, quorums by the recorded groups, and
 * signatures of approvers. Memory: about one kilobyte for each approval that is open, 48 bytes for each that has ended.
 */
export interface ApprovalWalk {
  /** @param chainId null while it is not known. @param format in force for the record */
  next(read: ReadRecord, chainId: string | null, format: Format): FailureCode[];
  summary(): ReadableReport['approver_decisions'];
}

interface Open {
  approval: FollowedApproval;
  /** Number of the request. */
  from: number;
  /** Principal and agent; empty when they are not known. */
  parties: readonly string[];
}

/** @param list undefined: only what the chain itself says is checked */
export function approvalWalk(list?: ApproverList): ApprovalWalk {
  /** By approval. */
  const open = new Map<string, Open>();
  /** The open approval of a proposal. */
  const asked = new Map<string, string>();
  /** Approvals that have ended, with the numbers of their requests. */
  const ended = idTable();
  /** Proposals whose approval has ended without a result, with the numbers of their requests. */
  const refused = idTable();
  const counts = { signed: 0, unsigned: 0, unchecked: 0 };
  let first: number | undefined;
  /** The last approval record that is erased: what it said is missing in the approvals that were open. */
  let lastErased = -1;
  let parties: readonly string[] = [];
  let verdict: { seq: number; data: JsonObject | null } | undefined;

  const groupsOf = (approver: string) => list?.approvers.find(({ id }) => id === approver)?.groups ?? [];

  const request = ({ record, header }: ReadRecord, data: JsonObject, id: string): FailureCode[] => {
    const follows = verdict?.seq === record.seq - 1;
    const before = follows ? (verdict?.data ?? null) : null;
    const names = before === null || before['approval'] === id;
    const known = open.has(id) || ended.get(id) !== undefined;
    if (isFormat2(data) && (known || !names || !(follows || record.seq === first))) return ['approval-request'];
    if (known || !names) return [];
    const approval = requestApproval(before, { time: header.time, data });
    if (approval === undefined) return [];
    if ('fault' in approval) return ['approval-request'];
    open.set(id, { approval, from: record.seq, parties });
    asked.set(approval.proposalId, id);
    return [];
  };

  const decide = ({ header }: ReadRecord, data: JsonObject, id: string, chainId: string | null): FailureCode[] => {
    const found = open.get(id);
    const failures = data['event'] === 'granted' || data['event'] === 'rejected' ? checkDecision(data, found, chainId) : [];
    if (found === undefined) {
      if (!isFormat2(data) || lastErased >= 0) return failures;
      if (ended.get(id) !== undefined) return [...failures, 'approval-state'];
      // The request may come before the range.
      return first === 0 ? [...failures, 'approval-request'] : failures;
    }
    const next = followApproval(found.approval, { time: header.time, data }, { chainId, groupsOf });
    if (!('fault' in next)) keep(id, { ...found, approval: next });
    else if (next.fault === 'state' && lastErased > found.from) close(id, found);
    else return [...failures, `approval-${next.fault}`];
    return failures;
  };

  /** Counts a decision, and holds it against the list. `followApproval` checks its signature under the recorded key. */
  const checkDecision = (data: JsonObject, found: Open | undefined, chainId: string | null): FailureCode[] => {
    const { approver, approver_sig: signature, proof } = data;
    const named = list?.approvers.filter(({ id }) => id === approver) ?? [];
    if (signature === null && proof === undefined) {
      counts.unsigned++;
      if (list === undefined) return [];
      return [...(list.allowUnsigned ? [] : (['approver-unsigned'] as const)), ...heldAgainst(named[0], data, found)];
    }
    if (found === undefined || chainId === null || (list === undefined && !isFormat2(data))) {
      counts.unchecked++;
      return [];
    }
    // A proof of another kind has no key here.
    if (isFormat2(data) && (data['approver_key'] ?? null) === null) counts.unchecked++;
    else counts.signed++;
    if (list === undefined) return [];
    return heldAgainst(signerOf(data, found.approval, chainId, named), data, found);
  };

  const report = (data: JsonObject): FailureCode[] => {
    const { proposal_id: proposalId, status } = data;
    if (typeof proposalId !== 'string') return [];
    // An action that needs an approval runs with a grant, or the result says that it contradicts the verdict.
    const claims = data['contradicts_verdict'] === false && typeof status === 'string' && RAN_STATUSES.has(status);
    const id = asked.get(proposalId);
    const found = id === undefined ? undefined : open.get(id);
    if (id === undefined || found === undefined) {
      const from = refused.get(proposalId);
      return claims && from !== undefined && lastErased < from ? ['approval-state'] : [];
    }
    keep(id, { ...found, approval: followResult(found.approval, { data }) });
    const { state, shadow, decisions } = found.approval;
    const unclear = lastErased > found.from || decisions.some(({ groups }) => groups.length === 0);
    return claims && !shadow && state !== 'granted' && !unclear ? ['approval-state'] : [];
  };

  const keep = (id: string, next: Open) => {
    if (next.approval.state === 'pending' || next.approval.state === 'granted') open.set(id, next);
    else close(id, next);
  };
  const close = (id: string, { approval, from }: Open) => {
    open.delete(id);
    asked.delete(approval.proposalId);
    ended.putIfAbsent(id, from);
    const ranNever = approval.state === 'rejected' || approval.state === 'expired';
    if (ranNever && !approval.shadow) refused.putIfAbsent(approval.proposalId, from);
  };

  return {
    next(read, chainId, format) {
      const { record } = read;
      const data = isJsonObject(read.data) ? read.data : null;
      first ??= record.seq;
      if (record.type === 'proposal') parties = partiesOf(data);
      if (record.type === 'verdict') verdict = { seq: record.seq, data };
      if (record.type === 'result' && data !== null) return report(data);
      if (record.type !== 'approval') return [];
      if (data === null) {
        lastErased = record.seq;
        return [];
      }
      const id = data['approval_id'];
      if (typeof id !== 'string' || (format === 2 && !isFormat2(data))) return ['approval-request'];
      return data['event'] === 'requested' ? request(read, data, id) : decide(read, data, id, chainId);
    },
    summary: () => ({ ...counts }),
  };
}

/** The entry of the list whose key has signed. */
function signerOf(
  data: JsonObject,
  approval: FollowedApproval,
  chainId: string,
  named: readonly TrustedApprover[],
): TrustedApprover | undefined {
  const signature = data['approver_sig'];
  if (typeof signature !== 'string') return undefined;
  return named.find(({ public_key: key }) => isSignedDecision(approval, data, { chainId, key, signature }));
}

function heldAgainst(entry: TrustedApprover | undefined, data: JsonObject, found: Open | undefined): FailureCode[] {
  if (entry === undefined) return ['approver'];
  const groups = data['approver_groups'];
  const recorded = Array.isArray(groups) ? (groups as readonly Json[]) : [];
  const failures: FailureCode[] = [];
  if (!recorded.every((group) => entry.groups.some((own) => own === group))) failures.push('approver-groups');
  if (takesPart(entry, found?.parties ?? [])) failures.push('four-eyes');
  return failures;
}

function partiesOf(data: JsonObject | null): string[] {
  const proposal = data?.['proposal'];
  if (!isJsonObject(proposal)) return [];
  return [proposal['principal'], proposal['agent']].flatMap((party) =>
    isJsonObject(party) && typeof party['id'] === 'string' ? [party['id']] : [],
  );
}
