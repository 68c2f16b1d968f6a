import type { JsonObject } from '@bylaw/core/resource';

/**
 * The `AdmissionReview` of `admission.k8s.io/v1`: what an API server asks a webhook, and what it is answered. Fields that play no part here
 * are left out. Source: API reference of Kubernetes, "Dynamic Admission Control", Request and Response,
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#webhook-request-and-response
 */
export interface AdmissionRequest {
  uid: string;
  operation: Operation;
  /** Kind of the object as it is sent: that of the parent, but for subresources with a form of their own (`Scale`). */
  kind: string;
  /** Empty where the request is about the object itself. */
  subResource: string;
  /** Empty for cluster-scoped objects; of a Namespace, its own name. */
  namespace: string;
  /** Empty where the API server is to make one up. */
  name: string;
  /** Who asks the API server. */
  username: string;
  dryRun: boolean;
  object: JsonObject | undefined;
  oldObject: JsonObject | undefined;
}

export const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  /** Why it is not allowed. */
  status?: { code: number; reason: string; message: string };
  /** Shown to whoever asked the API server. */
  warnings?: string[];
  /** For the audit log of the API server, which puts the name of the webhook before each key. */
  auditAnnotations?: { [key: string]: string };
}

/** The text of a whole answer. */
export function reviewText(response: AdmissionResponse): string {
  return `${JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })}\n`;
}
