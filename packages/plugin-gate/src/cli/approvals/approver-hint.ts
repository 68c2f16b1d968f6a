import { nearest } from '@bylaw/core/nearest';
import { type ApprovalRules, type ApproverDecision, ruleOnApproval } from '../../approval/index.js';
import type { StoredApproval } from '../../store/index.js';

/** Approvers that a hint names. */
const MAX_NAMED = 10;

/**
 * What a person whose decision was refused can do: whose key that is, which approver was meant, and who can decide.
 * @param publicKey of the key that signed the decision, if one did
 */
export function approverHint(approval: StoredApproval, decided: ApproverDecision, rules: ApprovalRules, publicKey?: string): string {
  const { approvers } = rules;
  const known = approvers.some(({ id }) => id === decided.approver);
  const owner = approvers.find((approver) => approver.public_key === publicKey);
  const near = known
    ? undefined
    : nearest(
        decided.approver,
        approvers.map(({ id }) => id),
      );
  return [
    ...(known && publicKey === undefined && !rules.allowUnsigned ? ['Sign the decision with the key of the approver: --key FILE.'] : []),
    ...(owner && owner.id !== decided.approver ? [`This is the key of ${owner.id}.`] : []),
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    ableText(approval, decided, rules),
  ].join(' ');
}

/** Who is able to decide follows from the rules themselves: those whom they would not refuse. */
function ableText(approval: StoredApproval, decided: ApproverDecision, rules: ApprovalRules): string {
  const able = rules.approvers.filter(({ id }) => {
    const ruling = ruleOnApproval(approval, { ...decided, approver: id, signature: null }, { ...rules, allowUnsigned: true });
    return !('code' in ruling);
  });
  const named = able.slice(0, MAX_NAMED).map(({ id, groups }) => `${id} (${groups.join(', ')})`);
  const more = able.length > MAX_NAMED ? `, and ${able.length - MAX_NAMED} more` : '';
  if (able.length > 0) return `Approvers who can ${decided.decision} it: ${named.join(', ')}${more}.`;
  if (rules.approvers.length > 0) return `No configured approver can ${decided.decision} it.`;
  return 'No approvers are configured. Create a key with `bylaw approvals key FILE`, and add its entry to bylaw.yaml.';
}
