import { type Envelope, engine, inputDigest } from '@bylaw/core/answer';
import { type CostTable, costTables } from '@bylaw/core/cost';
import { exactSum, money, roundSignificant } from '@bylaw/core/number';
import { plural } from '@bylaw/core/report';
import { type Anomaly, detect, falseAlarmsPerYear, neededHistory, SENSITIVITIES, type SeriesBuckets } from '../anomalies/index.js';
import type { Charts } from '../chart/index.js';
import { type AnomaliesBody, type AnomaliesParameters, anomalyParameters, monitorsOf, neededDimensions } from './anomalies-request.js';
import { digested, type ReadingInput, readingOf } from './reading.js';

/** The body of the answer; members in this order. */
export interface AnomaliesAnswer extends Envelope {
  summary: {
    series: number;
    buckets: number;
    anomalies: number;
    /** What all anomalies that are not planned cost beyond the expected; null where there are several currencies, which are never added up. */
    impact: Impact | null;
    impact_by_currency: Impact[];
    /** Last bucket that is final; null where none is. */
    complete_through: string | null;
  };
  anomalies: Anomaly[];
  series?: SeriesBuckets[];
  charts?: Charts['charts'];
  /** What was left out, by currency. */
  excluded: {
    currency: string;
    tax: number;
    credit: number;
    adjustment: number;
    other: number;
    corrections: { rows: number; amount: number };
  }[];
  quality: {
    series_too_short: number;
    gaps_filled: number;
    /** Of a daily series, as measured on synthetic bills; null for other granularities. */
    expected_false_alarms_per_series_year: number | null;
  };
}

interface Impact {
  amount: number;
  currency: string;
}

/** @throws {BylawError} of the cost floor, for input that cannot be used */
export async function anomaliesAnswer(body: AnomaliesBody): Promise<AnomaliesAnswer> {
  const parameters = anomalyParameters(body, monitorsOf(body));
  return answerOf(costTables(body, neededDimensions(parameters)), parameters, body);
}

/** The messages about tables that were read in any way. */
export async function answerOf(
  tables: readonly CostTable[],
  parameters: AnomaliesParameters,
  input: ReadingInput,
): Promise<AnomaliesAnswer> {
  const { chart, include_buckets } = parameters;
  const detections = tables.map((table) => detect(table, { ...parameters, include_buckets: include_buckets || chart }));
  const anomalies = detections.flatMap(({ anomalies: found }) => found);
  const series = detections.flatMap(({ series: evaluated }) => evaluated);
  const sensitivity = Object.entries(SENSITIVITIES).find(([, threshold]) => threshold === parameters.threshold_z)?.[0] ?? null;
  const shown = { ...readingOf(input, tables), sensitivity, ...parameters };
  const impacts = tables.map(({ currency }) => impactIn(currency, anomalies));
  const [impact, another] = impacts;
  const drawn = chart ? await chartsOf(series, anomalies, shown.granularity) : undefined;
  const sum = (of: (counts: (typeof detections)[number]['counts']) => number) =>
    detections.reduce((total, { counts }) => total + of(counts), 0);
  return {
    schema: 'finops.anomalies/v1',
    engine: engine(),
    data: {},
    input_digest: inputDigest({ parameters: shown, tables: tables.map(digested) }),
    parameters: shown,
    warnings: [
      ...tables.flatMap(({ warnings }) => warnings.map(({ code, message, path = '' }) => ({ code, message, path }))),
      ...shortHistory(tables),
      ...(drawn?.warnings ?? []),
    ],
    summary: {
      series: sum(({ series }) => series),
      buckets: sum(({ buckets }) => buckets),
      anomalies: anomalies.length,
      impact: impact && !another ? impact : null,
      impact_by_currency: impacts,
      complete_through: lastFinal(tables),
    },
    anomalies,
    ...(include_buckets && { series }),
    ...(drawn && { charts: drawn.charts }),
    excluded: tables.map(({ currency, excluded, corrections }) => ({
      currency,
      tax: money(excluded.tax),
      credit: money(excluded.credit),
      adjustment: money(excluded.adjustment),
      other: money(excluded.other),
      corrections: { rows: corrections.rows, amount: money(corrections.amount) },
    })),
    quality: {
      series_too_short: sum(({ too_short }) => too_short),
      gaps_filled: sum(({ gaps }) => gaps),
      expected_false_alarms_per_series_year:
        tables[0]?.granularity === 'day' ? roundSignificant(falseAlarmsPerYear(parameters.threshold_z), 2) : null,
    },
  };
}

function impactIn(currency: string, anomalies: readonly Anomaly[]): Impact {
  const impacts = anomalies.flatMap((one) => (one.currency === currency && one.status !== 'planned' ? [one.impact] : []));
  return { amount: money(exactSum(impacts)), currency };
}

/** What draws takes long to load, and few ask for it. */
async function chartsOf(series: readonly SeriesBuckets[], anomalies: readonly Anomaly[], bucket: string): Promise<Charts> {
  const { anomalyCharts } = await import('../chart/index.js');
  return anomalyCharts(series, anomalies, bucket);
}

function lastFinal(tables: readonly CostTable[]): string | null {
  const last = tables.flatMap(({ buckets, provisionalFrom }) => buckets[provisionalFrom - 1] ?? []).sort();
  return last[0] ?? null;
}

function shortHistory(tables: readonly CostTable[]) {
  return tables.flatMap(({ currency, buckets, granularity }) => {
    const { first, full } = neededHistory(granularity === 'hour' ? 168 : 7);
    if (buckets.length >= full) return [];
    const message = `The history in ${currency} has ${plural(buckets.length, granularity)}. Detection starts after ${plural(first, granularity)}, and uses 1.5 times the threshold until ${plural(full, granularity)}.`;
    return [{ code: 'short-history', message, path: '' }];
  });
}
