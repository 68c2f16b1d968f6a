import { type Envelope, engine, inputDigest } from '@bylaw/core/answer';
import { COST_INPUT_SCHEMA, type CostInput, type CostTable, costError, costTables, MOST_AMOUNT, ONE_COST_INPUT } from '@bylaw/core/cost';
import { money } from '@bylaw/core/number';
import type { Charts } from '../chart/index.js';
import {
  type Budget,
  type Forecast,
  type ForecastParameters,
  type ForecastResult,
  forecast,
  type KnownChange,
  type Match,
  MOST_BUCKETS_AHEAD,
  PERIODS,
} from '../forecast/index.js';
import { digested, readingOf } from './reading.js';
import { refuseReversed } from './spans.js';

/** The body of `POST /api/v1/finops/forecast`. */
export interface ForecastBody extends CostInput, ForecastOptions {}

export interface ForecastOptions {
  horizon?: number;
  until?: string;
  levels?: readonly number[];
  budgets?: readonly (Omit<Budget, 'period'> & Partial<Pick<Budget, 'period'>>)[];
  known_changes?: readonly KnownChange[];
  reconcile?: boolean;
  backtest?: { origins?: number };
  include_history?: boolean;
  chart?: boolean;
}

const text = { type: 'string', minLength: 1, maxLength: 200 } as const;
const day = { type: 'string', format: 'date' } as const;
const match = {
  description: 'Dimension values that it applies to. Default: everything.',
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: 'string', maxLength: 1000 },
} as const;

export const BUDGETS_SCHEMA = {
  description: 'Budgets for each month, quarter or year.',
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'amount'],
    properties: {
      id: { description: 'Name of the budget.', ...text },
      amount: { description: 'Amount of the budget, in units of the currency.', type: 'number', minimum: 0, maximum: MOST_AMOUNT },
      period: { enum: PERIODS, default: 'month' },
      match,
    },
  },
} as const;

export const KNOWN_CHANGES_SCHEMA = {
  description: 'Known future changes that are not in the history: an amount per bucket, or a factor.',
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['start'],
    oneOf: [{ required: ['add'] }, { required: ['multiply'] }],
    properties: {
      start: { description: 'First day.', ...day },
      end: { description: 'Last day. Default: no end.', ...day },
      add: { description: 'Amount per bucket, in units of the currency.', type: 'number', minimum: -MOST_AMOUNT, maximum: MOST_AMOUNT },
      multiply: {
        description: 'Factor for the cost that the change applies to. All factors multiplied must be at most 1e9.',
        type: 'number',
        minimum: 0,
        maximum: 1000,
      },
      match,
      note: { type: 'string', maxLength: 1000 },
    },
  },
} as const;

export const FORECAST_BODY_SCHEMA = {
  title: 'ForecastRequest',
  type: 'object',
  additionalProperties: false,
  oneOf: ONE_COST_INPUT,
  // Both would say how far to look.
  not: { required: ['horizon', 'until'] },
  properties: {
    ...COST_INPUT_SCHEMA,
    horizon: {
      description: 'Forecast horizon in buckets, at most half of the history. Default: 30 days, 168 hours, 13 weeks or 12 months.',
      type: 'integer',
      minimum: 1,
      maximum: MOST_BUCKETS_AHEAD,
    },
    until: { description: 'Last day to forecast, instead of `horizon`.', ...day },
    levels: {
      description: 'Levels of the prediction intervals, in percent.',
      type: 'array',
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      items: { type: 'integer', minimum: 50, maximum: 99 },
      default: [80, 95],
    },
    budgets: BUDGETS_SCHEMA,
    known_changes: KNOWN_CHANGES_SCHEMA,
    reconcile: {
      description:
        'Also forecast the total, and reconcile it with its parts. Default: true for the groups of a bill, false for series, which may not be parts of one total.',
      type: 'boolean',
    },
    include_history: { description: 'Include every bucket of the history.', type: 'boolean', default: false },
    chart: { description: 'Include charts as SVG: of the 25 forecasts with the highest cost.', type: 'boolean', default: false },
    backtest: {
      type: 'object',
      additionalProperties: false,
      properties: {
        origins: {
          description: 'Maximum number of earlier start dates to backtest from.',
          type: 'integer',
          minimum: 1,
          maximum: 12,
          default: 6,
        },
      },
    },
  },
} as const;

/** The body of the answer; members in this order. */
export interface ForecastAnswer extends Envelope {
  forecasts: Forecast[];
  reconciliation: ForecastResult['reconciliation'];
  charts?: Charts['charts'];
  /** Charges that are not part of it, by currency. */
  excluded: { currency: string; tax: number; credit: number; adjustment: number; other: number }[];
}

/** @throws {BylawError} of the cost floor, for input that cannot be used */
export async function forecastAnswer(body: ForecastBody): Promise<ForecastAnswer> {
  const parameters = forecastParameters(body, body.series !== undefined);
  return forecastAnswerOf(costTables(body, matchedDimensions(parameters)), parameters, body);
}

/** Dimensions that budgets and changes name. */
export function matchedDimensions({ budgets, known_changes }: Pick<ForecastParameters, 'budgets' | 'known_changes'>): string[] {
  const names = [...budgets, ...known_changes].flatMap(({ match: own = {} }: { match?: Match }) => Object.keys(own));
  return [...new Set(names)].filter((name) => name !== 'series');
}

/** How it is forecast, and what of it is answered. */
export interface ForecastAnswerParameters extends ForecastParameters {
  chart: boolean;
}

/**
 * @param series whether the input is plain series
 * @throws {BylawError} `instant-invalid`, `growth-too-large`
 */
export function forecastParameters(options: ForecastOptions, series: boolean): ForecastAnswerParameters {
  refuseReversed(options.known_changes ?? [], '/known_changes');
  refuseTooMuchGrowth(options.known_changes ?? []);
  return {
    horizon: options.horizon ?? null,
    until: options.until ?? null,
    levels: (options.levels ?? [80, 95]).toSorted((a, b) => a - b),
    budgets: (options.budgets ?? []).map((budget) => ({ ...budget, period: budget.period ?? 'month' })),
    known_changes: options.known_changes ?? [],
    reconcile: options.reconcile ?? !series,
    backtest: { origins: options.backtest?.origins ?? 6 },
    include_history: options.include_history ?? false,
    chart: options.chart ?? false,
  };
}

/** All factors that raise the cost, together. */
const MOST_GROWTH = 1e9;

function refuseTooMuchGrowth(changes: readonly KnownChange[]): void {
  const growth = changes.reduce((product, { multiply = 1 }) => product * Math.max(1, multiply), 1);
  if (growth > MOST_GROWTH)
    throw costError('growth-too-large', `The known changes together multiply the cost by more than ${MOST_GROWTH}.`, {
      path: '/known_changes',
      hint: 'For an increase of 20 %, use the factor 1.2.',
    });
}

/** The messages about tables that were read in any way. */
export async function forecastAnswerOf(
  tables: readonly CostTable[],
  parameters: ForecastAnswerParameters,
  input: Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>,
): Promise<ForecastAnswer> {
  if (tables.length > 1 && (parameters.budgets.length > 0 || parameters.known_changes.some(({ add }) => add !== undefined)))
    throw costError('currency-mixed', 'Budgets and amounts are in one currency, but the cost is in several.', {
      hint: 'Set `currency` (--currency), and the exchange rates of the other currencies with `fx` (--fx).',
    });
  const results = tables.map((table) => forecast(table, input.group_by ?? [], parameters));
  const adjustments = results.flatMap(({ reconciliation }) => reconciliation ?? []);
  const shown = { ...readingOf(input, tables), ...parameters, horizon: Math.max(...results.map(({ horizon }) => horizon)) };
  const drawn = parameters.chart ? await chartsOf(results, parameters.levels, shown.granularity) : undefined;
  return {
    schema: 'finops.forecast/v1',
    engine: engine(),
    data: {},
    input_digest: inputDigest({ parameters: shown, tables: tables.map(digested) }),
    parameters: shown,
    warnings: [
      ...[...tables, ...results].flatMap(({ warnings }) => warnings.map(({ code, message, path = '' }) => ({ code, message, path }))),
      ...(drawn?.warnings ?? []),
    ],
    forecasts: results.flatMap(({ forecasts }) => forecasts),
    reconciliation:
      adjustments.length === 0
        ? null
        : {
            method: 'bottom-up-scaled',
            max_adjustment_percent: Math.max(...adjustments.map(({ max_adjustment_percent }) => max_adjustment_percent)),
          },
    ...(drawn && { charts: drawn.charts }),
    excluded: tables.map(({ currency, excluded: { tax, credit, adjustment, other } }) => ({
      ...{ currency, tax: money(tax), credit: money(credit), adjustment: money(adjustment), other: money(other) },
    })),
  };
}

/** What draws takes long to load, and few ask for it. */
async function chartsOf(results: readonly ForecastResult[], levels: readonly number[], bucket: string): Promise<Charts> {
  const { forecastCharts } = await import('../chart/index.js');
  return forecastCharts(results, levels, bucket);
}
