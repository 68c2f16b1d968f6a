import { formatNumber } from '@bylaw/core/chart';
import type { CarbonDifference, Comparison, CostDifference, EmissionRange, MoneyRange, NotKnown, Unavailable } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/report';

/** What a comparison says of carbon and cost, in sentences: terminals and pages show the same. */
export function differenceWords({ carbon, cost }: Comparison): string[] {
  return [...(carbon ? carbonWords(carbon) : []), ...(cost ? costWords(cost) : [])];
}

/** True where the difference was computed. */
export function isKnown<T extends object>(difference: T | Unavailable | undefined): difference is T {
  return difference !== undefined && !('unavailable' in difference);
}

export function carbonWords(carbon: CarbonDifference | Unavailable): string[] {
  if (!isKnown(carbon)) return [`Carbon: unknown. ${carbon.unavailable}`];
  const { delta_kg_co2e: delta, percent, probability_lower: lower, per_item_total: items } = carbon;
  if (items === 0) return withoutItems('Carbon', carbon.unestimated_total, carbon.current_kg_co2e.central);
  const share = percent === null ? '' : `, ${signed(percent.central)} %`;
  return [`Carbon: ${carbonText(delta)} kg CO2e per month${share}; lower in ${formatNumber(100 * lower)} % of cases.`];
}

export function costWords(cost: CostDifference | Unavailable): string[] {
  if (!isKnown(cost)) return [`Cost: unknown. ${cost.unavailable}`];
  const { delta, percent, per_item_total: items } = cost;
  if (items === 0) return withoutItems('Cost', cost.unpriced_total, cost.current.amount);
  return [`Cost: ${moneyText(delta)} ${delta.currency} per month at list prices${percent === null ? '' : `, ${signed(percent)} %`}.`];
}

/** Where nothing runs on either side, there is nothing to say. */
function withoutItems(what: string, unknown: number, current: number): string[] {
  if (unknown > 0) return [`${what}: unknown for the resources that differ.`];
  return current === 0 ? [] : [`${what}: no difference.`];
}

/** What differs and is not known, one sentence for each reason. */
export function unknownWords({ carbon, cost }: Comparison): string[] {
  const [emissions, prices] = [isKnown(carbon) ? carbon : undefined, isKnown(cost) ? cost : undefined];
  const kinds = new Map<string, NotKnown & { kinds: string[] }>();
  const note = (kind: string, { id, reason }: NotKnown) => {
    const key = JSON.stringify([id, reason]);
    kinds.set(key, { id, reason, kinds: [...(kinds.get(key)?.kinds ?? []), kind] });
  };
  for (const one of prices?.unpriced ?? []) note('cost', one);
  for (const one of emissions?.unestimated ?? []) note('carbon', one);
  const groups = Map.groupBy(kinds.values(), ({ reason, kinds: both }) => JSON.stringify([both, reason]));
  return [
    ...[...groups.values()].map(([first, ...others]) => {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      return `The ${first?.kinds.join(' and ')} of ${first?.id}${more} is unknown: ${first?.reason}`;
    }),
    ...restWords('cost', prices?.unpriced, prices?.unpriced_total),
    ...restWords('carbon', emissions?.unestimated, emissions?.unestimated_total),
  ];
}

function restWords(kind: string, shown: readonly NotKnown[] = [], total = 0): string[] {
  const rest = total - shown.length;
  return rest > 0 ? [`The ${kind} of ${plural(rest, 'more resource')} is unknown.`] : [];
}

/** What else to know about the figures. */
export function warningsOf({ carbon, cost }: Comparison): string[] {
  return [...new Set([...(isKnown(carbon) ? carbon.warnings : []), ...(isKnown(cost) ? cost.warnings : [])])];
}

export interface ItemDifference {
  id: string;
  carbon: EmissionRange | undefined;
  cost: MoneyRange | undefined;
}

/** What differs, the dearest first; where no prices are known, what emits most. */
export function itemDifferences({ carbon, cost }: Comparison): ItemDifference[] {
  const emissions = new Map(isKnown(carbon) ? carbon.per_item.map((item) => [item.id, item.delta_kg_co2e]) : []);
  const prices = new Map(isKnown(cost) ? cost.per_item.map((item) => [item.id, item.delta]) : []);
  return [...new Set([...prices.keys(), ...emissions.keys()])].map((id) => ({ id, carbon: emissions.get(id), cost: prices.get(id) }));
}

/** `+12.4 (+5.1 to +21.3)`. */
export function carbonText({ p5, central, p95 }: EmissionRange): string {
  return rangeText(signed(central), signed(p5), signed(p95));
}

export function moneyText({ amount, low, high }: MoneyRange): string {
  return rangeText(signedMoney(amount), signedMoney(low), signedMoney(high));
}

function rangeText(central: string, low: string, high: string): string {
  return low === high ? central : `${central} (${low} to ${high})`;
}

export function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${formatNumber(Number(value.toPrecision(3)))}`;
}

/** Cents, and less where there is nothing else. */
function signedMoney(value: number): string {
  const [whole = '', cents] = Math.abs(value).toFixed(2).split('.');
  return Math.abs(value) < 0.005 ? signed(value) : `${value > 0 ? '+' : '-'}${formatNumber(Number(whole))}.${cents}`;
}
