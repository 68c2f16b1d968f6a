/** Why a rule, or a part of one, has no ValidatingAdmissionPolicy. */
export const REASONS = {
  set: 'looks at other resources, and a policy sees one object',
  manifest: 'is about manifests before they reach a cluster',
  file: 'is about files that no API server serves',
  never: 'is about something that no cluster holds',
  settings: 'applies to nothing with these settings',
  function: 'uses what the CEL of the API server lacks',
  nesting: 'needs the items of nested lists as one list',
  target: 'is about a kind that the API of Kubernetes does not have',
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
