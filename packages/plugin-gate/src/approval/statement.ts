import { canonical } from '../json/index.js';

/** What an approver says of an approval. It is bound to the input and the policies that were evaluated, so it cannot serve another. */
export interface Statement {
  chain_id: string;
  approval_id: string;
  proposal_id: string;
  input_digest: string;
  bundle_digest: string;
  decision: 'grant' | 'reject';
  reason: string | null;
  /** RFC 3339, UTC, milliseconds. */
  at: string;
}

/** The text that an approver signs. */
export function statementText(statement: Statement): string {
  return `svc-approval/1\n${canonical({ ...statement })}`;
}
