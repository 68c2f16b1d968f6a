import type { TargetForecast } from './forecast-target.js';
import { changeOf, type PlacedChange } from './known-changes.js';

/**
 * Makes the parts sum to the total: both become the mean of the total's own forecast and the sum of the parts'. Intervals keep their width relative
 * to the mean.
 * @returns the largest adjustment of a bucket in percent; undefined where there is nothing to reconcile
 */
export function reconcile(forecasts: readonly TargetForecast[]): number | undefined {
  const total = forecasts.find(({ target }) => target.role === 'total');
  const parts = forecasts.filter(({ target }) => target.role === 'part');
  if (!total || parts.length === 0 || parts.some(({ labels }) => labels[0] !== total.labels[0])) return undefined;
  let most = 0;
  for (let j = 0; j < total.mean.length; j++) {
    const [whole, sum] = [total.mean[j] ?? 0, parts.reduce((all, { mean }) => all + (mean[j] ?? 0), 0)];
    if (!(sum > 0) || !(whole > 0)) continue;
    const middle = (whole + sum) / 2;
    for (const part of parts) scale(part, j, middle / sum);
    scale(total, j, middle / whole);
    most = Math.max(most, Math.abs(middle / sum - 1), Math.abs(middle / whole - 1));
  }
  return most * 100;
}

function scale({ mean, factors }: TargetForecast, j: number, by: number): void {
  mean[j] = (mean[j] ?? 0) * by;
  factors[j] = (factors[j] ?? 1) * by;
}

/** Applies what is known beforehand, in the order given. */
export function applyChanges(forecast: TargetForecast, changes: readonly PlacedChange[]): void {
  const { target, labels, mean, positive } = forecast;
  for (const change of changes) {
    const { factor, amount } = changeOf(change, target.leaves, target.dimensions, target.values.length);
    if (factor === 1 && amount === 0) continue;
    for (const [j, label] of labels.entries()) {
      const day = label.slice(0, change.start.length);
      if (day < change.start || (change.end !== undefined && label.slice(0, change.end.length) > change.end)) continue;
      if (factor !== 1) scale(forecast, j, factor);
      mean[j] = (mean[j] ?? 0) + amount;
      if (positive) mean[j] = Math.max(0, mean[j] ?? 0);
    }
  }
}
