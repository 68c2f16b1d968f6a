import type { Mode, Threshold } from '../../config/webhook-section.js';

/** What is to be deployed. */
export interface ManifestOptions {
  namespace: string;
  /** Print the Namespace, too, with a network policy that denies all that is not allowed. */
  createNamespace: boolean;
  /** An image whose entry point is `bylaw`. */
  image: string;
  replicas: number;
  mode: Mode;
  denyOn: Threshold;
  /** What cannot be evaluated, or finds no webhook at work, is denied. */
  failClosed: boolean;
  /** Whoever may label a namespace with `bylaw.dev/mode` chooses its mode. */
  namespaceLabels: boolean;
  /** Send Secrets to the webhook, too. */
  secrets: boolean;
  /** Base64 of the PEM text of the authorities that issued the certificate of the webhook. Absent: cert-manager issues one. */
  caBundle?: string;
}

export const NAME = 'bylaw-webhook';

/** The Secret that holds the certificate of the webhook and its key. */
export const TLS_SECRET = `${NAME}-tls`;

/** On every object. */
export const LABELS = { 'app.kubernetes.io/name': NAME, 'app.kubernetes.io/part-of': 'bylaw' };

/** What selects the Pods. */
export const SELECTOR = { 'app.kubernetes.io/name': NAME };

/** `metadata` of an object of the namespace. */
export function named({ namespace }: Pick<ManifestOptions, 'namespace'>, name = NAME): { name: string; namespace: string; labels: object } {
  return { name, namespace, labels: { ...LABELS } };
}

/** Why no object of ours names an owner. */
export const OWNER = { 'OP-011': 'its owner is whoever installs it' };

/** The value of the annotation that accepts findings of rules on an object. */
export function ignoring(reasons: { readonly [rule: string]: string }): { annotations?: { 'bylaw.dev/ignore': string } } {
  const entries = Object.entries(reasons).map(([rule, reason]) => `${rule}=${reason}`);
  return entries.length > 0 ? { annotations: { 'bylaw.dev/ignore': entries.join('; ') } } : {};
}
