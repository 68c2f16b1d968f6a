import type { Config, ConfigSections } from '@bylaw/core/config';
import type { Severity } from '@bylaw/core/rule';

export const MODES = ['enforce', 'warn', 'audit'] as const;
/** What findings do: deny and warn, warn only, or stand in the audit log only. */
export type Mode = (typeof MODES)[number];

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'NONE'] as const;
const namespaces = { type: 'string', pattern: '^[a-z0-9*?-]+$', maxLength: 253 } as const;
const list = (description: string, items: object) => ({ description, type: 'array', uniqueItems: true, items });

/** The section `webhook` of `bylaw.yaml`. */
export const WEBHOOK_SECTION: ConfigSections = {
  webhook: {
    description: 'How `/api/v1/webhook` answers the API server of a cluster. Globs of namespaces know `*` and `?`.',
    type: 'object',
    additionalProperties: false,
    properties: {
      deny_on: {
        description: 'Findings of this severity or worse deny the request; NONE: no finding does.',
        enum: SEVERITIES,
        default: 'HIGH',
      },
      warn_on: {
        description: 'Findings of this severity or worse that do not deny are shown as warnings.',
        enum: SEVERITIES,
        default: 'MEDIUM',
      },
      mode: {
        description: 'enforce: deny and warn. warn: warn only. audit: say it in the audit log and the own log only.',
        enum: MODES,
        default: 'enforce',
      },
      modes: {
        description:
          'The mode of single namespaces; the first entry that matches counts. Objects without a namespace are matched by `*` only.',
        type: 'array',
        default: [],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['namespaces', 'mode'],
          properties: {
            namespaces: { ...list('Globs of namespaces.', namespaces), minItems: 1 },
            mode: { description: 'As `webhook.mode`.', enum: MODES },
          },
        },
      },
      only_new_findings: {
        description: 'An update is denied for what it brings only: what the object fails already is a warning.',
        type: 'boolean',
        default: true,
      },
      annotation_exceptions: {
        ...list('Globs of the namespaces whose objects may carry exceptions of their own (`bylaw.dev/ignore`).', namespaces),
        default: [],
      },
      controllers: {
        ...list(
          'User names of the controllers that are believed what they write into `ownerReferences`. What anyone else writes there is not looked at.',
          { type: 'string', minLength: 1, maxLength: 1000 },
        ),
        default: [
          'system:kube-controller-manager',
          ...['cronjob', 'daemon-set', 'deployment', 'job', 'replicaset', 'replication', 'statefulset'].map(
            (name) => `system:serviceaccount:kube-system:${name}-controller`,
          ),
        ],
      },
      judge_owned: {
        description: 'Judge also what such a controller makes of a Deployment, Job or another built-in workload, which was judged itself.',
        type: 'boolean',
        default: false,
      },
      fail: {
        description: 'The answer when the webhook itself cannot judge: too many requests wait, or its threads are not ready.',
        enum: ['allowed', 'denied'],
        default: 'allowed',
      },
      unjudged: {
        description:
          'The answer for an object that cannot be judged: it takes longer than `deadline_ms`, or a rule that would deny cannot be evaluated on it.',
        enum: ['allowed', 'denied'],
        default: 'denied',
      },
      deadline_ms: {
        description: 'Longest time for one answer, in milliseconds. The `timeoutSeconds` of the API server shorten it.',
        type: 'integer',
        minimum: 100,
        maximum: 28_000,
        default: 5000,
      },
      threads: {
        description: 'Threads that judge for the webhook and do nothing else.',
        type: 'integer',
        minimum: 1,
        maximum: 8,
        default: 2,
      },
      tokens: {
        description: 'Bearer tokens that the API server may show: their SHA-256 digests, as `bylaw apikey create` prints them.',
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
          'Common names of client certificates that the API server may show. Their authorities stand in the file of `api.client_ca`.',
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
