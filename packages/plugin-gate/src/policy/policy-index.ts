import type { Policy } from './bundle.js';

/**
 * Finds the policies that may concern an action type: by the first name of the type, where the globs of a policy say it.
 * A policy of another first name is not even looked at.
 */
export function policyIndex(policies: readonly Policy[]): (actionType: string) => readonly Policy[] {
  const heads = policies.map((policy) => ({ policy, heads: headsOf(policy) }));
  const ofHead = (head: string | undefined) =>
    heads.filter((entry) => entry.heads === undefined || (head !== undefined && entry.heads.has(head)));
  const known = new Set(heads.flatMap((entry) => [...(entry.heads ?? [])]));
  const byHead = new Map([...known].map((head) => [head, ofHead(head).map(({ policy }) => policy)]));
  const others = ofHead(undefined).map(({ policy }) => policy);
  return (actionType) => byHead.get(headOf(actionType)) ?? others;
}

/** First names of the action types that a policy may match; undefined: any. */
function headsOf({ match }: Policy): Set<string> | undefined {
  const heads = match.actions?.map(headOf);
  return heads === undefined || heads.some((head) => head.includes('*')) ? undefined : new Set(heads);
}

function headOf(actionType: string): string {
  const dot = actionType.indexOf('.');
  return dot < 0 ? actionType : actionType.slice(0, dot);
}
