import type { ApprovalStanding } from '../../approval/index.js';
import type { StoredApproval } from '../../store/index.js';

/** As JSON, in the words of the configuration and the API. */
export function approvalJson(approval: StoredApproval, state: ApprovalStanding) {
  const { id, proposalId, need, shadow, inputDigest, bundleDigest, adapter, principal, agent, requestedAt, expiresAt, grantExpiresAt } =
    approval;
  return {
    id,
    proposal_id: proposalId,
    state,
    groups: need.groups,
    quorum: need.quorum,
    shadow,
    adapter,
    principal,
    agent,
    requested_at: requestedAt,
    expires_at: expiresAt,
    grant_expires_at: grantExpiresAt,
    input_digest: inputDigest,
    bundle_digest: bundleDigest,
    decisions: approval.decisions,
  };
}

/** One line per approval. */
export function approvalLines(approvals: readonly ReturnType<typeof approvalJson>[]): string {
  if (approvals.length === 0) return 'No approvals.\n';
  const rows = approvals.map((one) => [
    one.id,
    one.state,
    one.expires_at,
    one.groups.join(','),
    one.principal ?? '(erased)',
    one.proposal_id,
  ]);
  return columns([['APPROVAL', 'STATE', 'EXPIRES', 'GROUPS', 'PRINCIPAL', 'PROPOSAL'], ...rows]);
}

function columns(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
