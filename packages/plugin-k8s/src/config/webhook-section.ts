import type { Config, ConfigSections } from '@bylaw/core/config';
import type { Severity } from '@bylaw/core/rule';

export const MODES = ['enforce', 'warn', 'audit'] as const;
/** What findings do: deny and warn, warn only, or appear only in the audit log. */
export type Mode = (typeof MODES)[number];

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'NONE'] as const;
const namespaces = { type: 'string', pattern: '^[a-z0-9*?-]+$', maxLength: 253 } as const;
const list = (description: string, items: object) => ({ description, type: 'array', uniqueItems: true, items });

/** The section `webhook` of `bylaw.yaml`. */
export const WEBHOOK_SECTION: ConfigSections = {
  webhook: {
    description: 'How `/api/v1/webhook` answers the API server of a cluster. Namespace globs support `*` and `?`.',
    type: 'object',
    additionalProperties: false,
    properties: {
      deny_on: {
        description: 'Findings of this severity or higher deny the request. NONE: findings never deny a request.',
        enum: SEVERITIES,
        default: 'HIGH',
      },
      warn_on: {
        description: 'Findings of this severity or higher that do not deny the request are shown as warnings.',
        enum: SEVERITIES,
        default: 'MEDIUM',
      },
      mode: {
        description: 'enforce: deny and warn. warn: only warn. audit: only write to the audit log and the log of bylaw.',
        enum: MODES,
        default: 'enforce',
      },
      modes: {
        description: 'The mode of individual namespaces. The first matching entry applies. Only `*` matches objects without a namespace.',
        type: 'array',
        default: [],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['namespaces', 'mode'],
          properties: {
            namespaces: { ...list('Namespace globs.', namespaces), minItems: 1 },
            mode: { description: 'Same values as `webhook.mode`.', enum: MODES },
          },
        },
      },
      only_new_findings: {
        description: 'Deny updates only for new findings. Findings that the object already has are warnings.',
        type: 'boolean',
        default: true,
      },
      annotation_exceptions: {
        ...list('Globs of the namespaces whose objects can have their own exceptions (`bylaw.dev/ignore`).', namespaces),
        default: [],
      },
      controllers: {
        ...list('User names of the controllers whose `ownerReferences` are trusted. `ownerReferences` from other users are ignored.', {
          type: 'string',
          minLength: 1,
          maxLength: 1000,
        }),
        default: [
          'system:kube-controller-manager',
          ...['cronjob', 'daemon-set', 'deployment', 'job', 'replicaset', 'replication', 'statefulset'].map(
            (name) => `system:serviceaccount:kube-system:${name}-controller`,
          ),
        ],
      },
      judge_owned: {
        description:
          'Also check objects that such a controller creates from a Deployment, Job or other built-in workload, although the workload itself was checked.',
        type: 'boolean',
        default: false,
      },
      fail: {
        description: 'The answer if the webhook itself cannot check objects: too many requests are waiting, or its threads are not ready.',
        enum: ['allowed', 'denied'],
        default: 'allowed',
      },
      unjudged: {
        description:
          'The answer for an object that cannot be checked: the check takes longer than `deadline_ms`, or a rule that would deny it cannot be evaluated.',
        enum: ['allowed', 'denied'],
        default: 'denied',
      },
      deadline_ms: {
        description: 'Maximum time for one answer, in milliseconds. A shorter `timeoutSeconds` of the API server takes precedence.',
        type: 'integer',
        minimum: 100,
        maximum: 28_000,
        default: 5000,
      },
      threads: {
        description: 'Number of threads that work only for the webhook.',
        type: 'integer',
        minimum: 1,
        maximum: 8,
        default: 2,
      },
      tokens: {
        description: 'SHA-256 digests of the bearer tokens that the API server can send, as printed by `bylaw apikey create`.',
        type: 'array',
        default: [],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'sha256'],
          properties: {
            id: { description: 'Name of the token in the logs.', type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
            sha256: {
              description: 'SHA-256 of the token, 64 hexadecimal digits in lower case.',
              type: 'string',
              pattern: '^[0-9a-f]{64}$',
            },
          },
        },
      },
      client_names: {
        ...list(
          'Common names of the client certificates that the API server can send. Their certificate authorities are in the file of `api.client_ca`.',
          {
            type: 'string',
            minLength: 1,
            maxLength: 253,
          },
        ),
        default: [],
      },
    },
  },
};

/** A severity, or `NONE`: no finding reaches it. */
export type Threshold = Severity | 'NONE';

/** The section, checked and completed. */
export interface WebhookConfig {
  deny_on: Threshold;
  warn_on: Threshold;
  mode: Mode;
  modes: readonly { namespaces: readonly string[]; mode: Mode }[];
  only_new_findings: boolean;
  annotation_exceptions: readonly string[];
  controllers: readonly string[];
  judge_owned: boolean;
  fail: 'allowed' | 'denied';
  unjudged: 'allowed' | 'denied';
  deadline_ms: number;
  threads: number;
  tokens: readonly { id: string; sha256: string }[];
  client_names: readonly string[];
}

export function webhookConfigOf(config: Config): WebhookConfig {
  return (config as Config & { webhook: WebhookConfig }).webhook; // the schema of the section has checked and completed it
}
