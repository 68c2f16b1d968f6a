import type { Decision } from '../verdict/index.js';
import type { Submission } from './submit.js';

/** What an adapter does when the gate does not decide. */
export type FailMode = 'closed' | 'open';

/**
 * What an adapter may do. It follows `effective_decision`, never `verdict.decision`: in shadow mode these differ.
 *
 * `closed` takes whatever is not a decision as a refusal. `open` lets the action go ahead, unrecorded, where the gate cannot be
 * reached or cannot decide; a request that the gate has refused stays refused, or a malformed proposal would be a way around it.
 */
export function permission(submission: Submission, fail: FailMode): { decision: Decision; guarded: boolean } {
  if (submission.kind === 'decided') return { decision: submission.answer.effective_decision, guarded: true };
  if (submission.kind === 'unavailable' && fail === 'open') return { decision: 'ALLOW', guarded: false };
  return { decision: 'DENY', guarded: submission.kind === 'refused' };
}
