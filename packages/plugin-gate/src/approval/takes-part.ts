import { foldedName } from '../json/index.js';

/** Whether an approver is somebody who takes part in the proposal, under the own id or under an alias (`principals`). */
export function takesPart(
  approver: { id: string; principals?: readonly string[] | undefined },
  parties: readonly (string | null | undefined)[],
): boolean {
  const own = new Set([approver.id, ...(approver.principals ?? [])].map(foldedName));
  return parties.some((party) => typeof party === 'string' && own.has(foldedName(party)));
}
