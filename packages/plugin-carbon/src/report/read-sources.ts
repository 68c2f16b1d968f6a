import type { AnswerWarning } from '@bylaw/core/answer';
import { carbonError } from '../error-table.js';
import { dimensionsOfItems, estimateItems } from '../estimate/estimate-items.js';
import { type EstimateRequest, type EstimationResult, estimation, type ReadBefore } from '../estimate/index.js';
import { computedFootprint, type Footprint, hoursOf, savedFootprint } from './footprint.js';
import type { EstimateSource, Period, ReportRequest, SavedEstimate } from './types.js';

/** An estimate that was computed for this report, with what it was asked. */
export interface Computed {
  request: EstimateRequest;
  result: EstimationResult;
}

export interface ReadSource {
  period: Period | undefined;
  hours: number;
  footprint: Footprint;
  /** Undefined where it is a saved answer. */
  computed: Computed | undefined;
  saved: SavedEstimate | undefined;
  warnings: readonly AnswerWarning[];
}

export interface ReadSources {
  periods: readonly ReadSource[];
  baseline: ReadSource | undefined;
}

/**
 * The estimates of a report, in the order of their periods: computed, or out of saved answers.
 * @throws {BylawError} `report-sources`, `period-invalid`, `estimate-inconsistent`, and all that `estimation` throws
 */
export async function readSources(request: ReportRequest, before: ReadBefore = {}): Promise<ReadSources> {
  const { baseline } = request;
  const read: ReadSource[] = [];
  for (const [index, { source, period, path }] of sourcesOf(request).entries())
    read.push(await readSource(source, period, index, path, index === 0 ? before : {}));
  return {
    periods: onSharedPoints(read),
    baseline: baseline && (await readSource(baseline, undefined, 0, '/baseline')),
  };
}

interface Source {
  source: EstimateSource;
  period: Period | undefined;
  path: string;
}

/** One of three ways: members of an estimate, an estimate, or several periods. */
function sourcesOf({ estimate, periods, period, ...rest }: ReportRequest): Source[] {
  const { format, group_by, baseline, target, title, ...inputs } = rest;
  if (estimate === undefined && periods === undefined) return [{ source: inputs, period, path: '' }];
  if ((estimate !== undefined && periods !== undefined) || Object.keys(inputs).length > 0)
    throw carbonError('report-sources', 'The request has more than one source for the report.', {
      hint: 'Provide only one of them: the members of an estimate, `estimate`, or `periods`.',
    });
  if (estimate !== undefined) return [{ source: estimate, period, path: '/estimate' }];
  if (period !== undefined)
    throw carbonError('report-sources', '`period` cannot be combined with `periods`, which have their own start and end.', {
      path: '/period',
      hint: 'Remove `period`.',
    });
  return inOrder(periods ?? []);
}

function inOrder(periods: NonNullable<ReportRequest['periods']>): Source[] {
  const sorted = periods
    .map(({ estimate: source, start, end }, index) => ({ source, period: { start, end }, path: `/periods/${index}/estimate`, index }))
    .toSorted((a, b) => Date.parse(a.period.start) - Date.parse(b.period.start));
  for (const [at, { period, index }] of sorted.entries()) {
    const next = sorted[at + 1];
    hoursOf(period, `/periods/${index}`);
    if (next && Date.parse(next.period.start) < Date.parse(period.end))
      throw carbonError('period-invalid', 'Two periods overlap, so the report would count the overlap twice.', {
        path: `/periods/${next.index}`,
        hint: 'The end of a period is exclusive: 2026-01-01 to 2026-02-01 is January.',
      });
  }
  return sorted.map(({ source, period, path }) => ({ source, period, path }));
}

async function readSource(
  source: EstimateSource,
  period: Period | undefined,
  index: number,
  path: string,
  before: ReadBefore = {},
): Promise<ReadSource> {
  const length = period && hoursOf(period, path.startsWith('/periods') ? path.replace(/\/estimate$/, '') : '/period');
  if (isSaved(source)) {
    const footprint = savedFootprint(source, index, path);
    const { period_hours: hours } = source;
    return { period, hours, footprint, computed: undefined, saved: source, warnings: lengthWarning(hours, length, path) };
  }
  const request = { ...source, ...(source.period_hours === undefined && length !== undefined && { period_hours: length }) };
  const result = await estimation(request, before);
  const { period_hours: hours } = result.parameters;
  return {
    ...{ period, hours, footprint: computedFootprint(result, index), computed: { request, result }, saved: undefined },
    warnings: [
      ...result.warnings.map((warning) => ({ ...warning, path: `${path}${warning.path}` })),
      ...lengthWarning(hours, length, path),
    ],
  };
}

export function isSaved(source: EstimateSource): source is SavedEstimate {
  return 'schema' in source;
}

function lengthWarning(hours: number, length: number | undefined, path: string): AnswerWarning[] {
  if (length === undefined || Math.abs(hours - length) < 1e-6 * length) return [];
  const message = 'The estimate covers a different number of hours than the period.';
  return [{ code: 'period-hours-differ', message, path: `${path}/period_hours` }];
}

/** One period stays as it was computed, so that a report says what its estimate says. Several need the same points to be added up. */
function onSharedPoints(sources: readonly ReadSource[]): ReadSource[] {
  const computed = sources.map((source) => source.computed);
  if (sources.length < 2) return [...sources];
  const results = estimatedTogether(computed.flatMap((one) => one ?? []));
  return sources.map((source, index) => {
    const result = source.computed && results.shift();
    return result ? { ...source, footprint: computedFootprint({ current: result }, index) } : source;
  });
}

/** The same items on points that all of the estimates share, so that they can be added and subtracted point by point. */
export function estimatedTogether(all: readonly Computed[]): EstimationResult['current'][] {
  const lists = all.map(({ request, result: { current, parameters } }) => ({
    items: current.items.map(({ item }) => item),
    options: { assumptions: request.assumptions ?? {}, method: parameters.method },
    unestimated: current.unestimated,
  }));
  const dimensions = union(lists.map(({ items, options }) => dimensionsOfItems(items, options)));
  return lists.map(({ items, options, unestimated }) => ({
    items: estimateItems([items], options, dimensions)[0] ?? [],
    unestimated,
  }));
}

/** Grids and architectures first and sorted, as in each of the lists; what all items share is the same in each. */
function union(lists: readonly (readonly string[])[]): string[] {
  const named = (start: string) => [...new Set(lists.flat().filter((name) => name.startsWith(start)))].sort();
  const [grids, powers] = [named('grid '), named('power ')];
  const shared = new Set(lists.flat().filter((name) => !name.startsWith('grid ') && !name.startsWith('power ')));
  return [...grids, ...powers, ...shared];
}
