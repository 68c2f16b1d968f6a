import type { Operation } from '@bylaw/core/operation';
import { type EstimateRequest, estimate } from '../estimate/index.js';
import { type ReportRequest, report } from '../report/index.js';
import { ESTIMATE_BODY_SCHEMA } from './estimate-schema.js';
import { REPORT_BODY_SCHEMA } from './report-schema.js';

/** What a caller can ask of this plugin. Bodies have passed their schemas. */
export const OPERATIONS = {
  estimate: { body: ESTIMATE_BODY_SCHEMA, answer: (body) => estimate(body as EstimateRequest) },
  report: { body: REPORT_BODY_SCHEMA, answer: (body) => report(body as ReportRequest) },
  // Where the header of the request names the format, it wins over the body.
  'report-csv': { body: REPORT_BODY_SCHEMA, answer: (body) => report({ ...(body as ReportRequest), format: 'csv' }) },
  'report-html': { body: REPORT_BODY_SCHEMA, answer: (body) => report({ ...(body as ReportRequest), format: 'html' }) },
  'report-impact-framework': {
    body: REPORT_BODY_SCHEMA,
    answer: (body) => report({ ...(body as ReportRequest), format: 'impact-framework' }),
  },
} as const satisfies { readonly [name: string]: Operation };

export type OperationName = keyof typeof OPERATIONS;

/** This file, compiled, also where the sources are run by a test runner. */
export const MODULE = new URL('../../dist/doors/operations.js', import.meta.url);
