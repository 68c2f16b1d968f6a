import type { ProblemKind } from '@bylaw/core/http';

/** Every problem that the routes of this plugin add to those of the server, with status and title; sorted. */
export const K8S_PROBLEMS = {
  'cluster-refused': { status: 502, title: 'Cluster does not accept the credentials of the server' },
  'cluster-unreachable': { status: 502, title: 'Cluster does not answer' },
  'context-not-allowed': { status: 422, title: 'Context is not in the list of allowed contexts' },
  'kind-unknown': { status: 422, title: 'Cluster serves no such kind' },
  'namespace-unknown': { status: 422, title: 'Cluster has no such namespace' },
  'no-cluster': { status: 503, title: 'Server has no cluster to scan' },
} as const satisfies Record<string, { status: number; title: string }>;

export type K8sProblemCode = keyof typeof K8S_PROBLEMS;

/** A kind for the list of problems that an endpoint answers. */
export function kindOf(code: K8sProblemCode): ProblemKind {
  return { slug: code, ...K8S_PROBLEMS[code] };
}
