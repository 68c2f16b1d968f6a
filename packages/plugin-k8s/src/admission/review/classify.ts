import type { EvaluatedObject, Finding } from '@bylaw/core/evaluate';
import { SEVERITIES } from '@bylaw/core/rule';
import type { Threshold, WebhookConfig } from '../../config/webhook-section.js';

/** The findings on an object by what they do; each list has the most severe first. */
export interface Classified {
  /** Would deny the request where the mode lets them. */
  denying: Finding[];
  warning: Finding[];
  /** Neither. */
  minor: Finding[];
  /** How many of these the old object had already. They never deny. */
  known: number;
  suppressed: number;
}

export type Thresholds = Pick<WebhookConfig, 'deny_on' | 'warn_on' | 'unjudged'>;

/**
 * @param old the findings about the object as it is, where only new findings count. A finding is known if the old object has the same one, of
 *   the same rule at the same place in the same words: another capability, or another image, is another finding.
 */
export function classify(now: EvaluatedObject, old: EvaluatedObject | undefined, thresholds: Thresholds): Classified {
  const before = new Set(old?.findings.flatMap((finding, index) => (counts(finding) ? [identity(old.keys[index], finding)] : [])));
  const classified: Classified = { denying: [], warning: [], minor: [], known: 0, suppressed: 0 };
  for (const [index, finding] of now.findings.entries()) {
    if (finding.status === 'suppressed') classified.suppressed += 1;
    if (!counts(finding)) continue;
    const known = before.has(identity(now.keys[index], finding));
    if (known) classified.known += 1;
    const denies = !known && reaches(finding, thresholds.deny_on) && (finding.status === 'fail' || thresholds.unjudged === 'denied');
    const warns = reaches(finding, thresholds.warn_on) || reaches(finding, thresholds.deny_on);
    (denies ? classified.denying : warns ? classified.warning : classified.minor).push(finding);
  }
  for (const list of [classified.denying, classified.warning, classified.minor]) list.sort(bySeverity);
  return classified;
}

/** A rule that cannot be evaluated on the object has not said that all is well. */
function counts({ status }: Finding): boolean {
  return status === 'fail' || status === 'error';
}

function identity(key: string | undefined, { status, message }: Finding): string {
  return JSON.stringify([key, status, message]);
}

function reaches({ severity }: Finding, threshold: Threshold): boolean {
  return threshold !== 'NONE' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}

function bySeverity(a: Finding, b: Finding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}
