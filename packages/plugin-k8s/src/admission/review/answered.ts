import type { Mode } from '../../config/webhook-section.js';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.js';

/** What a request is answered, and what the log says about it. */
export interface Review {
  response: AdmissionResponse;
  log: ReviewLog;
}

/** Fields of a line of the log. Of the object there is nothing among them but its name. */
export interface ReviewLog extends ReviewFacts {
  mode: Mode;
  operation?: string;
  kind?: string;
  namespace: string;
  name?: string;
  dry_run?: boolean;
}

/** What is in both logs, the own and the audit log of the API server. */
export interface ReviewFacts {
  decision: 'allowed' | 'warned' | 'denied';
  /** Counts by severity, of all that is not suppressed: `CRITICAL=1 LOW=3`. */
  findings?: string;
  /** Rules that deny, or would in the mode `enforce`. */
  rules?: string;
  /** Findings that the object had before. */
  known?: number;
  suppressed?: number;
  /** The kind, where no rule covers it. */
  unchecked?: string;
  /** Why nothing was to be evaluated. */
  skipped?: string;
  /** Why it could not be evaluated. */
  unjudged?: string;
}

/** As much as is known of a request. */
export type KnownRequest = Pick<AdmissionRequest, 'uid' | 'namespace'> &
  Partial<Pick<AdmissionRequest, 'operation' | 'kind' | 'subResource' | 'name' | 'dryRun'>>;

/** Puts an answer and its line of the log together. */
export function answered(
  { uid, operation, kind, subResource = '', namespace, name, dryRun }: KnownRequest,
  mode: Mode,
  facts: ReviewFacts,
  more: Pick<AdmissionResponse, 'status' | 'warnings'> = {},
): Review {
  return {
    response: {
      uid,
      allowed: facts.decision !== 'denied',
      ...(more.status && { status: more.status }),
      ...(more.warnings && more.warnings.length > 0 && { warnings: more.warnings }),
      auditAnnotations: Object.fromEntries(Object.entries({ mode, ...facts }).map(([key, value]) => [key, String(value)])),
    },
    log: {
      ...facts,
      mode,
      ...(operation !== undefined && { operation }),
      ...(kind !== undefined && { kind: subResource === '' ? kind : `${kind}/${subResource}` }),
      namespace,
      ...(name !== undefined && { name }),
      ...(dryRun && { dry_run: true }),
    },
  };
}
