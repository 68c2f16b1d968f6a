import type { Catalogue, RuleExample } from '@bylaw/core/rule';
import type { Reviewer } from './review.js';
import { reviewBody } from './review-body.js';

/** Reviews the examples of the rules, so that all code has run, and every expression is compiled, before the first request waits for it. */
export function warmUp(reviewer: Reviewer, catalogue: Catalogue): void {
  for (const { id } of reviewer.judge.rules)
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
