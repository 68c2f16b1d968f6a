import { list, object, REPORT_MEMBERS, text, whole } from '@bylaw/core/schemas';
import { FILTER_MEMBERS, type FilterBody } from '@bylaw/core/service';

/** JSON Schemas of what POST /api/v1/scan and the tool `scan_cluster` take and answer. */

const { namespace: _, ...filters } = FILTER_MEMBERS;

const name = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;

export const SCAN_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    context: {
      description: 'A context in `scan.contexts` of the server configuration. Absent: the default context of the server.',
      ...name(253),
    },
    namespaces: {
      description: 'Only these namespaces, and cluster-scoped resources only if `kinds` lists their kinds. Absent: everything.',
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
    },
    kinds: {
      description: 'Only these kinds, as names that rules use (`Deployment`, `argoproj.io/Rollout`) or as resources (`ingresses`).',
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: name(317),
    },
    ...filters,
    include_passed: { description: 'Also report passing rules.', type: 'boolean' },
  },
} as const;

export interface ScanBody extends Omit<FilterBody, 'namespace'> {
  context?: string;
  namespaces?: readonly string[];
  kinds?: readonly string[];
  include_passed?: boolean;
}

const CLUSTER = {
  title: 'ScannedCluster',
  ...object({
    version: text('As reported by the API server.'),
    context: { description: 'Null inside a cluster.', type: ['string', 'null'] },
    namespaces: { description: 'Null: all namespaces, and cluster-scoped resources.', type: ['array', 'null'], items: { type: 'string' } },
    resources_by_kind: {
      description:
        'Number of evaluated resources by kind. Objects that a controller creates from its template count as part of the controller.',
      type: 'object',
      additionalProperties: whole('Resources.'),
    },
    denied: list(
      'Kinds that could not be listed. Each also has an entry in `errors`.',
      object({ kind: text('Kind, or `group/*` if a whole group does not answer.'), reason: text('Why.') }),
    ),
    kinds_not_covered: list(
      'Kinds that the cluster serves and that this scan includes, but that no selected rule covers. Names as in `resources_by_kind`.',
      text('Kind.'),
    ),
    rules_not_applied: list('Selected rules that need kinds that this scan did not include or could not list.', text('Identifier.')),
  }),
};

export const SCAN_REPORT = { title: 'ScanReport', ...object({ ...REPORT_MEMBERS, cluster: CLUSTER }) };
