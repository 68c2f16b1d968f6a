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
