import type { ConfigSections } from '@bylaw/core/config';
import { ADAPTER_KINDS } from './gate-config.js';

const variable = { type: 'string', pattern: '^[A-Z_][A-Z0-9_]*$' } as const;
const mode = { enum: ['enforcing', 'shadow'] } as const;
const path = { type: 'string', minLength: 1, isPath: true } as const;
const rate = {
  type: 'number',
  minimum: 0,
  maximum: 1_000_000,
  messages: { minimum: 'must be 0 (off) or more' },
} as const;
const only = (kind: string) => ({ not: {}, messages: { not: `is valid only with store.kind: ${kind}` } });

/** Names that adapters may have. The reporter of dev mode has one that looks the same, and is nobody's. */
export const ADAPTER_ID_PATTERN = '^[a-z0-9][a-z0-9_-]{0,62}$';

/** The sections of `bylaw.yaml` that the gate owns. `gateConfigOf` gives them their types. */
export const GATE_SECTIONS: ConfigSections = {
  api: {
    description: 'Settings of the gate in the section of the server.',
    properties: {
      max_clock_skew_seconds: {
        description: 'Allowed difference between the request timestamp and the server clock, in seconds.',
        type: 'integer',
        minimum: 0,
        maximum: 3600,
        default: 300,
      },
      rate_limit: {
        description: 'Rate limits of POST /v1/proposals, per process. A bucket holds three seconds of requests.',
        type: 'object',
        additionalProperties: false,
        properties: {
          per_adapter_rps: { description: 'Requests per second for each adapter; 0 turns the limit off.', ...rate, default: 100 },
          per_principal_rps: { description: 'Requests per second for each principal; 0 turns the limit off.', ...rate, default: 20 },
        },
      },
      queue_limit: {
        description: 'Maximum number of decisions that wait for the store. Further requests get status 503.',
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        default: 2000,
      },
      export_concurrency: {
        description: 'Maximum number of evidence exports that run at the same time. Further requests get status 503.',
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 2,
      },
    },
  },
  store: {
    description: 'Where the evidence chain is stored: in one SQLite file, or in a PostgreSQL database that several servers share.',
    type: 'object',
    additionalProperties: false,
    properties: {
      kind: { description: 'Kind of store.', enum: ['sqlite', 'postgres'], default: 'sqlite' },
      path: { description: 'sqlite: path of the file, relative to the configuration file.', ...path, default: '.bylaw/gate.sqlite' },
      dsn_env: { description: 'postgres: environment variable that holds the connection string.', ...variable },
      sequence_wait_ms: {
        description: 'postgres: how long a request waits for its number in the chain, in milliseconds.',
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        default: 250,
      },
      poll_ms: {
        description: 'postgres: how often the sequencer checks for new decisions, in milliseconds.',
        type: 'integer',
        minimum: 5,
        maximum: 60_000,
        default: 20,
      },
      replicas: {
        description: 'Number of servers that share the store. More than one requires postgres.',
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
    description: 'The Ed25519 key that signs the evidence. Without a key, the gate makes no decisions.',
    type: 'object',
    additionalProperties: false,
    maxProperties: 1,
    messages: { maxProperties: 'must not have both key_file and key_env' },
    properties: {
      key_file: {
        description: 'PKCS#8 PEM file with mode 0600, relative to the configuration file.',
        ...path,
        default: '.bylaw/signing.key',
      },
      key_env: { description: 'Environment variable that holds the PEM text, instead of a file.', ...variable },
    },
  },
  policy: {
    description: 'The policies that decide on proposals.',
    type: 'object',
    additionalProperties: false,
    properties: {
      bundle: {
        description:
          'Folder or .tar file of the policy bundle, relative to the configuration file. Without a bundle, the gate makes no decisions.',
        ...path,
      },
    },
  },
  enforcement: {
    description: 'Whether verdicts are binding (enforcing), or only recorded while every adapter is told to proceed (shadow).',
    type: 'object',
    additionalProperties: false,
    properties: {
      mode: { description: 'Mode of the service.', ...mode, default: 'enforcing' },
      adapters: {
        description: 'Mode of individual adapters, by `adapter_id`.',
        type: 'object',
        propertyNames: { pattern: ADAPTER_ID_PATTERN },
        additionalProperties: mode,
        default: {},
      },
    },
  },
  adapters: {
    description:
      'The adapters that may submit proposals. `bylaw adapter add` adds entries. Keep secrets in environment variables, never in this file.',
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
          messages: { not: 'is reserved for dev mode' },
        },
        secret_env: { description: 'Environment variable that holds the secret (at least 32 characters).', ...variable },
        previous_secret_env: { description: 'Environment variable that holds the old secret during a rotation.', ...variable },
        kind: {
          description: 'Kind of adapter. An agent can bypass `sdk` and `cli` adapters, so these are advisory.',
          enum: [...ADAPTER_KINDS],
        },
        enforcement: {
          description: 'Set this to `advisory` if proposals of this adapter must not claim more.',
          enum: ['enforcing', 'advisory'],
        },
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
          description: 'Groups that the approver represents.',
          type: 'array',
          minItems: 1,
          items: { type: 'string', minLength: 1 },
        },
        principals: {
          description:
            'Other names under which the approver submits proposals, as principal or agent, such as an email address. Nobody can decide on their own proposals. Names are compared without regard to case and width.',
          type: 'array',
          maxItems: 100,
          items: { type: 'string', minLength: 1, maxLength: 256 },
        },
      },
    },
  },
  approvals: {
    description: 'How approvals work.',
    type: 'object',
    additionalProperties: false,
    properties: {
      allow_unsigned: { description: 'Accept decisions without the signature of an approver.', type: 'boolean', default: false },
      sweep_seconds: {
        description: 'How often the gate checks for expired approvals, in seconds.',
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 30,
      },
    },
  },
  evidence: {
    description: 'Checkpoints of the evidence chain.',
    type: 'object',
    additionalProperties: false,
    properties: {
      origin: {
        description:
          'Name of the chain in checkpoints, such as `bylaw.example.com/prod`. Default: derived from the identifier of the chain.',
        type: 'string',
        pattern: '^[^\\s+]+$',
        maxLength: 200,
      },
      checkpoint_dir: {
        description: 'Folder for checkpoints, relative to the configuration file.',
        ...path,
        default: '.bylaw/checkpoints',
      },
      checkpoint_seconds: {
        description: 'How often a checkpoint is written if there are new records, in seconds.',
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        default: 60,
      },
    },
  },
  oscal: {
    description: 'Export of evidence as OSCAL assessment results.',
    type: 'object',
    additionalProperties: false,
    properties: {
      version: { description: 'OSCAL version.', enum: ['1.1.2', '1.1.3', '1.2.3'], default: '1.1.2' },
      controls: {
        description: 'Controls that the evidence supports.',
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
        default: ['AU-2', 'AU-3', 'AU-10', 'AU-12', 'AC-3', 'CM-3'],
      },
      system_id: { description: 'Identifier of the assessed system.', type: 'string', minLength: 1 },
    },
  },
};
