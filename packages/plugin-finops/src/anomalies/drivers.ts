import type { CostLeaf } from '@bylaw/core/cost';
import { exactSum } from '@bylaw/core/number';
import { dimensionOf } from './group-series.js';

/** A leaf over the time of an event. */
export interface LeafShare {
  leaf: CostLeaf;
  actual: number;
  expected: number;
}

/** A part of the cost that explains an event. */
export interface Driver {
  dimensions: { readonly [name: string]: string };
  /** Part of the difference that it makes; above 1 where others fell. */
  share: number;
  /** How much of all that is unusual it explains, 0 to 1. */
  score: number;
  actual: number;
  expected: number;
  members: readonly LeafShare[];
}

/** Every dimension more makes an explanation longer. */
const EXTRA_DIMENSION = 0.02;
const MOST_DIMENSIONS = 3;

/** Predicates that are all tried; of more only the best of each length are made longer. */
const MOST_PREDICATES = 5_000;
const BEAM = 200;

/**
 * The parts of a group that explain an event best, the best first. A part is the whole group, or given by values of one to three dimensions; the ripple that it makes
 * alone - all of its leaves moved by one ratio, the others not at all - is compared with what the leaves did.
 * Source: the generalised potential score of M. Sun and others, "HotSpot: Anomaly Localization for Additive KPIs With Multi-Dimensional
 * Attributes" (2018), section IV, in absolute instead of squared differences.
 */
export function driversOf(shares: readonly LeafShare[], dimensions: readonly string[], most: number): Driver[] {
  const total = exactSum(shares.map(({ actual, expected }) => actual - expected));
  const unusual = exactSum(shares.map(({ actual, expected }) => Math.abs(actual - expected)));
  if (unusual === 0) return [];
  const varying = dimensions.filter((name) => new Set(shares.map(({ leaf }) => dimensionOf(leaf, name))).size > 1);
  const everything = shares.map((_, at) => at);
  const found = new Map<string, Driver>([[everything.join(), scored([], everything, shares, total, unusual)]]);
  let longest: readonly Predicate[] = [{ values: [], members: everything }];
  for (let length = 1; length <= MOST_DIMENSIONS; length++) {
    longest = extended(longest, varying, shares);
    for (const { values, members } of longest) {
      const key = members.join();
      if (found.has(key)) continue;
      found.set(key, scored(values, members, shares, total, unusual));
    }
    if (found.size > MOST_PREDICATES) longest = best(longest, found);
  }
  return [...found.values()]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || names(a) - names(b) || (JSON.stringify(a.dimensions) < JSON.stringify(b.dimensions) ? -1 : 1))
    .slice(0, most);
}

interface Predicate {
  /** Dimension and value, in the order of the dimensions. */
  values: readonly (readonly [string, string])[];
  /** Indexes of the leaves, ascending. */
  members: readonly number[];
}

function extended(predicates: readonly Predicate[], dimensions: readonly string[], shares: readonly LeafShare[]): Predicate[] {
  return predicates.flatMap(({ values, members }) => {
    const last = values.at(-1)?.[0];
    const later = last === undefined ? dimensions : dimensions.slice(dimensions.indexOf(last) + 1);
    return later.flatMap((name) => {
      const valueAt = (at: number) => {
        const leaf = shares[at]?.leaf;
        return leaf ? dimensionOf(leaf, name) : '';
      };
      return [...Map.groupBy(members, valueAt)]
        .filter(([value]) => value !== '')
        .map(([value, part]) => ({ values: [...values, [name, value] as const], members: part }));
    });
  });
}

function scored(
  values: Predicate['values'],
  members: readonly number[],
  shares: readonly LeafShare[],
  total: number,
  unusual: number,
): Driver {
  const inside = members.flatMap((at) => shares[at] ?? []);
  const actual = exactSum(inside.map((share) => share.actual));
  const expected = exactSum(inside.map((share) => share.expected));
  const ratio = expected === 0 ? undefined : actual / expected;
  const left = exactSum(inside.map((share) => (ratio === undefined ? 0 : Math.abs(share.actual - share.expected * ratio))));
  const explained = exactSum(inside.map((share) => Math.abs(share.actual - share.expected)));
  return {
    dimensions: Object.fromEntries(values),
    share: total === 0 ? 0 : (actual - expected) / total,
    score: (explained - left) / unusual - EXTRA_DIMENSION * (values.length - 1),
    actual,
    expected,
    members: inside,
  };
}

function best(predicates: readonly Predicate[], found: ReadonlyMap<string, Driver>): Predicate[] {
  const scoreOf = ({ members }: Predicate) => found.get(members.join())?.score ?? 0;
  return [...predicates].sort((a, b) => scoreOf(b) - scoreOf(a)).slice(0, BEAM);
}

function names({ dimensions }: Driver): number {
  return Object.keys(dimensions).length;
}
