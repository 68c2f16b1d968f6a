import type { Factor } from '../factors/index.js';
import type { CarbonItem, Unestimated } from '../items/index.js';
import { centralKwh } from './estimate-items.js';
import type { ModelOptions } from './factors-of-item.js';

/**
 * Rows of a bill without a physical model, by the energy that the same money buys elsewhere in the account: the sum of kWh over the sum of costs of
 * its rows with a model, in the same currency. Money says little of energy, so the range is from a quarter to four times. Rows of an account without
 * such others stay unestimated.
 */
export function withSpend(
  items: readonly CarbonItem[],
  options: ModelOptions,
): { items: readonly CarbonItem[]; unestimated: Unestimated[] } {
  if (!items.some(({ spend }) => spend !== undefined)) return { items, unestimated: [] };
  const rates = ratesOf(items, options);
  const found: CarbonItem[] = [];
  const unestimated: Unestimated[] = [];
  for (const item of items) {
    const { id, cost, spend, notes } = item;
    if (spend === undefined) {
      found.push(item);
      continue;
    }
    const kwhPerUnit = cost && cost.amount > 0 ? rates.get(accountOf(item)) : undefined;
    if (kwhPerUnit) found.push({ ...item, spend: { ...spend, kwhPerUnit }, notes: [...notes, `${spend.reason} ${BY_MONEY}`] });
    else unestimated.push({ id, reason: `${spend.reason} ${WITHOUT_RATE}`, ...(cost && { cost }) });
  }
  return { items: found, unestimated };
}

const BY_MONEY = 'The estimate derives its energy from its cost, using the energy per cost of the other rows in the account.';
const WITHOUT_RATE = 'No other row in the account has the same currency and an energy estimate to derive its energy from.';

/** By account and currency. */
function ratesOf(items: readonly CarbonItem[], options: ModelOptions): ReadonlyMap<string, Factor> {
  const sums = new Map<string, { kwh: number; amount: number; currency: string }>();
  for (const item of items) {
    if (item.spend !== undefined || item.cost === undefined) continue;
    const sum = sums.get(accountOf(item)) ?? { kwh: 0, amount: 0, currency: item.cost.currency };
    sum.kwh += centralKwh(item, options);
    sum.amount += item.cost.amount;
    sums.set(accountOf(item), sum);
  }
  return new Map(
    [...sums].flatMap(([account, { kwh, amount, currency }]) => (kwh > 0 && amount > 0 ? [[account, rate(kwh / amount, currency)]] : [])),
  );
}

function rate(value: number, currency: string): Factor {
  const name = `kwh_per_${currency.toLowerCase() || 'unit_of_currency'}`;
  return {
    name,
    value,
    low: value / 4,
    high: value * 4,
    source: 'rows in the same account with a physical model',
    year: null,
    class: 'default',
  };
}

function accountOf({ groups, cost }: CarbonItem): string {
  return JSON.stringify([groups['account'] ?? '', cost?.currency ?? '']);
}
