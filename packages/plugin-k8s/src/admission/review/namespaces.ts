import { matchesGlob } from '@bylaw/core/evaluate';
import type { Mode, WebhookConfig } from '../../config/webhook-section.js';

/** The mode of a namespace; the empty one stands for objects without any. */
export function modeOf(namespace: string, { mode, modes }: Pick<WebhookConfig, 'mode' | 'modes'>): Mode {
  return modes.find(({ namespaces }) => isAmong(namespace, namespaces))?.mode ?? mode;
}

export function isAmong(namespace: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(glob, namespace));
}
