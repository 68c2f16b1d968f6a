import { type AnswerWarning, engine, inputDigest } from '@bylaw/core/answer';
import { datasets, digestedInput, notesOf } from '../estimate/estimate.js';
import type { CarbonEstimate, EstimateTotal, ReadBefore } from '../estimate/index.js';
import { SAMPLES } from '../estimate/points.js';
import { endsOf, isSampled } from './amount.js';
import { causesOf } from './causes.js';
import { bothSides, changeOf } from './change.js';
import { type Footprint, together } from './footprint.js';
import { defaultDimensions, groupingsOf, topItems } from './groups.js';
import { methodOf, NOT_COUNTED } from './method.js';
import { type ReadSource, type ReadSources, readSources } from './read-sources.js';
import { MOST_CONSIDERED, reductionsOf } from './reductions/index.js';
import { sciOf } from './sci.js';
import { scopesOf } from './scopes.js';
import { targetResult } from './target.js';
import type { CarbonReport, ReportPeriod, ReportRequest } from './types.js';
import { usedFactors } from './used-factors.js';

/** A report, with what it was made of: other formats show more of it than the JSON does. */
export interface MadeReport {
  report: CarbonReport;
  footprint: Footprint;
  sources: ReadSources;
}

/**
 * The answer of `POST /api/v1/carbon/report`, of the tool and of the command: pure, and the same bytes for the same input.
 * The request has passed the schema.
 * @throws {BylawError} of `error-table.ts`
 */
export async function makeReport(request: ReportRequest, before: ReadBefore = {}): Promise<MadeReport> {
  const sources = await readSources(request, before);
  const footprint = together(sources.periods.map((source) => source.footprint));
  const answers = [...sources.periods, ...(sources.baseline ? [sources.baseline] : [])].map(answerOfSource);
  const parameters = parametersOf(request, footprint, sources);
  const sides = bothSides(footprint, sources);
  const sci = sciOf(footprint, sources);
  const newest = sources.periods.findLast(({ computed }) => computed !== undefined)?.computed;
  const report: CarbonReport = {
    schema: 'carbon.report/v1',
    engine: engine(),
    data: Object.fromEntries(answers.flatMap(({ data }) => Object.entries(data))),
    input_digest: inputDigest({ parameters, estimates: answers.map(({ digest }) => digest) }),
    parameters,
    warnings: warningsOf(sources),
    title: request.title ?? 'Carbon report',
    periods: sources.periods.map(shownPeriod),
    total: shownTotals(footprint),
    ...(sci && { sci }),
    scopes: scopesOf(footprint),
    groups: groupingsOf(footprint, parameters.group_by),
    top_items: topItems(footprint),
    ...(sources.baseline && sides && { change: changeOf(footprint, sources.baseline.footprint, sides) }),
    ...(request.target && { target: targetResult(request.target, footprint.totals.kg, sides) }),
    reductions: newest === undefined ? null : reductionsOf(newest),
    uncertainty: uncertaintyOf(footprint, sources),
    method: [
      ...methodOf(sources.periods.flatMap(({ computed }) => computed?.result.parameters ?? [])),
      ...new Set(answers.slice(0, sources.periods.length).flatMap(({ notes }) => notes)),
    ],
    factors: usedFactors(footprint.entries),
    unestimated: [...footprint.unestimated],
    not_counted: [...NOT_COUNTED],
    attribution: [...new Set(answers.flatMap(({ data }) => Object.values(data).map(({ attribution }) => attribution)))],
  };
  return { report, footprint, sources };
}

interface SourceAnswer {
  data: CarbonEstimate['data'];
  digest: string;
  /** What holds for all of it, such as why nothing is known of what was bought. */
  notes: readonly string[];
}

/** A saved answer is digested as it is read here, for its own digest could be of other items. */
function answerOfSource({ computed, saved }: ReadSource): SourceAnswer {
  if (computed) {
    const { result } = computed;
    return {
      data: datasets(result.current.items),
      digest: inputDigest(digestedInput(result)),
      notes: notesOf(result.current.items).notes ?? [],
    };
  }
  const { items = [], total, unestimated, period_hours } = saved ?? {};
  const digest = inputDigest({ items, total, unestimated, period_hours });
  return { data: saved?.data ?? {}, digest, notes: saved?.notes ?? [] };
}

interface ReportParameters {
  [name: string]: unknown;
  group_by: readonly string[];
}

/** What the estimates were asked is beside what the report was asked; null for a saved one that does not say it. */
function parametersOf(request: ReportRequest, footprint: Footprint, { periods, baseline }: ReadSources): ReportParameters {
  const own = ({ computed, saved }: ReadSource) => computed?.result.parameters ?? saved?.parameters ?? null;
  return {
    title: request.title ?? null,
    group_by: [...new Set(request.group_by ?? defaultDimensions(footprint))],
    target: request.target ?? null,
    periods: periods.map((source) => ({ start: source.period?.start ?? null, end: source.period?.end ?? null, estimate: own(source) })),
    baseline: baseline === undefined ? null : own(baseline),
  };
}

function warningsOf({ periods, baseline }: ReadSources): AnswerWarning[] {
  const all = [...periods, ...(baseline ? [baseline] : [])];
  const saved = all.some((source) => source.saved !== undefined);
  const hours = periods.reduce((sum, source) => sum + source.hours, 0);
  return [
    ...all.flatMap(({ warnings }) => warnings.map(({ code, message, path }) => ({ code, message, path }))),
    ...(saved ? [SAVED_RANGES] : []),
    ...(periods.some(({ computed }) => computed) ? [] : [NO_REDUCTIONS]),
    ...(periods.some(({ computed }) => (computed?.result.current.items.length ?? 0) > MOST_CONSIDERED) ? [ONLY_LARGEST] : []),
    ...(baseline && Math.abs(baseline.hours - hours) > 1e-6 * hours ? [OTHER_LENGTH] : []),
  ];
}

const SAVED_RANGES: AnswerWarning = {
  code: 'ranges-added',
  message:
    'A saved answer has no sample points. Ranges of groups, periods and differences that include it are sums of the ranges of their parts, so they are wider than ranges calculated from the inputs.',
  path: '',
};

const NO_REDUCTIONS: AnswerWarning = {
  code: 'no-reductions',
  message: 'Reductions are separate estimates. They need the inputs, which a saved answer does not contain.',
  path: '',
};

const ONLY_LARGEST: AnswerWarning = {
  code: 'reductions-of-largest',
  message: `Reductions cover only the ${MOST_CONSIDERED} largest items.`,
  path: '',
};

const OTHER_LENGTH: AnswerWarning = {
  code: 'baseline-hours-differ',
  message: 'The baseline covers a different number of hours. Part of the change is the length of the period, which counts as activity.',
  path: '/baseline/period_hours',
};

function shownPeriod({ period, hours, footprint }: ReadSource): ReportPeriod {
  const { kg, energyKwh } = footprint.totals;
  return {
    ...{ start: period?.start ?? null, end: period?.end ?? null, hours, items: footprint.entries.length },
    ...{ kg_co2e: endsOf(kg), energy_kwh: endsOf(energyKwh) },
  };
}

function shownTotals({ totals }: Footprint): EstimateTotal {
  return {
    kg_co2e: endsOf(totals.kg),
    operational: endsOf(totals.operational),
    embodied: endsOf(totals.embodied),
    energy_kwh: endsOf(totals.energyKwh),
    location_based: endsOf(totals.locationBased),
    market_based: totals.marketBased === null ? null : endsOf(totals.marketBased),
  };
}

function uncertaintyOf({ totals }: Footprint, { periods }: ReadSources): CarbonReport['uncertainty'] {
  const [only] = periods;
  const dimensions = periods.length === 1 ? only?.computed?.result.dimensions : undefined;
  const causes = dimensions && isSampled(totals.kg) ? causesOf(totals.kg, dimensions) : [];
  return { level: 90, samples: isSampled(totals.kg) ? SAMPLES : null, causes };
}
