/** Approvers with their groups, as the configuration says: what decisions of format 1 count for. */
export interface ApproverGroups {
  id: string;
  groups: readonly string[];
}

/** @returns what finds the groups of an approver; none for who is not configured */
export function groupsOf(approvers: readonly ApproverGroups[] = []): (approver: string) => readonly string[] {
  return (approver) => approvers.find(({ id }) => id === approver)?.groups ?? [];
}
