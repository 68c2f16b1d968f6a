import { HttpProblem, type ProblemKind, type ProblemOptions } from '@bylaw/core/http';

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

/** To throw anywhere below a route of this plugin. Nothing of a request may be in the options. */
export function k8sProblem(code: K8sProblemCode, options: ProblemOptions = {}): HttpProblem {
  return new HttpProblem(kindOf(code), options);
}

/** Kinds for the list of problems that a route answers. */
export function kindsOf(...codes: K8sProblemCode[]): ProblemKind[] {
  return codes.map(kindOf);
}

function kindOf(code: K8sProblemCode): ProblemKind {
  return { slug: code, ...K8S_PROBLEMS[code] };
}
