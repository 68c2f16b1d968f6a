import type { JsonSchema } from '@bylaw/core/http';
import { RECORD_TYPES } from '../../evidence/index.js';
import { INSTANT_PATTERN } from '../../json/index.js';
import { RESULT_SCHEMA, RESULT_STATUSES, SUBMISSION_SCHEMA } from '../../proposal/index.js';
import { VERDICT_SCHEMA } from '../../verdict/index.js';

/** The bodies of the gate's routes, for their description and for the tests that hold the answers against it. */

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const instant = { type: 'string', pattern: INSTANT_PATTERN } as const;
const sequence = {
  description: 'First and last number in the chain; 0 and 0 until the records are numbered.',
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: { type: 'integer', minimum: 0 },
} as const;
const decision = { enum: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'] } as const;
const object = (required: { readonly [name: string]: JsonSchema }, optional: { readonly [name: string]: JsonSchema } = {}): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const list = (items: JsonSchema) => ({ type: 'array', items });
const orNull = (schema: JsonSchema) => ({ oneOf: [schema, { type: 'null' }] });

export const SUBMISSION_BODY: JsonSchema = { title: 'Submission', ...SUBMISSION_SCHEMA };
export const RESULT_BODY: JsonSchema = { title: 'ResultReport', ...RESULT_SCHEMA };

const answered = {
  verdict: VERDICT_SCHEMA,
  enforced: { description: 'False in shadow mode.', type: 'boolean' },
  effective_decision: { description: 'The decision that the adapter must act on. ALLOW whenever `enforced` is false.', ...decision },
  evidence_ref: { description: 'Reference for GET /v1/evidence/by-ref/{ref}.', ...text },
  evidence_seq: sequence,
  approval: { description: 'ID of the requested approval; null if none is needed.', ...textOrNull },
} as const;

export const PROPOSAL_ANSWER: JsonSchema = { title: 'ProposalAnswer', ...object(answered), additionalProperties: false };

const APPROVAL_STATUS = object({
  id: text,
  state: { enum: ['pending', 'granted', 'rejected', 'expired', 'cancelled', 'consumed', 'lapsed'] },
  quorum: { type: 'integer' },
  decisions: list(object({ approver: textOrNull, decision: { enum: ['grant', 'reject'] }, at: instant })),
  expires_at: instant,
  grant_expires_at: { type: ['string', 'null'], pattern: INSTANT_PATTERN },
  shadow: { type: 'boolean' },
});

/** What was erased is null. */
export const SHOWN_PROPOSAL: JsonSchema = {
  title: 'Proposal',
  ...object({
    ...answered,
    verdict: orNull(VERDICT_SCHEMA),
    enforced: { type: ['boolean', 'null'] },
    effective_decision: orNull(decision),
    proposal: { description: 'The proposal as recorded. Secrets are masked.', type: ['object', 'null'] },
    budget: { type: ['object', 'null'] },
    mandate: { type: ['object', 'null'] },
    adapter: text,
    enforcement: orNull({ enum: ['enforcing', 'advisory'] }),
    recorded_at: instant,
    dev: { type: 'boolean' },
    effective_decision_now: { description: 'What the adapter may do now. It changes with the approval.', ...decision },
    approval_status: orNull(APPROVAL_STATUS),
    results: list(
      object({
        status: { enum: [...RESULT_STATUSES] },
        assurance: { enum: ['adapter', 'self'] },
        reported_by: text,
        at: instant,
        evidence_ref: text,
        contradicts_verdict: { type: 'boolean' },
      }),
    ),
  }),
};

export const RESULT_ANSWER: JsonSchema = {
  title: 'ResultAnswer',
  ...object({
    proposal_id: text,
    status: { enum: [...RESULT_STATUSES] },
    assurance: {
      description: 'Who vouches for the report: `self` if the agent could bypass the adapter.',
      enum: ['adapter', 'self'],
    },
    evidence_ref: text,
    evidence_seq: sequence,
    final: { type: 'boolean' },
  }),
};

export const EVIDENCE_RECORD: JsonSchema = {
  title: 'EvidenceRecord',
  ...object(
    {
      v: { const: 1 },
      seq: { type: 'integer', minimum: 0 },
      prev_hash: text,
      time: instant,
      type: { enum: [...RECORD_TYPES] },
      dev: { type: 'boolean' },
      reported_by: text,
      key_id: text,
      data_hash: text,
      data: { description: 'Null if erased.', type: ['object', 'null'] },
      salt: textOrNull,
      hash: text,
      sig: text,
    },
    { assurance: { enum: ['adapter', 'self'] } },
  ),
};

const counts = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export const STATUS: JsonSchema = {
  title: 'GateStatus',
  ...object(
    {
      service: object({ version: text, started_at: instant, dev: { type: 'boolean' }, mode: { enum: ['enforcing', 'shadow'] } }),
      rate_limit: object({
        per_adapter_rps: { type: 'number' },
        per_principal_rps: { type: 'number' },
        burst_seconds: { type: 'number' },
        scope: text,
      }),
      refusals: object({ total: { type: 'integer' }, by_status: counts, by_code: counts, since: instant }),
      chain: object({
        id: textOrNull,
        head: orNull(object({ seq: { type: 'integer' }, hash: text, time: instant })),
        key_id: textOrNull,
        last_checkpoint: orNull(object({ size: { description: 'Number of records that the checkpoint covers.', type: 'integer' } })),
      }),
      storage: object({
        kind: { enum: ['sqlite', 'postgres'] },
        pending: { type: 'integer' },
        oldest_pending_ms: { type: ['number', 'null'] },
      }),
      policy: object({ id: textOrNull, version: textOrNull, digest: textOrNull, errors: list(text) }),
      adapters: object({ registered: { type: 'integer' }, usable: { type: 'integer' }, rotating: { type: 'integer' } }),
    },
    {
      store_check: {
        description: 'Progress of the background check that compares the store with its chain. Absent before it has begun.',
        ...object({
          passes: { description: 'Complete passes since the start.', type: 'integer' },
          checked: { description: 'Records that the current or the last pass has compared.', type: 'integer' },
          records: { description: 'Records of the chain.', type: 'integer' },
          last_pass_at: { description: 'End of the last pass; null before.', type: ['string', 'null'], pattern: INSTANT_PATTERN },
          faults: { description: 'Faults that were found. The log of the server names them.', type: 'integer' },
        }),
      },
    },
  ),
};
