/** JSON Schemas (draft 7) of the files of a bundle. Every member is named: a misspelt one is an error, not a policy that does less. */

const ID = { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' };
const SENTENCE = { type: 'string', minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' };
const NAME = { type: 'string', minLength: 1, maxLength: 256 };
const API_VERSION = { const: 'bylaw.dev/v1' };

const closed = (required: readonly string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const APPROVAL = closed(['groups'], {
  groups: { type: 'array', items: NAME, minItems: 1, maxItems: 16, uniqueItems: true },
  quorum: { type: 'integer', minimum: 1, maximum: 100 },
  ttl_seconds: { type: 'integer', minimum: 1, maximum: 31_536_000 },
  grant_ttl_seconds: { type: 'integer', minimum: 1, maximum: 31_536_000 },
});

export const BUNDLE_SCHEMA = closed(['apiVersion', 'kind', 'id', 'version'], {
  apiVersion: API_VERSION,
  kind: { const: 'Bundle' },
  id: ID,
  version: { type: 'string', pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$' },
  title: SENTENCE,
  default: { enum: ['deny', 'allow', 'require_approval'] },
  approval: APPROVAL,
  budget: closed([], {
    max_age_seconds: { type: 'integer', minimum: 0, maximum: 31_536_000 },
    on_exceed: { enum: ['deny', 'require_approval'] },
  }),
  mandate: closed([], { max_lifetime_hours: { type: 'integer', minimum: 1, maximum: 87_600 } }),
});

/** Globs over values of a form can only hold characters of that form, and stars. */
const globs = (pattern: string) => ({
  type: 'array',
  minItems: 1,
  maxItems: 256,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 512, pattern },
});
const anyGlobs = globs('^[^\\u0000-\\u001f\\u007f]+$');

export const POLICY_SCHEMA = closed(['apiVersion', 'kind', 'metadata', 'spec'], {
  apiVersion: API_VERSION,
  kind: { const: 'Policy' },
  metadata: closed(['id', 'title'], {
    id: ID,
    title: SENTENCE,
    controls: {
      type: 'array',
      maxItems: 64,
      uniqueItems: true,
      items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9 .()_:/-]{0,63}$' },
    },
  }),
  spec: closed(['effect', 'message'], {
    stage: { enum: ['active', 'draft'] },
    match: closed([], {
      actions: globs('^[a-z0-9_.*-]+$'),
      resources: anyGlobs,
      environments: globs('^[a-z0-9*-]+$'),
      principals: anyGlobs,
      agents: anyGlobs,
      adapters: globs('^[a-z0-9_*-]+$'),
    }),
    when: { type: 'string', minLength: 1, maxLength: 8192 },
    effect: { enum: ['allow', 'deny', 'require_approval'] },
    mandate: { enum: ['required', 'optional'] },
    approval: APPROVAL,
    obligations: {
      type: 'array',
      minItems: 1,
      maxItems: 32,
      items: closed(['type'], { type: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,62}$' } }),
    },
    message: SENTENCE,
  }),
});

export const ISSUERS_SCHEMA = closed(['apiVersion', 'kind', 'issuers'], {
  apiVersion: API_VERSION,
  kind: { const: 'TrustedIssuers' },
  issuers: {
    type: 'array',
    maxItems: 1000,
    items: closed(['issuer', 'keys'], {
      issuer: NAME,
      keys: {
        type: 'array',
        minItems: 1,
        maxItems: 64,
        items: closed(['key_id', 'public_key'], { key_id: NAME, public_key: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } }),
      },
    }),
  },
});

export const REVOKED_SCHEMA = closed(['apiVersion', 'kind'], {
  apiVersion: API_VERSION,
  kind: { const: 'Revoked' },
  mandates: {
    type: 'array',
    maxItems: 100_000,
    items: closed(['issuer', 'mandate_id'], { issuer: NAME, mandate_id: NAME, reason: SENTENCE }),
  },
  keys: { type: 'array', maxItems: 1000, items: closed(['issuer', 'key_id'], { issuer: NAME, key_id: NAME, reason: SENTENCE }) },
});

const IDS = { type: 'array', items: ID, uniqueItems: true };

export const TESTS_SCHEMA = closed(['apiVersion', 'kind', 'tests'], {
  apiVersion: API_VERSION,
  kind: { const: 'PolicyTests' },
  base: { type: 'object' },
  at: { type: 'string' },
  tests: {
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: closed(['name', 'input', 'expect'], {
      name: SENTENCE,
      input: { type: 'object' },
      at: { type: 'string' },
      governance: closed(['score'], {
        score: { type: ['number', 'null'], minimum: 0, maximum: 100 },
        incomplete: { type: 'boolean' },
        unchecked_kinds: {
          type: 'array',
          maxItems: 1000,
          items: closed(['kind', 'count'], { kind: { type: 'string' }, count: { type: 'integer', minimum: 1 } }),
        },
        findings: { type: 'array', maxItems: 1000, items: { type: 'object', required: ['rule_id', 'severity'] } },
      }),
      expect: closed(['decision'], {
        decision: { enum: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'] },
        policies: IDS,
        drafts: IDS,
        reasons: { type: 'array', items: { type: 'string', pattern: '^AG-POL-0[12][0-9]$' }, uniqueItems: true },
        obligations: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      }),
    }),
  },
});
