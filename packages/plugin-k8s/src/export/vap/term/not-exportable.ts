/** Why a rule, or a part of one, has no ValidatingAdmissionPolicy. */
export const REASONS = {
  set: 'checks several resources, but a policy sees only one object',
  manifest: 'checks manifests before they reach a cluster',
  file: 'checks files that no API server serves',
  never: 'checks something that does not exist in a cluster',
  settings: 'applies to nothing with these settings',
  function: 'uses features that CEL in the API server does not have',
  nesting: 'needs the items of nested lists as one list',
  target: 'checks a kind that the Kubernetes API does not have',
} as const;

export type Reason = keyof typeof REASONS;

/** Ends the translation of a rule, or of one part of it. */
export class NotExportable extends Error {
  override readonly name = 'NotExportable';

  /** `what` names the function, the kind or the field that it is about. */
  constructor(
    readonly reason: Reason,
    readonly what?: string,
  ) {
    super(what === undefined ? REASONS[reason] : `${REASONS[reason]}: ${what}`);
  }
}
