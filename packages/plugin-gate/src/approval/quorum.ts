import type { ApprovalNeed } from '../policy/index.js';
import type { ApprovalDecision } from './approval.js';

/** Whether each group that the verdict names has its quorum of different approvers; one person may stand for several groups. */
export function hasQuorum(
  { groups, quorum }: Pick<ApprovalNeed, 'groups' | 'quorum'>,
  decisions: readonly Pick<ApprovalDecision, 'approver' | 'decision' | 'groups'>[],
): boolean {
  const grants = decisions.filter(({ decision }) => decision === 'grant');
  return groups.every((group) => new Set(grants.flatMap((grant) => (grant.groups.includes(group) ? grant.approver : []))).size >= quorum);
}
