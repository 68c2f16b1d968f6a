import { isSelectionError } from '@bylaw/core/errors';
import { type HttpProblem, problem } from '@bylaw/core/http';
import type { K8sErrorCode } from '../../error-table.js';
import { type K8sProblemCode, k8sProblem } from '../../problem-table.js';

/** What an error of a scan is for the client of a server: whose fault it is, and nothing about how the server reaches its cluster. */
const CLUSTER_PROBLEMS: { readonly [code in K8sErrorCode]?: K8sProblemCode } = {
  'cluster-certificate': 'cluster-unreachable',
  'cluster-credentials': 'cluster-refused',
  'cluster-unreachable': 'cluster-unreachable',
  'context-unknown': 'no-cluster',
  'credential-plugin': 'cluster-refused',
  'kind-unknown': 'kind-unknown',
  'kubeconfig-invalid': 'no-cluster',
  'kubeconfig-missing': 'no-cluster',
  'namespace-unknown': 'namespace-unknown',
  'not-an-api-server': 'cluster-unreachable',
};

/** Errors about names in the request; their hints name known ones only. */
const NAMES: readonly string[] = ['kind-unknown', 'namespace-unknown'] satisfies K8sErrorCode[];

/** The problem that an error of a scan is; undefined for what is a defect of the server. */
export function scanProblem({ code, hint }: { code: string; hint?: string | undefined }): HttpProblem | undefined {
  const detail = hint === undefined ? {} : { detail: hint };
  const known: { readonly [code: string]: K8sProblemCode | undefined } = CLUSTER_PROBLEMS;
  const own = Object.hasOwn(known, code) ? known[code] : undefined;
  if (own) return k8sProblem(own, NAMES.includes(code) ? detail : {});
  return isSelectionError(code) ? problem(code, detail) : undefined;
}
