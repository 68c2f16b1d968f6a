import { createHash } from 'node:crypto';
import { carbonError } from '../error-table.js';
import type { ReadBefore } from '../estimate/index.js';
import type { ExportedEstimate } from './impact-framework/index.js';
import { type MadeReport, makeReport } from './report.js';
import type { CarbonReport, ReportFormat, ReportRequest, TargetResult } from './types.js';

/** A report in another format than JSON, as a JSON answer carries it. */
export interface RenderedReport {
  content_type: string;
  content: string;
  /** Of the bytes of `content` in UTF-8. */
  sha256: string;
  /** As the JSON has it, for who must know whether it is met without reading the content. */
  target?: TargetResult;
}

interface Rendering {
  mediaType: string;
  render(made: MadeReport): Promise<string>;
}

/** Formats but JSON, with what they are called over HTTP; each is loaded when it is requested, as charts take their time. */
const RENDERINGS: { readonly [format in Exclude<ReportFormat, 'json'>]: Rendering } = {
  csv: { mediaType: 'text/csv; charset=utf-8', render: async (made) => (await import('./csv.js')).reportCsv(made) },
  html: { mediaType: 'text/html; charset=utf-8', render: async (made) => (await import('./page/page.js')).reportPage(made) },
  'impact-framework': { mediaType: 'application/yaml', render: manifest },
};

/** The report, in the format that the request names. @throws {BylawError} as `makeReport`, and `format-needs-input` */
export async function report(request: ReportRequest, before: ReadBefore = {}): Promise<CarbonReport | RenderedReport> {
  const made = await makeReport(request, before);
  const { format = 'json' } = request;
  if (format === 'json') return made.report;
  const { mediaType, render } = RENDERINGS[format];
  const content = await render(made);
  const { target } = made.report;
  return { content_type: mediaType, content, sha256: createHash('sha256').update(content).digest('hex'), ...(target && { target }) };
}

/** A saved answer is rounded and holds no curves: a manifest computes everything again, to the digit. */
async function manifest({ report: { title }, sources }: MadeReport): Promise<string> {
  const estimates = sources.periods.map(({ computed, period }): ExportedEstimate => {
    if (computed) return { result: computed.result, ...(period && { start: new Date(period.start).toISOString() }) };
    throw carbonError(
      'format-needs-input',
      'An Impact Framework manifest recalculates everything, and a saved answer does not contain all the inputs.',
      {
        path: '/format',
        hint: 'Provide the inputs of the estimate instead.',
      },
    );
  });
  const { impactFramework } = await import('./impact-framework/index.js');
  return impactFramework(estimates, { title });
}
