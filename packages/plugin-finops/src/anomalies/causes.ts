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

/** Commitments that cover so much more or less of the quantity are a cause of its own. */
const COVERAGE_CHANGE = 0.1;

/** A cause that explains less of the difference than this is not named. */
const LEAST_SHARE = 0.05;

/**
 * Splits the difference of a part into what its quantity, its price and its resources did: `Σ (q - q0) p0` is usage, `Σ q (p - p0)` price, the rest mix.
 * `p0` is the price of the weeks before and `q0` what the expected cost buys at it, so that the season of the week is not a cause: the
 * rest is what leaves without
 * quantities did. The price is `commitment-coverage` where commitments cover another share of the quantity; so is what more, or less, of them nothing used. Either
 * alone does: of a commitment that has expired nothing is unused, and one that lies idle may be in a leaf of its own.
 * Resources that are new, or gone, and one-time charges are named instead where they make at least half of the difference.
 */
export function causesOf(members: readonly LeafShare[], start: number, end: number, granularity: Granularity): Cause[] {
  const span = { start, end, before: Math.max(LEAST_BEFORE, bucketsIn(BEFORE_DAYS, granularity)) };
  const difference = exactSum(members.map(({ actual, expected }) => actual - expected));
  if (difference === 0) return [];
  const named = single(members, span, difference);
  if (named) return [named];
  const parts = members.map((share) => split(share, span));
  const sum = (of: (part: Split) => number) => exactSum(parts.map(of));
  const usage = sum(({ usage: amount }) => amount);
  const price = sum(({ price: amount }) => amount);
  const coverage = sum(({ coverage: amount }) => amount);
  // Without quantities nothing is known of the rest.
  const mix = members.some(({ leaf }) => leaf.quantity) ? difference - usage - price - coverage : 0;
  return (
    [
      ['usage', usage],
      ['unit-price', price],
      ['commitment-coverage', coverage],
      ['mix', mix],
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
  const unused = leaf.unused ? total(leaf.unused, start, end) : 0;
  const idle = leaf.unused ? unused - usualTotal(leaf.unused, span) : 0;
  const quantity = leaf.quantity ? total(leaf.quantity, start, end) : 0;
  const p0 = usualPrice(leaf, span);
  if (quantity === 0 || p0 === undefined || expected === 0) return { usage: 0, price: 0, coverage: idle };
  const price = actual - unused - quantity * p0;
  const uncovered = leaf.committed ? mean(leaf.committed, start - before, start - 1) - mean(leaf.committed, start, end) : 0;
  const isCoverage = Math.abs(uncovered) > COVERAGE_CHANGE && Math.sign(uncovered) === Math.sign(price);
  return {
    usage: actual - expected - idle - price,
    price: isCoverage ? 0 : price,
    coverage: idle + (isCoverage ? price : 0),
  };
}

/** What a unit cost in the buckets before, without what of commitments nothing used. */
function usualPrice(leaf: CostLeaf, { start, before }: Span): number | undefined {
  const unused = leaf.unused ? total(leaf.unused, start - before, start - 1) : 0;
  const cost = total(leaf.cost, start - before, start - 1) - unused;
  const quantity = leaf.quantity ? total(leaf.quantity, start - before, start - 1) : 0;
  return quantity > 0 && cost > 0 ? cost / quantity : undefined;
}

/** What is usual for as many buckets. */
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
