import type { Reason } from './verdict.js';

/** Codes of verdict reasons. Every message is static: nothing of the input can reach it. */
export const REASONS = {
  'AG-POL-010': 'No policy allows this.',
  'AG-POL-011': 'A policy could not be evaluated for this proposal, so it denies.',
  'AG-POL-012': 'This needs a valid mandate.',
  'AG-POL-013': 'The mandate is not signed with a trusted key.',
  'AG-POL-014': 'The mandate is not in force.',
  'AG-POL-015': 'The mandate does not cover this.',
  'AG-POL-016': 'The action exceeds the limits of the mandate.',
  'AG-POL-017': 'The mandate was revoked.',
  'AG-POL-018': 'The remaining budget is too small.',
  'AG-POL-019': 'The budget statement cannot be used.',
  'AG-POL-020': 'A policy denies this.',
  'AG-POL-021': 'This needs an approval.',
  'AG-POL-022': 'This is allowed.',
} as const;

export type ReasonCode = keyof typeof REASONS;

/** A reason that no policy gave. @param message a fixed text that says more than the general one of the code */
export function ownReason(code: ReasonCode, message: string = REASONS[code]): Reason {
  return { code, message };
}

/** By code, then policy; reasons without a policy first. */
export function sortReasons(reasons: readonly Reason[]): Reason[] {
  return [...reasons].sort((a, b) => compare(a.code, b.code) || compare(a.policy ?? '', b.policy ?? '') || compare(a.message, b.message));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
