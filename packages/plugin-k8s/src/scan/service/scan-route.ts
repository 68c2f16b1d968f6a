import { SELECTION_ERRORS } from '@bylaw/core/errors';
import { parseJsonBody, type Route, requestCheck } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { kindsOf } from '../../problem-table.js';
import { SCAN_BODY_SCHEMA, SCAN_REPORT, type ScanBody } from './scan-body.js';
import { scanServiceOf } from './scan-service.js';

export function scanRoute(services: Services): Route {
  const check = requestCheck(SCAN_BODY_SCHEMA);
  return {
    method: 'POST',
    path: '/api/v1/scan',
    auth: 'api-key',
    id: 'scan',
    tag: 'evaluation',
    summary: 'Scan a live Kubernetes cluster.',
    description:
      'Lists the objects that the rules check, with the kubeconfig or the service account of the server, and evaluates them. A kind that cannot be listed has an entry in `cluster.denied` and in `errors`; everything else is still evaluated. The server runs one scan at a time.',
    body: { title: 'ScanRequest', ...SCAN_BODY_SCHEMA },
    responses: { 200: { description: 'Findings, errors, score, summary, and what was scanned.', schema: SCAN_REPORT } },
    problems: [
      ...SELECTION_ERRORS,
      'evaluation-timeout',
      ...kindsOf('context-not-allowed', 'kind-unknown', 'namespace-unknown', 'cluster-refused', 'cluster-unreachable', 'no-cluster'),
    ],
    handler: async ({ body, signal }) => {
      const request = parseJsonBody(body, check) as ScanBody; // it has passed the schema
      return { status: 200, body: await scanServiceOf(services).scan(request, signal) };
    },
  };
}
