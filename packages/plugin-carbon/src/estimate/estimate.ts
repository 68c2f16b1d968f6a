import { type AnswerWarning, engine, inputDigest } from '@bylaw/core/answer';
import { exactSum, roundSignificant } from '@bylaw/core/number';
import { carbonError } from '../error-table.js';
import { carbonFreeEnergy, GRID_ATTRIBUTION, gridData, MACHINE_ATTRIBUTION, machineData } from '../factors/index.js';
import type { CarbonItem, ReadItems } from '../items/index.js';
import { comparisonOf } from './compare.js';
import { dimensionsOfItems, estimateItems } from './estimate-items.js';
import { contextOf, type Parameters, parametersOf } from './parameters.js';
import { deviations, SAMPLES } from './points.js';
import { readInputs } from './read-inputs.js';
import { shownItem } from './shown-item.js';
import { withSpend } from './spend.js';
import { type Quantity, type Sums, shownTotal, sumsOf, times, toRange } from './totals.js';
import type { CarbonEstimate, EstimateRequest, Estimation, ItemEstimation, Sci } from './types.js';

/** What a caller has read itself: bills that are too large for a request. */
export interface ReadBefore {
  items?: readonly ReadItems[];
  proposed?: readonly ReadItems[];
}

/** An estimate before it is rounded. */
export interface EstimationResult {
  parameters: Parameters;
  current: Estimation;
  proposed?: Estimation;
  dimensions: readonly string[];
  warnings: AnswerWarning[];
}

/**
 * The answer of `POST /api/v1/carbon/estimate`, of the tool and of the command: pure, and the same bytes for the same input.
 * The request has passed the schema.
 * @throws {BylawError} of `error-table.ts`
 */
export async function estimate(request: EstimateRequest, before: ReadBefore = {}): Promise<CarbonEstimate> {
  return answerOf(await estimation(request, before));
}

/** Everything of it, before rounding. @throws {BylawError} as `estimate` */
export async function estimation(request: EstimateRequest, before: ReadBefore = {}): Promise<EstimationResult> {
  const { method = {}, assumptions = {}, compare } = request;
  if (method.grid === 'marginal' && typeof assumptions.grid_g_per_kwh !== 'number')
    throw carbonError('marginal-grid-missing', 'There is no published marginal grid intensity for all regions.', {
      path: '/assumptions/grid_g_per_kwh',
      hint: 'Set it in assumptions.grid_g_per_kwh.',
    });
  if (method.upstream_energy === true)
    throw carbonError(
      'upstream-energy-included',
      'The grid intensities are life-cycle values, which already include fuel and power plants.',
      {
        path: '/method/upstream_energy',
        hint: 'Remove upstream_energy, or set your own intensity in assumptions.grid_g_per_kwh, including line losses if you know them.',
      },
    );
  const parameters = parametersOf(request);
  const current = await readInputs(request, contextOf(request), before.items);
  const proposed =
    compare && (await readInputs(compare.proposed, contextOf(request, compare.proposed), before.proposed, '/compare/proposed'));
  const warnings = [...current.warnings, ...(proposed?.warnings ?? [])];
  if (parameters.strict) refuseUnknown(warnings);
  const options = { assumptions, method: parameters.method };
  const sides = [current, ...(proposed ? [proposed] : [])].map((side) => {
    const { items, unestimated } = withSpend(side.items, options);
    return { items, unestimated: [...side.unestimated, ...unestimated] };
  });
  const lists = sides.map(({ items }) => items);
  const [now = [], then = []] = estimateItems(lists, options);
  return {
    parameters,
    current: { items: now, unestimated: sides[0]?.unestimated ?? [] },
    ...(sides[1] && { proposed: { items: then, unestimated: sides[1].unestimated } }),
    dimensions: dimensionsOfItems(lists.flat(), options),
    warnings,
  };
}

function refuseUnknown(warnings: readonly AnswerWarning[]): void {
  for (const { code, message, path } of warnings)
    if (code === 'unknown-region' || code === 'unknown-instance-type')
      throw carbonError(code, message, { path, hint: 'Fix it, or remove `strict`.' });
}

/** Rounds, and says where everything comes from. */
export function answerOf(result: EstimationResult): CarbonEstimate {
  const { parameters, current, proposed, warnings, dimensions } = result;
  const sums = sumsOf(current.items);
  const sci = sciOf(sums.total, parameters, current.items);
  return {
    schema: 'carbon.estimate/v1',
    engine: engine(),
    data: datasets([...current.items, ...(proposed?.items ?? [])]),
    input_digest: inputDigest(digestedInput(result)),
    parameters: { ...parameters },
    warnings: warnings.map(({ code, message, path }) => ({ code, message, path })),
    period_hours: parameters.period_hours,
    total: shownTotal(sums),
    ...(sci && { sci }),
    items: current.items.map(shownItem),
    ...(proposed && { comparison: comparisonOf(current, proposed, parameters.functional_unit?.count) }),
    unestimated: current.unestimated,
    ...notesOf(current.items),
    coverage: coverageOf(current),
    uncertainty: { level: 90, samples: SAMPLES, largest: largestOf(sums, dimensions) },
  };
}

export function digestedInput({ parameters, current, proposed }: EstimationResult): object {
  const plain = ({ items, unestimated }: Estimation) => ({ items: items.map(({ item }): CarbonItem => item), unestimated });
  return { parameters, current: plain(current), ...(proposed && { proposed: plain(proposed) }) };
}

export function datasets(items: readonly ItemEstimation[]): CarbonEstimate['data'] {
  const { sources, sha256 } = machineData();
  const grid = gridData();
  return {
    machines: {
      version: 'ccf-coefficients b0032d9',
      sha256,
      licence: sources['ccf-2026'].licence,
      attribution: MACHINE_ATTRIBUTION,
    },
    grid: { version: `@tgwf/co2 ${grid.version}`, sha256: grid.sha256, licence: 'ODbL-1.0, CC-BY-SA-4.0', attribution: GRID_ATTRIBUTION },
    ...(items.some(({ factors }) => factors.marketGrid !== undefined && factors.marketGrid.class !== 'given') && {
      market: marketDataset(),
    }),
  };
}

function marketDataset(): CarbonEstimate['data'][string] {
  const { SOURCE, sha256 } = carbonFreeEnergy();
  return { version: String(SOURCE.year), sha256, licence: SOURCE.licence, attribution: `${SOURCE.title} (${SOURCE.url}).` };
}

export function notesOf(items: readonly ItemEstimation[]): { notes?: string[] } {
  const without = new Set(items.flatMap(({ item, marketBased }) => (marketBased === null ? [item.provider] : [])));
  if (without.size === 0) return {};
  const providers = [...without].sort().join(', ');
  return {
    notes: [
      `Market-based emissions are unknown, because there are no published figures for the electricity purchased in these regions (${providers}). Set its intensity in assumptions.market_g_per_kwh (--market-grid).`,
    ],
  };
}

function sciOf(total: Quantity, { functional_unit: unit }: Parameters, items: readonly ItemEstimation[]): Sci | undefined {
  if (unit === null) return undefined;
  const grams = toRange(times(total, 1000 / unit.count));
  return {
    value_g: grams.central,
    p5: grams.p5,
    p95: grams.p95,
    functional_unit: unit.name,
    boundary: items.map(({ item }) => item.id),
    method: 'calculated',
  };
}

function coverageOf({ items, unestimated }: Estimation): CarbonEstimate['coverage'] {
  const all = items.length + unestimated.length;
  const known = items.flatMap(({ item }) => item.cost ?? []);
  const unknown = unestimated.flatMap(({ cost }) => cost ?? []);
  const currencies = new Set([...known, ...unknown].map(({ currency }) => currency));
  const sum = exactSum(known.map(({ amount }) => amount));
  const whole = sum + exactSum(unknown.map(({ amount }) => amount));
  return {
    by_items: all === 0 ? null : roundSignificant(items.length / all),
    by_cost: currencies.size === 1 && whole > 0 ? roundSignificant(sum / whole) : null,
  };
}

/** Square of the correlation of each deviation with the total: its part of the variance, where effects add up. */
function largestOf({ total }: Sums, dimensions: readonly string[]): CarbonEstimate['uncertainty']['largest'] {
  const shares = [...deviations(dimensions)].map(([factor, values]) => ({ factor, share: correlation(values, total.samples) ** 2 }));
  return shares
    .filter(({ share }) => share >= 0.005)
    .sort((a, b) => b.share - a.share || (a.factor < b.factor ? -1 : 1))
    .slice(0, 5)
    .map(({ factor, share }) => ({ factor, share_of_variance: roundSignificant(share, 3) }));
}

function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [(a[at] ?? 0) - meanA, (b[at] ?? 0) - meanB];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? 0 : both / Math.sqrt(ofA * ofB);
}
