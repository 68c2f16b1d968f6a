import { objectEvaluator } from '@bylaw/core/evaluate';
import { type Catalogue, loadCatalogue, type RuleExample } from '@bylaw/core/rule';
import { serveThread } from '@bylaw/core/thread';
import { isAmong } from './review/namespaces.js';
import type { Reviewer } from './review/review.js';
import { reviewBody } from './review/review-body.js';
import type { ReviewJob, ReviewSetup } from './review-job.js';

// The program of a thread of the webhook: loads the catalogue and makes the rules ready, then answers one request after another.
serveThread<ReviewSetup, ReviewJob>(async ({ origin, evaluation, settings }) => {
  let today = '1970-01-01';
  const catalogue = await loadCatalogue(origin);
  const annotations = (namespace: string) => isAmong(namespace, settings.annotation_exceptions);
  const evaluator = objectEvaluator(catalogue, { ...evaluation, annotations }, { now: () => new Date(`${today}T00:00:00Z`) });
  const reviewer = { evaluator, settings };
  warmUp(reviewer, catalogue);
  return (job) => {
    today = job.today;
    return reviewBody(job.body, job.mode, reviewer);
  };
});

/** Reviews the examples of the rules, so that all code has run, and every expression is compiled, before the first request waits for it. */
function warmUp(reviewer: Reviewer, catalogue: Catalogue): void {
  for (const { id } of reviewer.evaluator.rules)
    for (const example of catalogue.detail(id)?.examples ?? [])
      for (const object of objectsOf(example)) reviewBody(bodyOf(object), undefined, reviewer);
}

function objectsOf({ fail, pass, skip }: RuleExample): object[] {
  return [fail ?? pass ?? skip ?? []].flat();
}

function bodyOf(object: object): Uint8Array {
  const request = { uid: 'warm-up', operation: 'UPDATE', kind: { kind: 'any' }, object, oldObject: {} };
  return new TextEncoder().encode(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }));
}
