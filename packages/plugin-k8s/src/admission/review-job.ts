import type { ObjectEvaluationOptions } from '@bylaw/core/evaluate';
import type { CatalogueOrigin } from '@bylaw/core/rule';
import type { Mode, WebhookConfig } from '../config/webhook-section.js';

/** What a thread loads once. */
export interface ReviewSetup {
  origin: CatalogueOrigin;
  evaluation: Omit<ObjectEvaluationOptions, 'annotations'>;
  settings: WebhookConfig;
}

export interface ReviewJob {
  body: Uint8Array;
  /** The mode that the address asks for. */
  mode: Mode | undefined;
  /** `YYYY-MM-DD` (UTC): exceptions end. */
  today: string;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
export const REVIEW_PROGRAM = new URL('../../dist/admission/review-worker.js', import.meta.url);
