import { CHARGE_CATEGORIES, COST_INPUT_SCHEMA, type CostInput, GRANULARITIES, METRICS } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import { Flags } from '@oclif/core';

/** Where the cost comes from, and how it is read. */
export const costFlags = {
  focus: Flags.string({
    description:
      'Bill: FOCUS 1.0 to 1.4, AWS Cost and Usage Report, or Google Cloud or Azure export, as CSV or JSON, optionally .gz; - for standard input. Can be given more than once.',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  series: Flags.string({
    description: 'JSON file with plain series, in the format of the request member `series`.',
    helpValue: 'FILE',
    exclusive: ['focus'],
  }),
  group: Flags.string({
    char: 'g',
    description: 'Dimensions to split by, in addition to service, account and region: sku, provider, tag:team, or a column.',
    helpValue: 'NAME',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  metric: Flags.option({ description: 'Cost column to use.', options: METRICS, default: 'EffectiveCost' as const })(),
  granularity: Flags.option({ description: 'Length of a bucket.', options: GRANULARITIES, default: 'day' as const })(),
  timezone: Flags.string({ description: 'Time zone of days and months.', helpValue: 'ZONE', default: 'UTC' }),
  currency: Flags.string({
    description: 'Currency of amounts without a currency, and of the sum if --fx gives exchange rates.',
    helpValue: 'CODE',
  }),
  fx: Flags.string({
    description: 'Exchange rate: the value of one unit of a different currency in --currency, for example EUR=1.08.',
    helpValue: 'CODE=RATE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'as-of': Flags.string({ description: 'Day up to which the data is known. [default: the last day with data]', helpValue: 'DATE' }),
  'settle-days': Flags.string({
    description:
      'Number of days after the end of a bucket during which its cost may still change. [default: 2 for days and weeks, 0.25 for hours, 0 for months]',
    helpValue: 'DAYS',
  }),
  recency: Flags.string({
    description: 'YAML file with time spans, and whether their data is complete (FOCUS 1.3): a list of {start, end, complete}.',
    helpValue: 'FILE',
  }),
  'include-categories': Flags.option({
    description: 'Charge categories to include. [default: Usage,Purchase]',
    options: CHARGE_CATEGORIES,
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  })(),
};

export interface CostFlags {
  focus?: string[] | undefined;
  series?: string | undefined;
  group?: string[] | undefined;
  metric: NonNullable<CostInput['metric']>;
  granularity: NonNullable<CostInput['granularity']>;
  timezone: string;
  currency?: string | undefined;
  fx?: string[] | undefined;
  'as-of'?: string | undefined;
  'settle-days'?: string | undefined;
  recency?: string | undefined;
  'include-categories'?: string[] | undefined;
}

/** How to read the input, as requests say it. */
export type ReadingOptions = Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>;

/** @throws {BylawError} for flags and files that say nothing clear */
export async function readingOptions(flags: CostFlags): Promise<ReadingOptions> {
  return {
    metric: flags.metric,
    timezone: flags.timezone,
    ...(flags.series === undefined && { granularity: flags.granularity }),
    ...(flags.group && { group_by: flags.group }),
    ...(flags.currency !== undefined && { currency: flags.currency }),
    ...(flags.fx && { fx: ratesOf(flags.fx) }),
    ...(flags['as-of'] !== undefined && { as_of: flags['as-of'] }),
    ...(flags['settle-days'] !== undefined && { settle_days: daysOf(flags['settle-days']) }),
    ...(flags.recency !== undefined && { recency: await recencyAt(flags.recency) }),
    ...(flags['include-categories'] && { include_categories: [...new Set(flags['include-categories'])] }),
  };
}

function ratesOf(texts: readonly string[]): { [currency: string]: number } {
  const rates = texts.map(rateOf);
  if (new Set(rates.map(([currency]) => currency)).size < rates.length)
    throw new BylawError('usage', '--fx gives two rates for the same currency.', { hint: 'Pass one rate per currency.' });
  return Object.fromEntries(rates);
}

function rateOf(text: string): [string, number] {
  const [currency = '', rate = '', ...more] = text.split('=');
  const worth = Number(rate);
  if (more.length === 0 && currency !== '' && rate !== '' && Number.isFinite(worth) && worth > 0) return [currency.toUpperCase(), worth];
  throw new BylawError('usage', '--fx must be CODE=RATE, with a rate above 0.', {
    hint: 'For example EUR=1.08: one euro is worth 1.08 units of the currency of the answer.',
  });
}

function daysOf(text: string): number {
  const days = text.trim() === '' ? Number.NaN : Number(text);
  if (days >= 0 && days <= COST_INPUT_SCHEMA.settle_days.maximum) return days;
  throw new BylawError('usage', `--settle-days must be a number from 0 to ${COST_INPUT_SCHEMA.settle_days.maximum}.`, {
    hint: 'Use 0 if the bill is final, or 3 if it takes three days to settle.',
  });
}

/** What reads YAML is loaded by those who name a file. */
async function recencyAt(path: string): Promise<NonNullable<CostInput['recency']>> {
  const { listAt } = await import('./check-request.js');
  return listAt(path, COST_INPUT_SCHEMA.recency, 'The file must contain a list of {start, end, complete}.');
}
