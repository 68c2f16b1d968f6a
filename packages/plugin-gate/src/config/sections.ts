import type { ConfigSections } from '@bylaw/core/config';
import { ADAPTER_KINDS } from './gate-config.js';

const variable = { type: 'string', pattern: '^[A-Z_][A-Z0-9_]*$' } as const;
const mode = { enum: ['enforcing', 'shadow'] } as const;
const path = { type: 'string', minLength: 1 } as const;
const rate = {
  type: 'number',
  minimum: 0,
  maximum: 1_000_000,
  messages: { minimum: 'must be 0 (off) or more' },
} as const;
const only = (kind: string) => ({ not: {}, messages: { not: `goes only with store.kind: ${kind}` } });

/** Names that adapters may have. The reporter of dev mode has one that looks the same, and is nobody's. */
export const ADAPTER_ID_PATTERN = '^[a-z0-9][a-z0-9_-]{0,62}$';

/** The sections of `bylaw.yaml` that the gate owns. `gateConfigOf` gives them their types. */
export const GATE_SECTIONS: ConfigSections = {
  api: {
    description: 'The settings of the gate in the section of the server.',
    properties: {
      max_clock_skew_seconds: {
        description: 'Allowed difference between the timestamp of a request and the clock of the server, in seconds.',
        type: 'integer',
        minimum: 0,
        maximum: 3600,
        default: 300,
      },
      rate_limit: {
        description: 'Limits of POST /v1/proposals, per process. A bucket holds three seconds of requests.',
        type: 'object',
        additionalProperties: false,
        properties: {
          per_adapter_rps: { description: 'Requests per second of one adapter; 0 turns the limit off.', ...rate, default: 100 },
          per_principal_rps: { description: 'Requests per second of one principal; 0 turns the limit off.', ...rate, default: 20 },
        },
      },
      queue_limit: {
        description: 'Decisions that may wait for the store; more are answered 503.',
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        default: 2000,
      },
      export_concurrency: {
        description: 'Exports of evidence that may run at one time; more are answered 503.',
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 2,
      },
    },
  },
  store: {
    description: 'Where the evidence chain is kept: one SQLite file, or a PostgreSQL database for several servers.',
    type: 'object',
    additionalProperties: false,
    properties: {
      kind: { description: 'Which of the two.', enum: ['sqlite', 'postgres'], default: 'sqlite' },
      path: { description: 'sqlite: the file, relative to this file.', ...path, default: '.bylaw/gate.sqlite' },
      dsn_env: { description: 'postgres: variable that holds the connection string.', ...variable },
      sequence_wait_ms: {
        description: 'postgres: how long an answer waits for its place in the chain, in milliseconds.',
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        default: 250,
      },
      poll_ms: {
        description: 'postgres: how often the sequencer looks for new decisions, in milliseconds.',
        type: 'integer',
        minimum: 5,
        maximum: 60_000,
        default: 20,
      },
      replicas: {
        description: 'Servers that share the store; more than one only with postgres.',
        type: 'integer',
        minimum: 1,
        maximum: 1000,
      },
    },
    if: { required: ['kind'], properties: { kind: { const: 'postgres' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['dsn_env'], properties: { path: only('sqlite') } },
    else: { properties: { dsn_env: only('postgres'), sequence_wait_ms: only('postgres'), poll_ms: only('postgres') } },
  },
  signing: {
    description: 'The Ed25519 key that signs the evidence. Without one the gate decides nothing.',
    type: 'object',
    additionalProperties: false,
    maxProperties: 1,
    messages: { maxProperties: 'takes key_file or key_env, not both' },
    properties: {
      key_file: { description: 'PKCS#8 PEM file of mode 0600, relative to this file.', ...path, default: '.bylaw/signing.key' },
      key_env: { description: 'Instead of a file: variable that holds the text of one.', ...variable },
    },
  },
  policy: {
    description: 'The policies that proposals are judged by.',
    type: 'object',
    additionalProperties: false,
    properties: {
      bundle: {
        description: 'Folder or .tar file of the policy bundle, relative to this file. Without one the gate decides nothing.',
        ...path,
      },
    },
  },
  enforcement: {
    description: 'Whether verdicts bind (enforcing), or are only recorded while every adapter is told to proceed (shadow).',
    type: 'object',
    additionalProperties: false,
    properties: {
      mode: { description: 'Of the service.', ...mode, default: 'enforcing' },
      adapters: {
        description: 'Of single adapters, by `adapter_id`.',
        type: 'object',
        propertyNames: { pattern: ADAPTER_ID_PATTERN },
        additionalProperties: mode,
        default: {},
      },
    },
  },
  adapters: {
    description:
      'The adapters that may submit proposals. `bylaw adapter add` writes entries. Secrets stand in environment variables, never here.',
    type: 'array',
    default: [],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['adapter_id', 'secret_env', 'kind'],
      properties: {
        adapter_id: {
          description: 'Name of the adapter.',
          type: 'string',
          pattern: ADAPTER_ID_PATTERN,
          not: { const: 'dev-unauthenticated' },
          messages: { not: 'is the name that dev mode reports under' },
        },
        secret_env: { description: 'Variable that holds the secret, at least 32 characters.', ...variable },
        previous_secret_env: { description: 'During a rotation: variable of the secret that goes.', ...variable },
        kind: { description: 'What it is. `sdk` and `cli` can be gone around, so they are advisory.', enum: [...ADAPTER_KINDS] },
        enforcement: { description: 'Lowers what proposals may claim to `advisory`.', enum: ['enforcing', 'advisory'] },
      },
    },
  },
  approvers: {
    description: 'People who may grant or reject approvals.',
    type: 'array',
    default: [],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'public_key', 'groups'],
      properties: {
        id: { description: 'Name of the approver.', type: 'string', minLength: 1, maxLength: 256 },
        public_key: { description: 'Ed25519 public key, base64url.', type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
        groups: {
          description: 'Groups that the approver speaks for.',
          type: 'array',
          minItems: 1,
          items: { type: 'string', minLength: 1 },
        },
      },
    },
  },
  approvals: {
    description: 'How approvals are given.',
    type: 'object',
    additionalProperties: false,
    properties: {
      allow_unsigned: { description: 'Take decisions without the signature of an approver.', type: 'boolean', default: false },
      sweep_seconds: {
        description: 'How often lapsed approvals are looked for.',
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 30,
      },
    },
  },
  evidence: {
    description: 'The checkpoints of the evidence chain.',
    type: 'object',
    additionalProperties: false,
    properties: {
      origin: {
        description: 'Name of the chain in checkpoints, such as `bylaw.example.com/prod`. Absent: made of the identifier of the chain.',
        type: 'string',
        pattern: '^[^\\s+]+$',
        maxLength: 200,
      },
      checkpoint_dir: { description: 'Folder of checkpoints, relative to this file.', ...path, default: '.bylaw/checkpoints' },
      checkpoint_seconds: {
        description: 'How often a checkpoint is written when there is something new.',
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 60,
      },
    },
  },
  oscal: {
    description: 'The export of evidence as OSCAL assessment results.',
    type: 'object',
    additionalProperties: false,
    properties: {
      version: { description: 'Version of OSCAL.', enum: ['1.1.2', '1.1.3', '1.2.3'], default: '1.1.2' },
      controls: {
        description: 'Controls that the evidence speaks to.',
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
        default: ['AU-2', 'AU-3', 'AU-10', 'AU-12', 'AC-3', 'CM-3'],
      },
      system_id: { description: 'Identifier of the system that is assessed.', type: 'string', minLength: 1 },
    },
  },
};
