import { BylawError } from '@bylaw/core/errors';
import type { Comparison, NotKnown, Unavailable } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/plural';
import { printable } from '@bylaw/core/report/printable';

export interface IncreaseFlags {
  'fail-on-cost-increase'?: string | undefined;
  'fail-on-carbon-increase'?: string | undefined;
}

/** By how many percent the cost and the emissions of a month may rise. */
export interface IncreaseLimits {
  cost: number | undefined;
  carbon: number | undefined;
}

/** @throws {BylawError} `usage` */
export function increaseLimits(flags: IncreaseFlags): IncreaseLimits {
  return { cost: percentOf(flags, 'fail-on-cost-increase'), carbon: percentOf(flags, 'fail-on-carbon-increase') };
}

function percentOf(flags: IncreaseFlags, name: keyof IncreaseFlags): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const digits = text.trim().replace(/%$/, '').trim();
  const percent = digits === '' ? Number.NaN : Number(digits);
  if (Number.isFinite(percent) && percent >= 0) return percent;
  throw new BylawError('usage', `--${name} must be a percentage of 0 or more.`, { hint: 'For example 10%.' });
}

/** What a comparison comes to: `exceeded` where a central difference is above its limit, `unknown` where one cannot be told. */
export interface IncreaseOutcome {
  exceeded: boolean;
  unknown: boolean;
  /** Why, a line for each. */
  notices: string[];
}

export function judgeIncreases({ cost, carbon }: Comparison, limits: IncreaseLimits): IncreaseOutcome {
  const judged = [
    ...(limits.cost === undefined ? [] : [judge('cost', costIncrease(cost), limits.cost)]),
    ...(limits.carbon === undefined ? [] : [judge('carbon', carbonIncrease(carbon), limits.carbon)]),
  ];
  return {
    exceeded: judged.some(({ exceeded }) => exceeded),
    unknown: judged.some(({ unknown }) => unknown),
    notices: judged.flatMap(({ notices }) => notices),
  };
}

/** A central difference, in percent of what was; without end where nothing was. What differs and is not known is beside it. */
type Increase = { percent: number; unknown: { total: number; first: NotKnown | undefined } } | { reason: string };

function costIncrease(cost: Comparison['cost']): Increase {
  if (cost === undefined || 'unavailable' in cost) return { reason: reasonOf(cost, 'finops') };
  return increase(cost.percent, cost.delta.amount, cost.per_item_total, { total: cost.unpriced_total, first: cost.unpriced[0] });
}

function carbonIncrease(carbon: Comparison['carbon']): Increase {
  if (carbon === undefined || 'unavailable' in carbon) return { reason: reasonOf(carbon, 'carbon') };
  const { percent, delta_kg_co2e: delta, per_item_total: items, unestimated_total: total, unestimated } = carbon;
  return increase(percent?.central ?? null, delta.central, items, { total, first: unestimated[0] });
}

function reasonOf(member: Unavailable | undefined, plugin: string): string {
  return member?.unavailable ?? `The plugin ${plugin} is not installed where the comparison runs.`;
}

function increase(percent: number | null, delta: number, items: number, unknown: { total: number; first: NotKnown | undefined }): Increase {
  if (items === 0 && unknown.first) return { reason: `${unknown.first.id}: ${unknown.first.reason}` };
  return { percent: percent ?? (delta > 0 ? Number.POSITIVE_INFINITY : 0), unknown };
}

function judge(what: 'cost' | 'carbon', found: Increase, limit: number): IncreaseOutcome {
  const flag = `--fail-on-${what}-increase`;
  if ('reason' in found)
    return {
      exceeded: false,
      unknown: true,
      notices: [`error: ${flag} cannot be checked: the difference is unknown. ${printable(found.reason)}`],
    };
  const { percent, unknown } = found;
  const exceeded = percent > limit;
  const rise = Number.isFinite(percent) ? `rises by ${percent} %` : 'rises from zero';
  const rest = plural(unknown.total, 'changed resource');
  return {
    exceeded,
    unknown: false,
    notices: [
      ...(exceeded ? [`${what} ${rise}: ${flag} allows ${limit} %.`] : []),
      ...(unknown.total > 0 ? [`warning: ${flag} does not include ${rest} with unknown ${what}.`] : []),
    ],
  };
}
