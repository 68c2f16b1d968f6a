import { type Envelope, engine, inputDigest } from '@bylaw/core/answer';
import { COST_INPUT_SCHEMA, type CostInput, type CostTable, costTables, ONE_COST_INPUT, SETTLE_DAYS } from '@bylaw/core/cost';
import { exactSum, money, roundSignificant } from '@bylaw/core/number';
import { plural } from '@bylaw/core/report';
import {
  type Anomaly,
  type AnomalyParameters,
  detect,
  falseAlarmsPerYear,
  neededHistory,
  type PlannedEvent,
  SENSITIVITIES,
  type SeriesBuckets,
} from '../anomalies/index.js';
import type { Charts } from '../chart/index.js';
import { refuseReversed } from './spans.js';

/** The body of `POST /api/v1/finops/anomalies`. */
export interface AnomaliesBody extends CostInput, AnomaliesOptions {}

export interface AnomaliesOptions {
  sensitivity?: keyof typeof SENSITIVITIES;
  threshold_z?: number;
  min_impact?: { amount?: number; percent?: number };
  direction?: 'both' | 'up';
  monitors?: readonly (readonly string[])[];
  max_drivers?: number;
  planned?: readonly PlannedEvent[];
  history_days?: number;
  include_buckets?: boolean;
  chart?: boolean;
}

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const day = { type: 'string', format: 'date' } as const;

export const ANOMALIES_BODY_SCHEMA = {
  title: 'AnomaliesRequest',
  type: 'object',
  additionalProperties: false,
  oneOf: ONE_COST_INPUT,
  properties: {
    ...COST_INPUT_SCHEMA,
    sensitivity: {
      description: 'How unusual a cost must be: 6, 4.5 or 3 usual residuals.',
      enum: Object.keys(SENSITIVITIES),
      default: 'normal',
    },
    threshold_z: { description: 'The same as a number; goes before `sensitivity`.', type: 'number', minimum: 1, maximum: 100 },
    min_impact: {
      description: 'What an anomaly must at least cost, in units of the currency and in percent of the expected; both must be passed.',
      type: 'object',
      additionalProperties: false,
      properties: {
        amount: { type: 'number', minimum: 0, default: 10 },
        percent: { type: 'number', minimum: 0, default: 5 },
      },
    },
    direction: { description: 'Whether falls are looked for, too.', enum: ['both', 'up'], default: 'both' },
    monitors: {
      description: 'Dimensions whose groups are watched; `*` is the total. By default total, service, account and region, or each series.',
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { type: 'array', minItems: 1, maxItems: 4, items: name },
    },
    max_drivers: { description: 'The most drivers of one anomaly.', type: 'integer', minimum: 1, maximum: 50, default: 5 },
    planned: {
      description: 'What was known before: anomalies in its time and dimensions are marked as planned.',
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['start', 'end'],
        properties: {
          start: day,
          end: day,
          match: { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 1000 } },
          note: { type: 'string', maxLength: 1000 },
        },
      },
    },
    history_days: {
      description: 'Days before the last bucket that are looked at.',
      type: 'integer',
      minimum: 28,
      maximum: 4000,
      default: 400,
    },
    include_buckets: { description: 'Answer every bucket of every watched series, too.', type: 'boolean', default: false },
    chart: {
      description: 'Answer charts as SVG, too: of the 25 series whose anomalies are the dearest, or of one without.',
      type: 'boolean',
      default: false,
    },
  },
} as const;

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

/** Dimensions that monitors and planned events name. */
export function neededDimensions({ monitors, planned }: AnomalyParameters): string[] {
  const names = [...monitors.flat(), ...planned.flatMap(({ match = {} }) => Object.keys(match))];
  return [...new Set(names)].filter((dimension) => dimension !== '*' && dimension !== 'series');
}

const MONITORS = [['*'], ['service'], ['account'], ['region']] as const;

/** What is looked for, and what of it is answered. */
export interface AnomaliesParameters extends AnomalyParameters {
  chart: boolean;
}

/** @throws {BylawError} `instant-invalid` */
export function anomalyParameters(options: AnomaliesOptions, monitors: readonly (readonly string[])[] = MONITORS): AnomaliesParameters {
  refuseReversed(options.planned ?? [], '/planned');
  return {
    threshold_z: options.threshold_z ?? SENSITIVITIES[options.sensitivity ?? 'normal'],
    min_impact: { amount: options.min_impact?.amount ?? 10, percent: options.min_impact?.percent ?? 5 },
    direction: options.direction ?? 'both',
    monitors: options.monitors ?? monitors,
    max_drivers: options.max_drivers ?? 5,
    planned: options.planned ?? [],
    history_days: options.history_days ?? 400,
    include_buckets: options.include_buckets ?? false,
    chart: options.chart ?? false,
  };
}

/** What is watched where a request does not say. Series that name no dimensions are watched one by one. */
export function monitorsOf({ series }: CostInput): readonly (readonly string[])[] {
  if (!series) return MONITORS;
  const dimensions = new Set(series.flatMap((one) => Object.keys(one.dimensions ?? {})));
  const known = MONITORS.filter(([dimension]) => dimensions.has(dimension));
  return [...(series.length > 1 ? [['*']] : []), ...(known.length > 0 ? known : [['series']])];
}

/** What is said of tables that were read in any way. */
export async function answerOf(
  tables: readonly CostTable[],
  parameters: AnomaliesParameters,
  input: Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>,
): Promise<AnomaliesAnswer> {
  const { chart, include_buckets } = parameters;
  const detections = tables.map((table) => detect(table, { ...parameters, include_buckets: include_buckets || chart }));
  const anomalies = detections.flatMap(({ anomalies: found }) => found);
  const series = detections.flatMap(({ series: judged }) => judged);
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

/** How the input was read, defaults filled in. */
export function readingOf(input: ReadingInput, [table]: readonly CostTable[]) {
  return {
    currency: input.currency ?? null,
    fx: input.fx ?? null,
    metric: input.metric ?? 'EffectiveCost',
    group_by: input.group_by ?? [],
    granularity: table?.granularity ?? input.granularity ?? 'day',
    timezone: input.timezone ?? 'UTC',
    as_of: input.as_of ?? null,
    settle_days: settleDaysOf(input, table),
    include_categories: input.include_categories ?? ['Usage', 'Purchase'],
    recency: input.recency ?? null,
  };
}

/** Null where `recency` says what is final. */
function settleDaysOf({ settle_days, as_of, recency }: ReadingInput, table: CostTable | undefined): number | null {
  if (recency?.length) return null;
  const isFinal = as_of === undefined && table?.leaves.some(({ id }) => id !== undefined) === true;
  return settle_days ?? (isFinal ? 0 : SETTLE_DAYS[table?.granularity ?? 'day']);
}

type ReadingInput = Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>;

/** A table as plain values, for its digest. */
export function digested({ currency, granularity, timezone, buckets, provisionalFrom, leaves }: CostTable): object {
  const column = (values: Float64Array | undefined) => values && Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  return {
    currency,
    granularity,
    timezone,
    buckets,
    provisionalFrom,
    leaves: leaves.map(({ id, dimensions, cost, quantity, unit, committed, unused, oneTime, resources }) => ({
      id,
      dimensions,
      cost: column(cost),
      quantity: column(quantity),
      unit,
      committed: column(committed),
      unused: column(unused),
      oneTime: column(oneTime),
      resources: resources && [...resources].map(([resource, amounts]) => [resource, ...amounts]),
    })),
  };
}

function lastFinal(tables: readonly CostTable[]): string | null {
  const last = tables.flatMap(({ buckets, provisionalFrom }) => buckets[provisionalFrom - 1] ?? []).sort();
  return last[0] ?? null;
}

function shortHistory(tables: readonly CostTable[]) {
  return tables.flatMap(({ currency, buckets, granularity }) => {
    const { first, full } = neededHistory(granularity === 'hour' ? 168 : 7);
    if (buckets.length >= full) return [];
    const message = `The history in ${currency} has ${plural(buckets.length, granularity)}: nothing is judged before ${first} of them, and only by one and a half times the threshold before ${full}.`;
    return [{ code: 'short-history', message, path: '' }];
  });
}
