import { CHARGE_CATEGORIES, COST_INPUT_SCHEMA, type CostInput, GRANULARITIES, METRICS } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import { Flags } from '@oclif/core';

/** Where the cost comes from, and how it is read. */
export const costFlags = {
  focus: Flags.string({
    description:
      'Bill: FOCUS 1.0 to 1.4, AWS Cost and Usage Report, Google Cloud or Azure export; CSV or JSON, .gz read directly, - for standard input. May be given more than once.',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  series: Flags.string({
    description: 'JSON file of plain series, as the member `series` of a request.',
    helpValue: 'FILE',
    exclusive: ['focus'],
  }),
  group: Flags.string({
    char: 'g',
    description: 'Dimensions to split by, beside service, account and region: sku, provider, tag:team, or a column.',
    helpValue: 'NAME',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  metric: Flags.option({ description: 'Column of the cost.', options: METRICS, default: 'EffectiveCost' as const })(),
  granularity: Flags.option({ description: 'Length of a bucket.', options: GRANULARITIES, default: 'day' as const })(),
  timezone: Flags.string({ description: 'Zone of days and months.', helpValue: 'ZONE', default: 'UTC' }),
  currency: Flags.string({ description: 'Currency of amounts that name none, and of the sum where --fx gives rates.', helpValue: 'CODE' }),
  fx: Flags.string({
    description: 'Worth of another currency in it, for example EUR=1.08.',
    helpValue: 'CODE=RATE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'as-of': Flags.string({ description: 'Day up to which the data is known. [default: the last one]', helpValue: 'DATE' }),
  'settle-days': Flags.string({
    description:
      'Days after its end in which the cost of a bucket may still change. [default: 2 for days and weeks, 0.25 for hours, 0 for months]',
    helpValue: 'DAYS',
  }),
  recency: Flags.string({
    description: 'YAML file of the time whose data is complete (FOCUS 1.3): a list of {start, end, complete}.',
    helpValue: 'FILE',
  }),
  'include-categories': Flags.option({
    description: 'Categories of charges that count. [default: Usage,Purchase]',
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
    throw new BylawError('usage', '--fx gives two rates of one currency.', { hint: 'Give each currency once.' });
  return Object.fromEntries(rates);
}

function rateOf(text: string): [string, number] {
  const [currency = '', rate = '', ...more] = text.split('=');
  const worth = Number(rate);
  if (more.length === 0 && currency !== '' && rate !== '' && Number.isFinite(worth) && worth > 0) return [currency.toUpperCase(), worth];
  throw new BylawError('usage', '--fx needs a currency and a rate.', {
    hint: 'Write it as EUR=1.08: one euro is worth 1.08 of the currency of the answer.',
  });
}

function daysOf(text: string): number {
  const days = text.trim() === '' ? Number.NaN : Number(text);
  if (days >= 0 && days <= COST_INPUT_SCHEMA.settle_days.maximum) return days;
  throw new BylawError('usage', '--settle-days is no number of days.', {
    hint: 'Write 0 where the bill is final, 3 where it takes three days.',
  });
}

/** What reads YAML is loaded by those who name a file. */
async function recencyAt(path: string): Promise<NonNullable<CostInput['recency']>> {
  const { listAt } = await import('./read-list.js');
  return listAt(path, COST_INPUT_SCHEMA.recency, 'It is a list of {start, end, complete}.');
}
