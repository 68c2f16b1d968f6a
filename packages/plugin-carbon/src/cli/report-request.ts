import { BylawError } from '@bylaw/core/errors';
import { requestCheck } from '@bylaw/core/http';
import { REPORT_MEMBERS } from '../endpoints/report-schema.js';
import { carbonError } from '../error-table.js';
import type { EstimateSource, ReportFormat, ReportRequest, ReportTarget } from '../report/index.js';
import { parseNumberFlag } from './estimate-request.js';
import { jsonAt } from './read-inputs.js';

export interface ReportFlags {
  format: 'text' | ReportFormat;
  output?: string | undefined;
  estimate?: string[] | undefined;
  period?: string[] | undefined;
  'group-by'?: string[] | undefined;
  baseline?: string | undefined;
  target?: string | undefined;
  title?: string | undefined;
}

/** What the flags say of the report, but for the inputs of an estimate. @throws {BylawError} `usage`, `carbon-input-unreadable` */
export async function reportRequest(flags: ReportFlags): Promise<ReportRequest> {
  const estimates = await Promise.all((flags.estimate ?? []).map((file) => estimateAt(file, 'estimate')));
  const request: ReportRequest = {
    ...sourcesOf(estimates, (flags.period ?? []).map(periodOf)),
    ...(flags['group-by'] && { group_by: flags['group-by'] }),
    ...(flags.baseline !== undefined && { baseline: await estimateAt(flags.baseline, 'baseline') }),
    ...(flags.target !== undefined && { target: targetOf(flags.target) }),
    ...(flags.title !== undefined && { title: flags.title }),
    ...(flags.format !== 'text' && flags.format !== 'json' && { format: flags.format }),
  };
  const { estimate, baseline, periods, ...flat } = request;
  const [breach] = requestCheck({ type: 'object', properties: REPORT_MEMBERS })(flat);
  if (breach) throw new BylawError('usage', `Invalid flag value: ${breach.path.slice(1).replaceAll('/', '.')} ${breach.message}.`);
  return request;
}

function sourcesOf(
  estimates: readonly EstimateSource[],
  periods: readonly { start: string; end: string }[],
): Pick<ReportRequest, 'estimate' | 'periods' | 'period'> {
  const [estimate, ...more] = estimates;
  const [period, another] = periods;
  if (estimate !== undefined && more.length > 0) {
    if (periods.length !== estimates.length)
      throw new BylawError('usage', 'Several --estimate flags need one --period each, in the same order.', {
        hint: 'For example --estimate jan.json --period 2026-01-01/2026-02-01 --estimate feb.json --period 2026-02-01/2026-03-01',
      });
    return { periods: periods.map((one, index) => ({ ...one, estimate: estimates[index] ?? estimate })) };
  }
  if (another !== undefined) throw new BylawError('usage', 'Several --period flags need one --estimate each, in the same order.');
  return { ...(estimate && { estimate }), ...(period && { period }) };
}

function periodOf(text: string): { start: string; end: string } {
  const [start = '', end = '', more] = text.split('/');
  if (start === '' || end === '' || more !== undefined)
    throw new BylawError('usage', '--period must be START/END, such as 2026-01-01/2026-02-01.');
  return { start, end };
}

function targetOf(text: string): ReportTarget {
  const amount = parseNumberFlag(text.replace(/(%|kg)$/, ''), '--target') ?? 0;
  return text.endsWith('%') ? { percent: amount } : { kg_co2e: amount };
}

/** What `carbon estimate --json` wrote, or what it would be asked over HTTP. */
async function estimateAt(file: string, member: 'estimate' | 'baseline'): Promise<EstimateSource> {
  const value = await jsonAt(file);
  const [breach] = requestCheck(REPORT_MEMBERS[member])(value);
  if (breach)
    throw carbonError(
      'carbon-input-unreadable',
      `${file} must be the output of carbon estimate --json, or an estimate request: ${breach.path === '' ? 'it' : breach.path} ${breach.message}.`,
      { path: `/${member}`, hint: 'Create it with: bylaw carbon estimate … --json > estimate.json' },
    );
  return value as EstimateSource; // it has passed the schema
}
