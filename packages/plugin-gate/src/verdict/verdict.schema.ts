import { EFFECTS } from '../policy/index.js';
import { REASONS } from './reasons.js';

const text = { type: 'string' } as const;

const object = (required: { readonly [name: string]: object }, optional: { readonly [name: string]: object } = {}) => ({
  type: 'object' as const,
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

const list = (items: object) => ({ type: 'array', items });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

const match = object({ id: text, effect: { enum: EFFECTS } });
const count = { type: 'integer', minimum: 1 };

/** JSON Schema (draft 7) of `Verdict`. */
export const VERDICT_SCHEMA = {
  title: 'Verdict',
  description: 'What the policies decide about the proposal. Adapters must act on `effective_decision`, never on this value.',
  ...object({
    decision: { enum: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'] },
    reasons: list(object({ code: { enum: Object.keys(REASONS) }, message: text }, { policy: text })),
    matched_policies: list(match),
    draft_matches: list(match),
    obligations: list(object({ type: text, id: text })),
    approval: orNull(object({ groups: list(text), quorum: count, ttl_seconds: count, grant_ttl_seconds: count })),
    mandate: object({ status: { enum: ['absent', 'valid', 'invalid'] } }, { mandate_id: text }),
    budget: object({ status: { enum: ['absent', 'within', 'exceeded', 'invalid'] } }, { budget_id: text, source: { const: 'caller' } }),
    governance: orNull(
      object(
        { catalogue_digest: text, score: { type: ['number', 'null'], minimum: 0, maximum: 100 }, rules: list(text) },
        // Verdicts that were recorded by earlier versions have neither.
        { unchecked: { type: 'integer', minimum: 0 }, incomplete: { type: 'boolean' } },
      ),
    ),
    bundle: object({ id: text, version: text, digest: text }),
    input_digest: text,
    engine: { const: 'svc-check/1' },
  }),
};
