import { EXCEPTIONS_FROM } from '../evaluate/exceptions/exceptions-from.js';
import { UNDECIDED_HANDLING } from '../evaluate/findings/undecided-check.js';
import { LOG_FORMATS, LOG_LEVELS } from '../log-levels.js';
import { CATEGORIES, SEVERITIES } from '../rule/rule.js';
import { PROVIDERS } from '../workload/index.js';

/** JSON Schema (draft 7) of each top-level section of `bylaw.yaml` that somebody owns, with descriptions and defaults. */
export interface ConfigSections {
  readonly [section: string]: SectionSchema;
}

export interface SectionSchema {
  readonly description: string;
  readonly [keyword: string]: unknown;
}

const ruleId = '[A-Z][A-Z0-9]{1,7}-[0-9]{3}';
const text = { type: 'string', minLength: 1 } as const;
const path = { ...text, isPath: true } as const;
const glob = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const list = (description: string, items: object) => ({ description, type: 'array', uniqueItems: true, items });

/** The sections of `bylaw.yaml` that core owns. `docs/reference/configuration.md` is generated from the descriptions. */
export const CORE_SECTIONS: ConfigSections = {
  api: {
    description: 'The server that `bylaw serve` starts. Plugins can add their own settings to this section.',
    type: 'object',
    additionalProperties: false,
    properties: {
      host: { description: 'Address or host name to listen on.', type: 'string', pattern: '^[A-Za-z0-9.:_-]+$', default: '127.0.0.1' },
      port: { description: 'Port to listen on; 0 selects a free port.', type: 'integer', minimum: 0, maximum: 65535, default: 8000 },
      problems_url: {
        description: 'Base URL of the types of problem documents, without a trailing slash.',
        type: 'string',
        pattern: '^https?://[!-~]*[^/]$',
        default: 'https://svc.invalid/problems',
      },
      keys: {
        description:
          'API keys that can use `/api/v1`, as the SHA-256 digests that `bylaw apikey create` prints. Without keys, the server answers only on loopback.',
        type: 'array',
        default: [],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'sha256'],
          properties: {
            id: { description: 'Name of the key in the logs.', type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
            sha256: {
              description: 'SHA-256 digest of the key: 64 hexadecimal digits in lower case.',
              type: 'string',
              pattern: '^[0-9a-f]{64}$',
            },
          },
        },
      },
      max_body_bytes: {
        description: 'Maximum size of a request body in bytes.',
        type: 'integer',
        minimum: 1024,
        maximum: 268_435_456,
        default: 16_777_216,
      },
      client_ca: {
        description:
          'PEM file of the authorities whose client certificates the server accepts, relative to this file. If it is set, the server requests a client certificate over TLS; routes such as `/api/v1/webhook` accept it in place of a key.',
        ...path,
      },
      idle_seconds: {
        description:
          'How long the server keeps an idle connection open, in seconds. A client that keeps it open longer can send a request just as the server closes it; Kubernetes API servers keep theirs open for 90 seconds.',
        type: 'integer',
        minimum: 1,
        maximum: 3600,
        default: 10,
      },
      open_paths: {
        ...list('Paths that do not require an API key, for callers that cannot send one, such as `/api/v1/webhook`.', {
          type: 'string',
          pattern: '^/[!-~]*$',
        }),
        default: [],
      },
    },
  },
  evaluate: {
    description: 'Defaults of `bylaw evaluate` and the server, for everything that a command or a request does not set.',
    type: 'object',
    additionalProperties: false,
    properties: {
      fail_on: {
        description: 'The command fails if a finding has at least this severity. With NONE, findings never fail it.',
        enum: [...SEVERITIES, 'NONE'],
        default: 'HIGH',
      },
      categories: list(`Use only rules of these categories: ${Object.keys(CATEGORIES).join(', ')}, or a custom code.`, {
        type: 'string',
        pattern: '^[A-Z][A-Z0-9]{1,7}$',
      }),
      severities: list('Use only rules of these severities.', { enum: [...SEVERITIES] }),
      rules: list('Use only these rules.', { type: 'string', pattern: `^${ruleId}$` }),
      exclude_rules: { ...list('Use all rules except these.', { type: 'string', pattern: `^${ruleId}$` }), default: [] },
      frameworks: list('Use only rules that map to one of these frameworks.', text),
      rule_dirs: { ...list('Folders of custom rules, relative to this file.', { ...path, instead: 'pass --rules' }), default: [] },
      exceptions: {
        description:
          'Which exceptions count. `none`: no annotation, comment, exception of this file or baseline. `config`: exceptions of this file and the baseline, but not those in the manifests. `all`: all of them.',
        enum: [...EXCEPTIONS_FROM],
        default: 'all',
      },
      undecided: {
        description:
          'What to do about checks that cannot be decided, because a value is known only after apply or an object is not in the input. `ignore`: leave them out of the report. `warn`: report them. `fail`: report them and exit with 2. The score is the same for each.',
        enum: [...UNDECIDED_HANDLING],
        default: 'warn',
      },
      baseline: { description: 'Baseline file with known findings, relative to this file.', ...path, instead: 'pass --baseline' },
      namespace: {
        description: 'Namespace for objects that do not set one.',
        type: 'string',
        pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
        default: 'default',
      },
    },
  },
  exceptions: {
    description:
      'Accepted findings. An exception applies if all of its members match. Globs support `*` (any text) and `?` (one character).',
    type: 'array',
    default: [],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['rule', 'reason'],
      properties: {
        rule: {
          description: 'Identifier of the rule, or a whole category, such as `CS-*`.',
          type: 'string',
          pattern: `^(${ruleId}|[A-Z][A-Z0-9]{1,7}-\\*)$`,
        },
        reason: { description: 'Why the finding is accepted. Reports show the reason.', type: 'string', pattern: '\\S', maxLength: 1000 },
        kind: { description: 'Glob for the kind.', ...glob },
        namespace: { description: 'Glob for the namespace.', ...glob },
        name: { description: 'Glob for the name.', ...glob },
        file: { description: 'Glob for the file, as reports show it.', ...glob },
        path: {
          description: 'JSON Pointer into the object: covers findings at or below it.',
          type: 'string',
          pattern: '^(/([^~/]|~0|~1)*)*$',
        },
        expires: { description: 'Last day (UTC) on which the exception applies, as YYYY-MM-DD.', type: 'string', format: 'date' },
      },
    },
  },
  packs: {
    description:
      'Settings of rule packs, by the name of the pack, such as the allowed registries of `k8s`. Each pack declares its own settings.',
    type: 'object',
    default: {},
    additionalProperties: { type: 'object' },
  },
  plugins: list('Short names of the installed plugins to use, such as `k8s`. Default: all installed plugins.', {
    type: 'string',
    pattern: '^[a-z][a-z0-9-]*$',
  }),
  workloads: {
    description:
      'Where workloads run, for the estimates that plugins add to a comparison (`bylaw validate`). Manifests do not contain this information. Flags take precedence.',
    type: 'object',
    additionalProperties: false,
    properties: {
      provider: { description: 'Provider of the machines.', enum: [...PROVIDERS] },
      region: { description: 'Region, as the provider writes it; for your own data centre, the country.', ...text },
      instance_type: { description: 'Type of the machines that pods run on, unless they request a different one.', ...text },
      nodes: { description: 'Number of machines, for DaemonSets.', type: 'integer', minimum: 1, maximum: 1_000_000 },
    },
  },
  scores: {
    description: 'The history of scores.',
    type: 'object',
    additionalProperties: false,
    properties: {
      path: {
        description: 'File of the history, relative to this file. Default: `scores.sqlite` in the data directory.',
        ...path,
      },
      keep_days: {
        description: 'Delete runs older than this number of days when a run of the same project and ref is recorded.',
        type: 'integer',
        minimum: 1,
      },
      keep_runs: { description: 'Keep only this number of the newest runs per project and ref.', type: 'integer', minimum: 1 },
    },
  },
  log: {
    description: 'The log of the servers, on standard error.',
    type: 'object',
    additionalProperties: false,
    properties: {
      level: { description: 'Minimum level of the lines that are written.', enum: [...LOG_LEVELS], default: 'info' },
      format: { description: 'JSON lines for programs, or text for people.', enum: [...LOG_FORMATS], default: 'json' },
    },
  },
};
