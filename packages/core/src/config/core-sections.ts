import { LOG_FORMATS, LOG_LEVELS } from '../log-levels.js';
import { CATEGORIES, SEVERITIES } from '../rule/rule.js';
import { PROVIDERS } from '../workload/index.js';
import type { ConfigSections } from './sections.js';

const ruleId = '[A-Z][A-Z0-9]{1,7}-[0-9]{3}';
const text = { type: 'string', minLength: 1 } as const;
const path = { ...text, isPath: true } as const;
const glob = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const list = (description: string, items: object) => ({ description, type: 'array', uniqueItems: true, items });

/** The sections of `bylaw.yaml` that core owns. `docs/reference/configuration.md` is generated from the descriptions. */
export const CORE_SECTIONS: ConfigSections = {
  api: {
    description: 'The server that `bylaw serve` starts. Plugins may add settings of their own to this section.',
    type: 'object',
    additionalProperties: false,
    properties: {
      host: { description: 'Address or name to listen on.', type: 'string', pattern: '^[A-Za-z0-9.:_-]+$', default: '127.0.0.1' },
      port: { description: 'Port to listen on; 0 takes any free one.', type: 'integer', minimum: 0, maximum: 65535, default: 8000 },
      problems_url: {
        description: 'Address under which the kinds of problem documents are named, without a slash at its end.',
        type: 'string',
        pattern: '^https?://[!-~]*[^/]$',
        default: 'https://svc.invalid/problems',
      },
      keys: {
        description:
          'API keys that may use `/api/v1`: their SHA-256 digests, as `bylaw apikey create` prints them. Without any, the server answers on loopback only.',
        type: 'array',
        default: [],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'sha256'],
          properties: {
            id: { description: 'Name of the key in the logs.', type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
            sha256: { description: 'SHA-256 of the key, 64 hexadecimal digits in lower case.', type: 'string', pattern: '^[0-9a-f]{64}$' },
          },
        },
      },
      max_body_bytes: {
        description: 'Largest body of a request in bytes.',
        type: 'integer',
        minimum: 1024,
        maximum: 268_435_456,
        default: 16_777_216,
      },
      client_ca: {
        description:
          'File of the authorities (PEM) whose client certificates count, relative to this file. The server then asks for one over TLS; routes such as `/api/v1/webhook` take it in place of a key.',
        ...path,
      },
      idle_seconds: {
        description:
          'How long an idle connection is kept. A client that keeps it longer may send a request just as it is closed; API servers of Kubernetes keep theirs for 90 seconds.',
        type: 'integer',
        minimum: 1,
        maximum: 3600,
        default: 10,
      },
      open_paths: {
        ...list('Paths that need no API key, for callers that cannot send one, such as `/api/v1/webhook`.', {
          type: 'string',
          pattern: '^/[!-~]*$',
        }),
        default: [],
      },
    },
  },
  evaluate: {
    description: 'What `bylaw evaluate` and the server do where a command or a request says nothing else.',
    type: 'object',
    additionalProperties: false,
    properties: {
      fail_on: {
        description: 'Findings of this severity or worse make the command fail; NONE: no finding does.',
        enum: [...SEVERITIES, 'NONE'],
        default: 'HIGH',
      },
      categories: list(`Only rules of these categories: ${Object.keys(CATEGORIES).join(', ')}, or a custom code.`, {
        type: 'string',
        pattern: '^[A-Z][A-Z0-9]{1,7}$',
      }),
      severities: list('Only rules of these severities.', { enum: [...SEVERITIES] }),
      rules: list('Only these rules.', { type: 'string', pattern: `^${ruleId}$` }),
      exclude_rules: { ...list('All rules but these.', { type: 'string', pattern: `^${ruleId}$` }), default: [] },
      frameworks: list('Only rules that map to one of these frameworks.', text),
      rule_dirs: { ...list('Folders of custom rules, relative to this file.', { ...path, instead: 'pass --rules' }), default: [] },
      baseline: { description: 'File of known findings, relative to this file.', ...path, instead: 'pass --baseline' },
      namespace: {
        description: 'Namespace of objects that name none.',
        type: 'string',
        pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
        default: 'default',
      },
    },
  },
  exceptions: {
    description:
      'Findings that are accepted. An exception applies where all of its members match; globs know `*` (any text) and `?` (one character).',
    type: 'array',
    default: [],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['rule', 'reason'],
      properties: {
        rule: {
          description: 'Identifier of the rule, or a whole category as `CS-*`.',
          type: 'string',
          pattern: `^(${ruleId}|[A-Z][A-Z0-9]{1,7}-\\*)$`,
        },
        reason: { description: 'Why the finding is accepted. It is shown in reports.', type: 'string', pattern: '\\S', maxLength: 1000 },
        kind: { description: 'Glob of the kind.', ...glob },
        namespace: { description: 'Glob of the namespace.', ...glob },
        name: { description: 'Glob of the name.', ...glob },
        file: { description: 'Glob of the file as reports show it.', ...glob },
        path: { description: 'JSON Pointer into the object: findings at it or below it.', type: 'string', pattern: '^(/([^~/]|~0|~1)*)*$' },
        expires: { description: 'Last day (UTC) on which the exception holds, as YYYY-MM-DD.', type: 'string', format: 'date' },
      },
    },
  },
  packs: {
    description: 'Settings of rule packs by the name of the pack, such as the allowed registries of `k8s`. Each pack declares its own.',
    type: 'object',
    default: {},
    additionalProperties: { type: 'object' },
  },
  plugins: list('Short names of the installed plugins to use, such as `k8s`. Absent: all that are installed.', {
    type: 'string',
    pattern: '^[a-z][a-z0-9-]*$',
  }),
  workloads: {
    description:
      'Where workloads run, for what a change does to cost and carbon (`bylaw validate`). Manifests do not say it; flags go before.',
    type: 'object',
    additionalProperties: false,
    properties: {
      provider: { description: 'Provider of the machines.', enum: [...PROVIDERS] },
      region: { description: 'Region as the provider writes it; a country for an own data centre.', ...text },
      instance_type: { description: 'Type of the machines that pods run on, unless they ask for another.', ...text },
      nodes: { description: 'How many machines there are, for DaemonSets.', type: 'integer', minimum: 1, maximum: 1_000_000 },
    },
  },
  scores: {
    description: 'The history of scores.',
    type: 'object',
    additionalProperties: false,
    properties: {
      path: {
        description: 'File of the history, relative to this file. Absent: `scores.sqlite` in the folder of the program’s state.',
        ...path,
      },
      keep_days: {
        description: 'Forget runs older than so many days when a run of the same project and ref is recorded.',
        type: 'integer',
        minimum: 1,
      },
      keep_runs: { description: 'Keep so many runs per project and ref, the newest.', type: 'integer', minimum: 1 },
    },
  },
  log: {
    description: 'The log of the servers, on standard error.',
    type: 'object',
    additionalProperties: false,
    properties: {
      level: { description: 'The least important lines that are written.', enum: [...LOG_LEVELS], default: 'info' },
      format: { description: 'JSON lines for programs, or text for people.', enum: [...LOG_FORMATS], default: 'json' },
    },
  },
};
