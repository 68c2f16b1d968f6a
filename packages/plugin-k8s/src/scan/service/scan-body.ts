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
      description:
        'A context that the configuration of the server names in `scan.contexts`; absent: the one that the server uses by itself.',
      ...name(253),
    },
    namespaces: {
      description: 'Only these namespaces, and nothing outside of them but kinds that are named; absent: everything.',
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
    },
    kinds: {
      description: 'Only these kinds: as rules name them (`Deployment`, `argoproj.io/Rollout`), or resources (`ingresses`).',
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: name(317),
    },
    ...filters,
    include_passed: { description: 'Report passing rules, too.', type: 'boolean' },
  },
} as const;

export interface ScanBody extends Omit<FilterBody, 'namespace'> {
  context?: string;
  namespaces?: string[];
  kinds?: string[];
  include_passed?: boolean;
}

const CLUSTER = {
  title: 'ScannedCluster',
  ...object({
    version: text('As the API server says.'),
    context: { description: 'Null within a cluster.', type: ['string', 'null'] },
    namespaces: { description: 'Null: all of them, and what stands in none.', type: ['array', 'null'], items: { type: 'string' } },
    resources_by_kind: {
      description: 'Resources that were judged, by kind. What a controller makes of its template counts with the controller.',
      type: 'object',
      additionalProperties: whole('Resources.'),
    },
    denied: list(
      'What could not be listed. Each is also one of `errors`.',
      object({ kind: text('Kind, or `group/*` where a whole group does not answer.'), reason: text('Why.') }),
    ),
    kinds_not_covered: list(
      'Kinds that the cluster serves, that this scan could have looked at, and that no selected rule covers. Names as in `resources_by_kind`.',
      text('Kind.'),
    ),
    rules_not_applied: list('Selected rules that read what this scan did not look at or could not list.', text('Identifier.')),
  }),
};

export const SCAN_REPORT = { title: 'ScanReport', ...object({ ...REPORT_MEMBERS, cluster: CLUSTER }) };
