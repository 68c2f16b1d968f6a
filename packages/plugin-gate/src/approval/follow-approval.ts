import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json, type JsonObject, readInstant } from '../json/index.js';
import { publicKeyOf, verifySignature } from '../keys/index.js';
import type { ApprovalNeed } from '../policy/index.js';
import { type ApprovalDecision, type ApprovalState, hasQuorum } from './approval.js';
import { statementText } from './statement.js';

/**
 * The steps of an approval, one record after another. `deriveApproval` takes them over the records of one proposal, the
 * verifier over a whole export, so both come to the same state.
 */
export interface FollowedApproval {
  readonly id: string;
  readonly proposalId: string;
  readonly inputDigest: string;
  readonly bundleDigest: string;
  readonly need: ApprovalNeed;
  readonly shadow: boolean;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly state: ApprovalState;
  readonly grantExpiresAt: string | null;
  readonly decisions: readonly ApprovalDecision[];
  /** Whether a decision or a result was erased. What it said is not known, so the approval is never granted again. */
  readonly erased: boolean;
}

/** One record. `data` is null once it is erased. */
export interface ApprovalEntry {
  /** Of the header: RFC 3339. */
  time: string;
  data: JsonObject | null;
}

export interface FollowRules {
  /** Null when it is not known: then no statement can be rebuilt, and signatures are not checked. */
  chainId: string | null;
  /** Groups of an approver whose record does not say them (format 1). */
  groupsOf: (approver: string) => readonly string[];
}

/** The records contradict each other, or themselves. Nobody may act on what they say. */
export interface Contradiction {
  fault: 'request' | 'state' | 'signature';
  message: string;
}

/**
 * The approval that a verdict asks for and the record after it requests.
 * @returns undefined when neither says enough, because they are erased
 */
export function requestApproval(verdict: JsonObject | null, request: ApprovalEntry): FollowedApproval | Contradiction | undefined {
  if (!isInstant(request.time)) return contradiction('request', 'The request of the approval has no time.');
  const asked = verdict && askedBy(verdict, request.time);
  const data = request.data;
  if (data === null || !isFormat2(data)) return asked ?? undefined;
  const requested = requestedBy(data, request.time);
  if (requested === undefined) return contradiction('request', 'The request of the approval is incomplete.');
  const { expiresAt } = requested;
  const latest = later(request.time, requested.need.ttl_seconds);
  if (data['state'] !== 'pending' || expiresAt > latest || (asked && !isDeepStrictEqual({ ...asked, expiresAt }, requested)))
    return contradiction('request', 'The request of the approval does not match the verdict.');
  return requested;
}

/** Whether an approval record has the members that format 2 added. */
export function isFormat2(data: JsonObject): boolean {
  return Object.hasOwn(data, 'state');
}

/** What a record of the approval after its request makes of it. */
export function followApproval(approval: FollowedApproval, entry: ApprovalEntry, rules: FollowRules): FollowedApproval | Contradiction {
  const { data } = entry;
  if (data === null) return closedByErasure(approval);
  const format2 = isFormat2(data);
  if (!isOpen(approval.state)) return format2 ? contradiction('state', 'A record follows the end of the approval.') : approval;
  const next = nextOf(approval, entry.time, data, rules);
  if (next === undefined) return contradiction('state', 'A record of the approval is incomplete, or comes too late.');
  if (!format2) return next;
  const state = next.state === 'pending' ? 'partial' : next.state;
  if (data['state'] !== state || (data['grant_expires_at'] ?? null) !== (state === 'granted' ? next.grantExpiresAt : null))
    return contradiction('state', 'The recorded state of the approval does not follow from its records.');
  return signatureHolds(approval, data, rules)
    ? next
    : contradiction('signature', 'The key of the approver does not match the signature of the decision.');
}

/** What a result of the proposal makes of it: every status but `deferred` is final, and consumes. One that is erased may have been final. */
export function followResult(approval: FollowedApproval, { data }: Pick<ApprovalEntry, 'data'>): FollowedApproval {
  if (data?.['status'] === 'deferred') return approval;
  const erased = approval.erased || data === null;
  return isOpen(approval.state) || approval.erased ? { ...approval, erased, state: 'consumed' } : { ...approval, erased };
}

function isOpen(state: ApprovalState): boolean {
  return state === 'pending' || state === 'granted';
}

function closedByErasure(approval: FollowedApproval): FollowedApproval {
  return { ...approval, erased: true, state: isOpen(approval.state) ? 'cancelled' : approval.state };
}

/** What the verdict record says of the approval: all that there is in format 1. */
function askedBy(data: JsonObject, time: string): FollowedApproval | undefined {
  const verdict = member(data, 'verdict');
  const need = needOf(member(verdict, 'approval'));
  const { approval: id, proposal_id: proposalId, enforced } = data;
  const { input_digest: inputDigest } = verdict;
  const { digest: bundleDigest } = member(verdict, 'bundle');
  if (!isText(id) || !isText(proposalId) || !isText(inputDigest) || !isText(bundleDigest) || need === undefined) return undefined;
  const expiresAt = later(time, need.ttl_seconds);
  return begun({ id, proposalId, inputDigest, bundleDigest, need, shadow: enforced !== true, requestedAt: time, expiresAt });
}

function requestedBy(data: JsonObject, time: string): FollowedApproval | undefined {
  const need = needOf(data);
  const { approval_id: id, proposal_id: proposalId, input_digest: inputDigest, bundle_digest: bundleDigest, shadow } = data;
  const { expires_at: expiresAt } = data;
  if (!isText(id) || !isText(proposalId) || !isText(inputDigest) || !isText(bundleDigest) || need === undefined) return undefined;
  if (typeof shadow !== 'boolean' || !isInstant(expiresAt)) return undefined;
  return begun({ id, proposalId, inputDigest, bundleDigest, need, shadow, requestedAt: time, expiresAt });
}

function begun(request: Omit<FollowedApproval, 'state' | 'grantExpiresAt' | 'decisions' | 'erased'>): FollowedApproval {
  return { ...request, state: 'pending', grantExpiresAt: null, decisions: [], erased: false };
}

/** @returns undefined when the record cannot be what it says */
function nextOf(approval: FollowedApproval, time: string, data: JsonObject, rules: FollowRules): FollowedApproval | undefined {
  const { event } = data;
  if (event === 'cancelled') return { ...approval, state: 'cancelled' };
  // An older version has counted with other groups, so it may have gone on where this one finds the quorum complete.
  if (approval.state !== 'pending' && isFormat2(data)) return undefined;
  if (event === 'expired') return time < approval.expiresAt ? undefined : { ...approval, state: 'expired' };
  if (event !== 'granted' && event !== 'rejected') return undefined;
  const decision = decisionIn(data, time, event, rules);
  if (decision === undefined || decision.at >= approval.expiresAt) return undefined;
  if (approval.decisions.some(({ approver }) => approver === decision.approver)) return undefined;
  const decisions = [...approval.decisions, decision];
  if (event === 'rejected') return { ...approval, decisions, state: 'rejected' };
  if (!hasQuorum(approval.need, decisions)) return { ...approval, decisions };
  return { ...approval, decisions, state: 'granted', grantExpiresAt: later(decision.at, approval.need.grant_ttl_seconds) };
}

function decisionIn(
  data: JsonObject,
  time: string,
  event: 'granted' | 'rejected',
  { groupsOf }: FollowRules,
): ApprovalDecision | undefined {
  const { approver, approver_sig: signature = null, reason = null, at = time } = data;
  if (!isText(approver) || !isInstant(at) || !(reason === null || typeof reason === 'string')) return undefined;
  const groups = isFormat2(data) ? textsIn(data['approver_groups']) : groupsOf(approver);
  if (groups === undefined) return undefined;
  return { approver, decision: event === 'granted' ? 'grant' : 'reject', at, signed: signature !== null, reason, groups };
}

/** An unsigned decision has neither signature nor key. */
function signatureHolds(approval: FollowedApproval, data: JsonObject, { chainId }: FollowRules): boolean {
  const { approver_sig: signature = null, approver_key: key = null } = data;
  if (signature === null || key === null) return signature === key;
  if (!isText(signature) || !isText(key)) return false;
  return chainId === null || isSignedDecision(approval, data, { chainId, key, signature });
}

/** Whether a key has signed the statement that a granted or rejected record is about. */
export function isSignedDecision(
  approval: FollowedApproval,
  { event, reason, at }: JsonObject,
  { chainId, key, signature }: { chainId: string; key: string; signature: string },
): boolean {
  const statement = {
    chain_id: chainId,
    approval_id: approval.id,
    proposal_id: approval.proposalId,
    input_digest: approval.inputDigest,
    bundle_digest: approval.bundleDigest,
    decision: event === 'granted' ? ('grant' as const) : ('reject' as const),
    reason: typeof reason === 'string' ? reason : null,
    at: typeof at === 'string' ? at : '',
  };
  // One key has one text.
  if (Buffer.from(key, 'base64url').length !== 32 || Buffer.from(key, 'base64url').toString('base64url') !== key) return false;
  return verifySignature(statementText(statement), signature, publicKeyOf(key));
}

function needOf({ groups, quorum, ttl_seconds: ttl, grant_ttl_seconds: grantTtl }: JsonObject): ApprovalNeed | undefined {
  const names = textsIn(groups);
  if (names === undefined || !isCount(quorum) || !isCount(ttl) || !isCount(grantTtl)) return undefined;
  return { groups: names, quorum, ttl_seconds: ttl, grant_ttl_seconds: grantTtl };
}

function later(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}

function contradiction(fault: Contradiction['fault'], message: string): Contradiction {
  return { fault, message };
}

/** A member that should be an object; without members when it is not one. */
function member(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

/** Times that a computer's clock may show: their sums stay in the one form that times have. */
function isInstant(value: Json | undefined): value is string {
  return typeof value === 'string' && value >= '1970' && value < '9000' && readInstant(value) !== undefined;
}

/** Policies allow at most a year of seconds; more would leave the range of dates. */
const MOST = 31_536_000;

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MOST;
}

function textsIn(value: Json | undefined): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = (value as readonly Json[]).filter(isText);
  return texts.length === value.length ? texts : undefined;
}
