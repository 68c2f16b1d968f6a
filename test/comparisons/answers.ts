/** Answers of a server to `POST /api/v1/validate`, for what a command shows of what plugins add to comparisons. */

const money = (amount: number, low = amount, high = amount) => ({ amount, currency: 'USD', low, high });
const kilograms = (central: number, p5 = central, p95 = central) => ({ p5, central, p95 });
const unknown = (id: string, reason: string) => ({ id, reason });

const NO_PROVIDER = 'The provider is unknown.';
const NO_TYPE = 'The machine type is unknown.';

const COST = {
  period_hours: 730,
  current: money(100, 90, 120),
  proposed: money(12_445.5, 9000, 20_000),
  delta: money(12_345.5, 8910, 19_880),
  percent: 12_345.5,
  per_item: [
    { id: 'apps/Deployment/shop/a', delta: money(12_000, 8000, 19_000), price: 'm5.xlarge' },
    { id: 'apps/Deployment/shop/b', delta: money(300.25), price: 'm5.large' },
    { id: 'apps/Deployment/shop/c', delta: money(-50.5, -60, -40), price: 'm5.large' },
    { id: 'aws_instance.<b>d</b>', delta: money(0.0012), price: 't3.nano' },
  ],
  per_item_total: 4,
  unpriced: [unknown('apps/Deployment/shop/x', NO_PROVIDER), unknown('aws_instance.y', NO_TYPE)],
  unpriced_total: 4,
  warnings: ['Prices of another region are used.', 'Shared warning.'],
  sources: ['AWS on-demand list prices.'],
};

const CARBON = {
  period_hours: 730,
  current_kg_co2e: kilograms(10, 8, 13),
  proposed_kg_co2e: kilograms(22.4, 15, 31),
  delta_kg_co2e: kilograms(12.4321, 5.1, 21.3),
  percent: kilograms(124.321, 100, 150),
  probability_lower: 0.0123,
  per_item: [
    { id: 'apps/Deployment/shop/a', delta_kg_co2e: kilograms(11.5, 5, 20) },
    { id: 'apps/Deployment/shop/e', delta_kg_co2e: kilograms(0.9) },
    { id: 'apps/Deployment/shop/f', delta_kg_co2e: kilograms(0.03, 0.01, 0.05) },
  ],
  per_item_total: 3,
  unestimated: [
    unknown('apps/Deployment/shop/x', NO_PROVIDER),
    unknown('apps/Deployment/shop/w', NO_PROVIDER),
    unknown('aws_instance.z', NO_TYPE),
  ],
  unestimated_total: 3,
  warnings: ['Shared warning.', 'The region is unknown.'],
  sources: ['Machine data.', 'Grid data.'],
};

const SAME_COST = {
  ...COST,
  ...{
    proposed: COST.current,
    delta: money(0),
    percent: 0,
    per_item: [],
    per_item_total: 0,
    unpriced: [],
    unpriced_total: 0,
    warnings: [],
  },
};

const UNKNOWN_CARBON = { ...CARBON, percent: kilograms(0), delta_kg_co2e: kilograms(0), per_item: [], per_item_total: 0 };

/** The members that plugins add, by what is special about them. */
export const ADDITIONS: { readonly [name: string]: object } = {
  both: { carbon: CARBON, cost: COST },
  'cost-alone': { cost: { ...COST, unpriced: [], unpriced_total: 0 } },
  'carbon-alone': { carbon: CARBON },
  'no-difference': { carbon: UNKNOWN_CARBON, cost: SAME_COST },
  'from-zero': { carbon: { ...CARBON, percent: null }, cost: { ...COST, percent: null } },
  falling: { carbon: { ...CARBON, percent: kilograms(-5) }, cost: { ...COST, percent: -7.5, delta: money(-7.5, -9, -7) } },
  unavailable: {
    carbon: { unavailable: 'The plugin could not compute it (TypeError).' },
    cost: { unavailable: 'The configured price file cannot be used: it does not exist.' },
  },
  none: {},
};

/** An answer without a finding, with these members in their place. */
export function comparisonWith(additions: object): object {
  return {
    verdict: 'unchanged',
    score: { current: 92.4, proposed: 92.4, delta: 0 },
    ...{ introduced: [], resolved: [], unchanged: 3, not_comparable: 0, changes: [] },
    ...additions,
    ...{ errors: [], notes: [], unchecked: { current: [], proposed: [] } },
  };
}
