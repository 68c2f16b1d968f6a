import type { RequestBreach } from '@bylaw/core/request-check';
import type { Mode } from '../../config/webhook-section.js';
import { reviewText } from './admission-review.js';
import type { Review, ReviewLog } from './answered.js';
import { modeOf } from './namespaces.js';
import { notEvaluated } from './not-evaluated.js';
import { type ReadReview, readReview } from './read-review.js';
import { type Reviewer, review } from './review.js';

/** What came of the body of a request: the text of an answer, or why there can be none. */
export type BodyAnswer = { type: 'reviewed'; text: string; log: ReviewLog } | Refusal;

/** The body is not a review that could be answered. */
export interface Refusal {
  type: 'refused';
  problem: 'invalid-json' | 'schema';
  errors: readonly RequestBreach[];
}

/** Answers a body. Throws only where there is a defect. */
export function reviewBody(body: Uint8Array, mode: Mode | undefined, reviewer: Reviewer): BodyAnswer {
  const read = readBody(body);
  if (read.type === 'refused') return read;
  if (read.type === 'request') return written(review(read.request, mode, reviewer));
  return written(answerBroken(read, mode, reviewer));
}

export function readBody(body: Uint8Array): Exclude<ReadReview, { type: 'foreign' }> | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return { type: 'refused', problem: 'invalid-json', errors: [] };
  }
  const read = readReview(value);
  return read.type === 'foreign' ? { type: 'refused', problem: 'schema', errors: read.errors } : read;
}

export function answerBroken(
  { uid, namespace, why }: Extract<ReadReview, { type: 'broken' }>,
  mode: Mode | undefined,
  { settings }: Pick<Reviewer, 'settings'>,
): Review {
  return notEvaluated(
    { uid, namespace },
    `The request in the AdmissionReview is invalid: ${why}.`,
    mode ?? modeOf(namespace, settings),
    settings,
  );
}

export function written({ response, log }: Review): BodyAnswer {
  return { type: 'reviewed', text: reviewText(response), log };
}
