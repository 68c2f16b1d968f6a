import type { ManifestJudge } from './check-input.js';
import type { FilledEnvelope } from './defaults.js';

export type JudgedManifests = Awaited<ReturnType<ManifestJudge>>;

/**
 * What the rule engine says of `action.parameters.manifests`; undefined where there is none. One object counts as a list of
 * one, and so does anything else that is there: it cannot be evaluated, and that must not look like nothing to evaluate.
 */
export async function judgeManifests({ proposal }: FilledEnvelope, judge: ManifestJudge): Promise<JudgedManifests | undefined> {
  const manifests = proposal.action.parameters?.['manifests'];
  if (manifests === undefined || (Array.isArray(manifests) && manifests.length === 0)) return undefined;
  return judge(Array.isArray(manifests) ? manifests : [manifests]);
}
