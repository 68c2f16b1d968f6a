import { costProblemKind, costProblemPlace } from '@bylaw/core/cost';
import { HttpProblem, type ProblemKind, type Route } from '@bylaw/core/http';
import { type OperationError, operationResponse } from '@bylaw/core/operation';
import type { Services } from '@bylaw/core/plugin';
import { CARBON_ERRORS, type CarbonErrorCode, isCarbonError } from '../error-table.js';
import { ESTIMATE_ANSWER } from './estimate-answer.js';
import { MODULE, OPERATIONS } from './operations.js';
import { reportRoute } from './report-route.js';

/** Every kind of problem that the input of an estimate can give. */
export const CARBON_PROBLEMS: readonly ProblemKind[] = [
  ...Object.keys(CARBON_ERRORS).map((code) => kindOf(code as CarbonErrorCode)), // its own keys
  ...['cost-columns-missing', 'cost-file-invalid', 'cost-row-invalid', 'no-usable-rows'].flatMap((code) => costProblemKind(code) ?? []),
];

/** The routes of this plugin. */
export function carbonRoutes({ threads }: Pick<Services, 'threads'>): Route[] {
  const problems = [...CARBON_PROBLEMS, 'evaluation-memory', 'evaluation-timeout'] as const;
  return [
    {
      method: 'POST',
      path: '/api/v1/carbon/estimate',
      auth: 'api-key',
      id: 'estimateCarbon',
      tag: 'carbon',
      summary: 'Carbon footprint estimation.',
      description:
        'Estimates energy and emissions of Kubernetes manifests, Terraform plans, bills and usage lists. Every figure has a range, and every factor a source. The answer lists anything that cannot be estimated.',
      body: OPERATIONS.estimate.body,
      responses: { 200: { description: 'The estimate.', schema: ESTIMATE_ANSWER } },
      problems,
      handler: async ({ body, client, signal }) =>
        operationResponse(await threads.answer(MODULE, { operation: 'estimate', body }, { signal, client }), problemOf),
    },
    reportRoute(threads, problems, problemOf),
  ];
}

function problemOf(error: OperationError): HttpProblem | undefined {
  const { code, message, path = '' } = error;
  if (isCarbonError(code)) return new HttpProblem(kindOf(code), { errors: [{ path, message }] });
  // What is wrong with a bill may name its columns, which are not sent back.
  const bill = costProblemKind(code);
  return bill && new HttpProblem(bill, costProblemPlace(bill.slug, error));
}

function kindOf(code: CarbonErrorCode): ProblemKind {
  return { slug: code, status: 422, title: CARBON_ERRORS[code].summary.replace(/\.$/, '') };
}
