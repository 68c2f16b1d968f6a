import { type AdapterClass, RAN_STATUSES, type ResultStatus } from '../../proposal/proposal.js';
import type { Decision } from '../../verdict/verdict.js';
import type { ResultUnit, StoredApproval } from '../store.js';

/** What is known of a decision when a result is reported on it. */
export interface Decided {
  reportedBy: string;
  class: AdapterClass;
  /** As it was answered. */
  effectiveDecision: Decision;
  approval: Pick<StoredApproval, 'state' | 'grantExpiresAt'> | null;
}

/** What to do with a report. `repeat`: `earlier` is the one that it repeats, and nothing is recorded. */
export type ResultRuling<Earlier> =
  | { kind: 'record'; assurance: 'adapter' | 'self'; contradictsVerdict: boolean; final: boolean }
  | { kind: 'repeat'; earlier: Earlier }
  | { kind: 'other-adapter' }
  | { kind: 'already-final' };

/**
 * The rules of results: only the adapter that submitted may report; the same body again is answered again; `deferred` may come
 * any number of times, and one other status ends it.
 * @param earlier results of the proposal, in the order of their records
 */
export function ruleOnResult<Earlier extends { status: ResultStatus; bodyDigest: string | null }>(
  decided: Decided,
  earlier: readonly Earlier[],
  unit: Pick<ResultUnit, 'status' | 'bodyDigest' | 'reportedBy' | 'time' | 'report'>,
): ResultRuling<Earlier> {
  if (unit.reportedBy !== decided.reportedBy) return { kind: 'other-adapter' };
  const same = earlier.find(({ bodyDigest }) => bodyDigest === unit.bodyDigest);
  if (same !== undefined) return { kind: 'repeat', earlier: same };
  if (earlier.some(({ status }) => isFinal(status))) return { kind: 'already-final' };
  return {
    kind: 'record',
    // An advisory adapter is one that the agent could go around, so what it says is the agent's own word.
    assurance: decided.class === 'enforcing' ? 'adapter' : 'self',
    contradictsVerdict: RAN_STATUSES.has(unit.status) && !mayRun(decided, startOf(unit)),
    final: isFinal(unit.status),
  };
}

/** Whether the status ends the proposal: all but `deferred` do. */
export function isFinal(status: ResultStatus): boolean {
  return status !== 'deferred';
}

/** An action that was allowed when it started may be long in running: its grant can be over when it is reported. */
function startOf({ report: { started_at: started }, time }: Pick<ResultUnit, 'report' | 'time'>): string {
  return typeof started === 'string' && started < time ? started : time;
}

function mayRun({ effectiveDecision, approval }: Decided, time: string): boolean {
  if (effectiveDecision !== 'REQUIRE_APPROVAL') return effectiveDecision === 'ALLOW';
  // Times are RFC 3339 in one form, so their order is that of their texts.
  return approval?.state === 'granted' && (approval.grantExpiresAt === null || time < approval.grantExpiresAt);
}
