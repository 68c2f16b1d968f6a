import { COST_INPUT_SCHEMA, type CostInput, ONE_COST_INPUT } from '@bylaw/core/cost';
import { type AnomalyParameters, type PlannedEvent, SENSITIVITIES } from '../anomalies/index.js';
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
      description: 'Deviation that counts as an anomaly: `low` is 6, `normal` 4.5 and `high` 3 times the usual residual.',
      enum: Object.keys(SENSITIVITIES),
      default: 'normal',
    },
    threshold_z: {
      description: 'Deviation that counts as an anomaly, in multiples of the usual residual. Overrides `sensitivity`.',
      type: 'number',
      minimum: 1,
      maximum: 100,
    },
    min_impact: {
      description:
        'Minimum impact of an anomaly, as an amount in units of the currency and in percent of the expected cost. An anomaly must exceed both.',
      type: 'object',
      additionalProperties: false,
      properties: {
        amount: { type: 'number', minimum: 0, default: 10 },
        percent: { type: 'number', minimum: 0, default: 5 },
      },
    },
    direction: { description: 'Whether to report increases and decreases, or increases only.', enum: ['both', 'up'], default: 'both' },
    monitors: {
      description: 'Dimensions whose groups are monitored; `*` is the total. Default: total, service, account and region, or each series.',
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { type: 'array', minItems: 1, maxItems: 4, items: name },
    },
    max_drivers: { description: 'Maximum number of drivers per anomaly.', type: 'integer', minimum: 1, maximum: 50, default: 5 },
    planned: {
      description: 'Planned events. Anomalies within the dates and dimensions of an event are marked as planned.',
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
      description: 'Number of days of history to use, before the last bucket.',
      type: 'integer',
      minimum: 28,
      maximum: 4000,
      default: 400,
    },
    include_buckets: { description: 'Include every bucket of every monitored series.', type: 'boolean', default: false },
    chart: {
      description:
        'Include charts as SVG: of the 25 series whose anomalies have the largest impact, or of one series per currency if there are no anomalies.',
      type: 'boolean',
      default: false,
    },
  },
} as const;

const MONITORS = [['*'], ['service'], ['account'], ['region']] as const;

/** What is searched for, and what of it is answered. */
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

/** Dimensions that monitors and planned events name. */
export function neededDimensions({ monitors, planned }: AnomalyParameters): string[] {
  const names = [...monitors.flat(), ...planned.flatMap(({ match = {} }) => Object.keys(match))];
  return [...new Set(names)].filter((dimension) => dimension !== '*' && dimension !== 'series');
}
