import { compiledModule, defineEndpoint, type EndpointProblem, sayHint, type ThreadKind } from '@bylaw/core/endpoint';
import { SELECTION_ERRORS } from '@bylaw/core/errors';
import { createEngine, type EvaluationReport } from '@bylaw/core/evaluate';
import { filtersOf, packBreaches, type RequestDefaults, writeReport } from '@bylaw/core/service';
import { connect } from '../../cluster/index.js';
import { scanConfigOf } from '../../config/scan-section.js';
import { type K8sErrorCode, k8sError } from '../../error-table.js';
import { type K8sProblemCode, kindOf } from '../../problem-table.js';
import { type ScanRequest, scan } from '../scan.js';
import type { ScannedCluster } from '../scanned-cluster.js';
import { SCAN_BODY_SCHEMA, SCAN_REPORT, type ScanBody } from './scan-body.js';

/** One scan at a time: it takes a processor, a good deal of memory, and the patience of an API server. */
export const SCANS: ThreadKind = {
  limits: {
    size: 1,
    maxWaiting: 0,
    small: undefined,
    heapMb: undefined,
    // A scan of a hundred thousand objects takes minutes, most of which an API server needs.
    deadlineMs: 15 * 60_000,
    // A thread ends with its scan, and with it what it holds of the cluster.
    retires: () => true,
  },
  words: { busy: 'Another scan is running. Try again later.', retryAfter: 10 },
};

/** What an error of a scan is for the client of a server: whose fault it is, and nothing about how the server reaches its cluster. */
const CLUSTER_PROBLEMS: { readonly [code in K8sErrorCode]?: K8sProblemCode } = {
  'context-not-allowed': 'context-not-allowed',
  'kind-unknown': 'kind-unknown',
  'namespace-unknown': 'namespace-unknown',
  'cluster-credentials': 'cluster-refused',
  'credential-plugin': 'cluster-refused',
  'cluster-certificate': 'cluster-unreachable',
  'cluster-unreachable': 'cluster-unreachable',
  'not-an-api-server': 'cluster-unreachable',
  'context-unknown': 'no-cluster',
  'kubeconfig-invalid': 'no-cluster',
  'kubeconfig-missing': 'no-cluster',
};

/** Errors about names in the request; their hints name known ones only. */
const NAMES: readonly string[] = ['context-not-allowed', 'kind-unknown', 'namespace-unknown'] satisfies K8sErrorCode[];

const PROBLEMS: readonly EndpointProblem[] = [
  ...SELECTION_ERRORS.map((code) => ({ error: code, problem: code, say: sayHint })),
  ...Object.entries(CLUSTER_PROBLEMS).map(([error, code]) => ({
    error,
    problem: kindOf(code),
    ...(NAMES.includes(error) && { say: sayHint }),
  })),
];

export const scanCluster = defineEndpoint<ScanBody, EvaluationReport & { cluster: ScannedCluster }, { contexts: readonly string[] }>({
  id: 'scan',
  method: 'POST',
  path: '/api/v1/scan',
  tag: 'evaluation',
  summary: 'Scan a live Kubernetes cluster.',
  description:
    'Lists the objects that the rules check, with the kubeconfig or the service account of the server, and evaluates them. A kind that cannot be listed has an entry in `cluster.denied` and in `errors`; everything else is still evaluated. The server runs one scan at a time.',
  input: { title: 'ScanRequest', ...SCAN_BODY_SCHEMA },
  output: { description: 'Findings, errors, score, summary, and what was scanned.', schema: SCAN_REPORT },
  problems: PROBLEMS,
  setup: ({ config }) => ({ contexts: scanConfigOf(config).contexts }),
  check: async (body, { catalogue }) => packBreaches(body, await catalogue()),
  write: async (body, { contexts }, { catalogue, clock, evaluation }, out) => {
    const { context } = body;
    if (context !== undefined && !contexts.includes(context)) throw contextNotAllowed();
    const { defaults } = await evaluation();
    const engine = createEngine({ catalogue: await catalogue(), clock });
    const cluster = await connect({ env: process.env, ...(context !== undefined && { context }) });
    try {
      await writeReport(scan(requestOf(body, defaults), { cluster, engine }), out);
    } finally {
      await cluster.close();
    }
  },
  thread: { module: compiledModule(import.meta.url), kind: SCANS },
  tool: {
    name: 'scan_cluster',
    description:
      'Scans the Kubernetes cluster that this machine is connected to, and evaluates its objects against the governance rules. Read-only. Returns findings with rule, severity, resource, message and fix, a score and a summary, and in `cluster` what was scanned and what could not be listed. For a large cluster, restrict the scan with `namespaces`, `kinds`, `categories` or `severities`.',
  },
});

function requestOf(body: ScanBody, defaults: RequestDefaults): ScanRequest {
  const { namespace: _, ...evaluation } = filtersOf(body, defaults);
  const { namespaces, kinds } = body;
  return { ...evaluation, ...(namespaces && { namespaces }), ...(kinds && { kinds }), includePassed: body.include_passed ?? false };
}

function contextNotAllowed(): Error {
  return k8sError('context-not-allowed', 'The context is not in the list of allowed contexts.', {
    hint: 'Use one of `scan.contexts` in the server configuration, or omit the context.',
  });
}
