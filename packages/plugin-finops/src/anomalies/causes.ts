import type { CostLeaf, Granularity } from '@bylaw/core/cost';
import { exactSum } from '@bylaw/core/number';
import { bucketsIn } from '../series/time-axis.js';
import type { LeafShare } from './drivers.js';

export const CAUSES = [
  'usage',
  'unit-price',
  'commitment-coverage',
  'new-resource',
  'removed-resource',
  'one-off-purchase',
  'mix',
] as const;
export type CauseKind = (typeof CAUSES)[number];

/** Why a part costs more or less, in units of the currency. */
export interface Cause {
  kind: CauseKind;
  /** Part of the difference. */
  share: number;
  amount: number;
}

/** Days before an event that say what was usual; three buckets at least. */
const BEFORE_DAYS = 28;
const LEAST_BEFORE = 3;

/** A commitment that covers so much less is a cause of its own. */
const COVERAGE_FALL = 0.1;

/** A cause that explains less of the difference than this is not named. */
const LEAST_SHARE = 0.05;

/**
 * Splits the difference of a part into what its quantity, its price and its resources did: `Σ (q - q0) p0` is usage, `Σ q (p - p0)` price, the rest mix.
 * Resources that are new, or gone, and one-time charges are named instead where they make at least half of the difference.
 */
export function causesOf(members: readonly LeafShare[], start: number, end: number, granularity: Granularity): Cause[] {
  const span = { start, end, before: Math.max(LEAST_BEFORE, bucketsIn(BEFORE_DAYS, granularity)) };
  const difference = exactSum(members.map(({ actual, expected }) => actual - expected));
  if (difference === 0) return [];
  const named = single(members, span, difference);
  if (named) return [named];
  // Without quantities nothing is known of why.
  if (!members.some(({ leaf }) => leaf.quantity)) return [];
  const parts = members.map((share) => split(share, span));
  const sum = (of: (part: Split) => number) => exactSum(parts.map(of));
  const usage = sum(({ usage: amount }) => amount);
  const price = sum(({ price: amount }) => amount);
  const coverage = sum(({ coverage: amount }) => amount);
  return (
    [
      ['usage', usage],
      ['unit-price', price],
      ['commitment-coverage', coverage],
      ['mix', difference - usage - price - coverage],
    ] as const
  )
    .map(([kind, amount]) => ({ kind, amount, share: amount / difference }))
    .filter(({ share }) => Math.abs(share) >= LEAST_SHARE)
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
}

/** The buckets of an event, both included, and how many before it say what was usual. */
interface Span {
  start: number;
  end: number;
  before: number;
}

interface Split {
  usage: number;
  price: number;
  coverage: number;
}

function split({ leaf, actual, expected }: LeafShare, span: Span): Split {
  const { start, end, before } = span;
  const quantity = leaf.quantity && total(leaf.quantity, start, end);
  const usual = leaf.quantity && usualTotal(leaf.quantity, span);
  const difference = actual - expected;
  if (!quantity || !usual || usual === 0 || expected === 0) return { usage: 0, price: 0, coverage: 0 };
  const p0 = usualPrice(leaf, span) ?? expected / usual;
  const p = actual / quantity;
  const price = quantity * (p - p0);
  const fell = leaf.committed && mean(leaf.committed, start - before, start - 1) - mean(leaf.committed, start, end) > COVERAGE_FALL;
  return { usage: difference - price, price: fell ? 0 : price, coverage: fell ? price : 0 };
}

function usualPrice(leaf: CostLeaf, { start, before }: Span): number | undefined {
  const cost = total(leaf.cost, start - before, start - 1);
  const quantity = leaf.quantity ? total(leaf.quantity, start - before, start - 1) : 0;
  return quantity > 0 && cost > 0 ? cost / quantity : undefined;
}

/** The quantity that is usual for as many buckets. */
function usualTotal(values: Float64Array, { start, end, before }: Span): number {
  return mean(values, start - before, start - 1) * (end - start + 1);
}

function total(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let at = Math.max(0, start); at <= end; at++) sum += values[at] || 0;
  return sum;
}

function mean(values: Float64Array, start: number, end: number): number {
  let [sum, count] = [0, 0];
  for (let at = Math.max(0, start); at <= end; at++) {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

/** One thing that makes at least half of the difference alone. */
function single(members: readonly LeafShare[], span: Span, difference: number): Cause | undefined {
  const oneTime = exactSum(members.map(({ leaf }) => (leaf.oneTime ? total(leaf.oneTime, span.start, span.end) : 0)));
  const { added, removed } = resourceChanges(members, span);
  const candidates: readonly (readonly [CauseKind, number])[] = [
    ['one-off-purchase', oneTime],
    ['new-resource', added],
    ['removed-resource', -removed],
  ];
  for (const [kind, amount] of candidates) if (amount / difference >= 0.5) return { kind, amount, share: amount / difference };
  return undefined;
}

/** Cost of resources that were not there in the weeks before, and usual cost of those that are not there any more. */
function resourceChanges(members: readonly LeafShare[], { start, end, before: span }: Span): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { leaf } of members)
    for (const amounts of leaf.resources?.values() ?? []) {
      let [before, during] = [0, 0];
      for (const [at, amount] of amounts) {
        if (at >= start && at <= end) during += amount;
        else if (at < start && at >= start - span) before += amount;
      }
      if (before === 0) added += during;
      else if (during === 0) removed += (before / span) * (end - start + 1);
    }
  return { added, removed };
}
