import { type Rule, SEVERITIES, type Severity } from '@bylaw/core/rule';
import type { ValidationAction } from './policy.js';

/** How a cluster meets what does not pass: as `--mode` says, for every rule alike. */
export const MODES = ['deny', 'warn', 'audit'] as const;
export type Mode = (typeof MODES)[number];

const ACTIONS: { readonly [mode in Mode]: readonly ValidationAction[] } = { deny: ['Deny'], warn: ['Warn', 'Audit'], audit: ['Audit'] };

/** From which severity on the webhook denies and warns; policies do the same. */
export interface Thresholds {
  mode: 'enforce' | 'warn' | 'audit';
  deny_on: Severity | 'NONE';
  warn_on: Severity | 'NONE';
}

/** What comes of an object that a rule does not let pass. */
export function actionsFor(mode: Mode | undefined, thresholds: Thresholds): (rule: Rule) => readonly ValidationAction[] {
  if (mode !== undefined) return () => ACTIONS[mode];
  return ({ severity }) => {
    if (thresholds.mode === 'enforce' && reaches(severity, thresholds.deny_on)) return ACTIONS.deny;
    const warns = thresholds.mode !== 'audit' && (reaches(severity, thresholds.warn_on) || reaches(severity, thresholds.deny_on));
    return warns ? ACTIONS.warn : ACTIONS.audit;
  };
}

function reaches(severity: Severity, threshold: Severity | 'NONE'): boolean {
  return threshold !== 'NONE' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}
