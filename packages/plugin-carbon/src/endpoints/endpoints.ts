import { costProblems } from '@bylaw/core/cost';
import { compiledModule, defineEndpoint, type EndpointProblem } from '@bylaw/core/endpoint';
import { CARBON_ERRORS } from '../error-table.js';
import { type CarbonEstimate, type EstimateRequest, estimate } from '../estimate/index.js';
import { type CarbonReport, type RenderedReport, type ReportRequest, report } from '../report/index.js';
import { ESTIMATE_ANSWER } from './estimate-answer.js';
import { ESTIMATE_BODY_SCHEMA } from './estimate-schema.js';
import { RENDERED_ANSWER, REPORT_ANSWER } from './report-answer.js';
import { REPORT_BODY_SCHEMA } from './report-schema.js';

const THREAD = { module: compiledModule(import.meta.url) };

const CARBON_PROBLEMS: readonly EndpointProblem[] = [
  ...Object.entries(CARBON_ERRORS).map(
    ([error, { summary }]): EndpointProblem => ({
      error,
      problem: { slug: error, status: 422, title: summary.replace(/\.$/, '') },
      say: ({ path = '', message }) => ({ errors: [{ path, message }] }),
    }),
  ),
  // What is wrong with a bill may name its columns, which are not sent back.
  ...costProblems(['cost-columns-missing', 'cost-file-invalid', 'cost-row-invalid', 'no-usable-rows', 'dimension-unknown']),
];

/** Three machines for a month. */
const MACHINES = {
  provider: 'aws',
  region: 'eu-west-1',
  usage: [{ id: 'web', instance_type: 'm5.xlarge', hours: 730, cpu_utilization: 0.4, count: 3 }],
} as const;

export const estimateCarbon = defineEndpoint<EstimateRequest, CarbonEstimate>({
  id: 'estimateCarbon',
  method: 'POST',
  path: '/api/v1/carbon/estimate',
  tag: 'carbon',
  summary: 'Carbon footprint estimation.',
  description:
    'Estimates energy and emissions of Kubernetes manifests, Terraform plans, bills and usage lists. Every figure has a range, and every factor a source. The answer lists anything that cannot be estimated.',
  input: ESTIMATE_BODY_SCHEMA,
  examples: [{ summary: 'Three machines for a month', input: MACHINES }],
  output: { description: 'The estimate.', schema: ESTIMATE_ANSWER, form: 'carbon.estimate/v1' },
  problems: CARBON_PROBLEMS,
  run: (request) => estimate(request),
  thread: THREAD,
  tool: {
    name: 'estimate_carbon',
    description:
      'Estimates energy (kWh) and greenhouse gas emissions (kg CO2e) of current or planned workloads: Kubernetes manifests, a Terraform plan, rows of a cloud bill, or a list of instances. Every figure has a range, and every factor a source. With `compare.proposed`, the answer includes the effect of a change and its probability. Set `provider` and `region`, because manifests do not specify them.',
  },
});

const TEXT = { type: 'string' } as const;

export const reportCarbon = defineEndpoint<ReportRequest, CarbonReport | RenderedReport>({
  id: 'reportCarbon',
  method: 'POST',
  path: '/api/v1/carbon/report',
  tag: 'carbon',
  summary: 'Carbon report.',
  description:
    'Totals with ranges, GHG Protocol lines, tables by group, the change since a baseline and its causes, a target, and possible reductions. Formats other than JSON are returned as text within JSON, or directly to clients that accept `text/html`, `text/csv` or `application/yaml` (an Impact Framework manifest).',
  input: REPORT_BODY_SCHEMA,
  examples: [{ summary: 'Three machines for a month', input: MACHINES }],
  output: { description: 'The report.', schema: { oneOf: [REPORT_ANSWER, RENDERED_ANSWER] }, form: 'carbon.report/v1' },
  formats: {
    'text/html': { schema: TEXT, sets: { format: 'html' } },
    'text/csv': { schema: TEXT, sets: { format: 'csv' } },
    'application/yaml': { schema: TEXT, sets: { format: 'impact-framework' } },
  },
  problems: CARBON_PROBLEMS,
  run: (request) => report(request),
  thread: THREAD,
  tool: {
    name: 'report_carbon',
    description:
      'Reports emissions for readers and inventories: totals with ranges, GHG Protocol lines, tables by group, the change since a baseline split into activity, efficiency, grid and embodied effects, whether a target is met, and estimated reductions (cleaner region, Arm, smaller machine, working hours). Takes the arguments of estimate_carbon, or a saved answer of it as `estimate`, or several `periods`.',
  },
});
