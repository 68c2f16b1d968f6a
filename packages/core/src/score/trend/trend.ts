import { normalQuantile, roundDecimals, roundSignificant } from '../../number/index.js';
import { commonRules, lastOfBuckets, type RecordedRun, scoreOfRun } from '../history/index.js';
import { demeritsOf } from '../score.js';
import { benjaminiHochberg } from './benjamini-hochberg.js';
import { changePoint } from './change-point.js';
import { mannKendall } from './mann-kendall.js';
import { type TrendPoint, theilSen } from './theil-sen.js';

export interface TrendQuery {
  /** Significance level, 0 to 0.5. */
  alpha: number;
  like_for_like: boolean;
  categories?: readonly string[];
}

export type TrendVerdict = 'improving' | 'worsening' | 'no-trend' | 'insufficient-data';

/** How one score moves: overall, or that of a category. Slopes in points of the score per 30 days. */
export interface ScoreTrend {
  n: number;
  slope_per_30_days: number | null;
  slope_low: number | null;
  slope_high: number | null;
  kendall_tau: number | null;
  p_value: number | null;
  /** Over all the scores of the answer, after Benjamini and Hochberg. */
  p_adjusted: number | null;
  verdict: TrendVerdict;
  /** The first point after the most likely jump; null where there is none at the significance level. */
  change_point: { at: string; before: number; after: number; p_value: number } | null;
  current: number | null;
  best: number | null;
  worst: number | null;
  /** Where the line leads, 0 to 100; null without a trend line. */
  projected_30_days: { value: number; low: number; high: number } | null;
  /** The rules whose demerits changed most between the first and the last third of the points; positive is worse. */
  reasons: { rule_id: string; demerit_change: number }[];
}

export interface Trends {
  overall: ScoreTrend;
  categories: { [category: string]: ScoreTrend };
}

/** Fewer points say nothing about a trend. */
const LEAST_POINTS = 6;

/** Points per 30 days: less is not a trend that anybody would notice. */
const LEAST_SLOPE = 0.5;

const MOST_REASONS = 5;

/** The tests look at every pair of points: of more runs than this only the last of each day counts. */
const MOST_POINTS = 2000;

const DAY = 86_400_000;

/**
 * The trend of the scores of runs: Theil–Sen line, Mann–Kendall test and Pettitt's change point, see those files.
 * @param runs of one project, in the order of time
 */
export function trendsOf(runs: readonly RecordedRun[], { alpha, like_for_like, categories }: TrendQuery): Trends {
  const considered = runs.length > MOST_POINTS ? lastOfBuckets(runs, 'day') : runs;
  const rules = like_for_like ? commonRules(considered) : undefined;
  const scores = considered.map((run) => ({ run, score: scoreOfRun(run, rules) }));
  const wanted = categories && new Set(categories.map((category) => category.toUpperCase()));
  const names = [...new Set(scores.flatMap(({ score }) => Object.keys(score.by_category)))].filter((name) => wanted?.has(name) ?? true);
  const series = [
    seriesOf(scores.map(({ run, score }) => ({ run, value: score.overall }))),
    ...names.map((name) =>
      seriesOf(
        scores.map(({ run, score }) => ({ run, value: score.by_category[name] ?? null })),
        name,
      ),
    ),
  ];
  const tested = series.map((one) => test(one));
  const adjusted = adjustedOf(tested.map((one) => one?.pValue));
  const trends = series.map((one, index) => trendOf(one, tested[index], adjusted[index] ?? null, alpha, rules));
  const [overall, ...rest] = trends;
  if (!overall) throw new Error('there is always an overall trend');
  return { overall, categories: Object.fromEntries(names.map((name, index) => [name, rest[index] ?? overall])) };
}

interface Series {
  category?: string;
  runs: readonly RecordedRun[];
  points: readonly TrendPoint[];
}

/** Runs without the score are left out. */
function seriesOf(scored: readonly { run: RecordedRun; value: number | null }[], category?: string): Series {
  const start = Date.parse(scored[0]?.run.recordedAt ?? '');
  const known = scored.flatMap(({ run, value }) => (value === null ? [] : [{ run, value }]));
  return {
    ...(category !== undefined && { category }),
    runs: known.map(({ run }) => run),
    points: known.map(({ run, value }) => ({ day: (Date.parse(run.recordedAt) - start) / DAY, value })),
  };
}

function test({ points }: Series): ReturnType<typeof mannKendall> | undefined {
  return points.length < LEAST_POINTS ? undefined : mannKendall(points);
}

/** Those without a test do not count. */
function adjustedOf(pValues: readonly (number | undefined)[]): (number | undefined)[] {
  const known = pValues.filter((p) => p !== undefined);
  const adjusted = benjaminiHochberg(known);
  let next = 0;
  return pValues.map((p) => (p === undefined ? undefined : adjusted[next++]));
}

function trendOf(
  series: Series,
  tested: ReturnType<typeof mannKendall> | undefined,
  adjusted: number | null,
  alpha: number,
  rules?: ReadonlySet<string>,
): ScoreTrend {
  const { points } = series;
  const values = points.map(({ value }) => value);
  const summary = {
    current: values.at(-1) ?? null,
    best: values.length === 0 ? null : Math.max(...values),
    worst: values.length === 0 ? null : Math.min(...values),
  };
  if (!tested || adjusted === null)
    return {
      n: points.length,
      slope_per_30_days: null,
      slope_low: null,
      slope_high: null,
      kendall_tau: null,
      p_value: null,
      p_adjusted: null,
      verdict: 'insufficient-data',
      change_point: null,
      ...summary,
      projected_30_days: null,
      reasons: [],
    };
  const line = theilSen(points, -normalQuantile(alpha / 2) * Math.sqrt(tested.variance));
  const monthly = line.slope * 30;
  const jump = changePoint(values);
  return {
    n: points.length,
    slope_per_30_days: roundSignificant(monthly),
    slope_low: roundSignificant(line.low * 30),
    slope_high: roundSignificant(line.high * 30),
    kendall_tau: roundSignificant(tested.tau),
    p_value: roundSignificant(tested.pValue),
    p_adjusted: roundSignificant(adjusted),
    verdict: verdictOf(monthly, adjusted, alpha),
    change_point:
      jump && jump.pValue < alpha
        ? { at: series.runs[jump.index]?.recordedAt ?? '', before: jump.before, after: jump.after, p_value: roundSignificant(jump.pValue) }
        : null,
    ...summary,
    projected_30_days: projectionOf(line, points.at(-1)?.day ?? 0),
    reasons: reasonsOf(series, rules),
  };
}

function verdictOf(monthly: number, adjusted: number, alpha: number): TrendVerdict {
  if (adjusted >= alpha || Math.abs(monthly) < LEAST_SLOPE) return 'no-trend';
  return monthly > 0 ? 'improving' : 'worsening';
}

/** From the value of the line at the last point on, by the slope and by both ends of its interval. */
function projectionOf({ slope, low, high, intercept }: ReturnType<typeof theilSen>, lastDay: number): ScoreTrend['projected_30_days'] {
  const now = intercept + slope * lastDay;
  const at = (perDay: number) => roundDecimals(Math.min(Math.max(now + perDay * 30, 0), 100), 1);
  return { value: at(slope), low: at(low), high: at(high) };
}

function reasonsOf({ runs, category }: Series, rules?: ReadonlySet<string>): ScoreTrend['reasons'] {
  const third = Math.ceil(runs.length / 3);
  const first = meanDemerits(runs.slice(0, third), category, rules);
  const last = meanDemerits(runs.slice(-third), category, rules);
  return [...new Set([...first.keys(), ...last.keys()])]
    .map((rule_id) => ({ rule_id, demerit_change: roundSignificant((last.get(rule_id) ?? 0) - (first.get(rule_id) ?? 0)) }))
    .filter(({ demerit_change }) => demerit_change !== 0)
    .sort((a, b) => Math.abs(b.demerit_change) - Math.abs(a.demerit_change) || (a.rule_id < b.rule_id ? -1 : 1))
    .slice(0, MOST_REASONS);
}

function meanDemerits(runs: readonly RecordedRun[], category: string | undefined, rules?: ReadonlySet<string>): Map<string, number> {
  const means = new Map<string, number>();
  for (const run of runs)
    for (const rule of run.rules) {
      if ((category !== undefined && rule.category !== category) || rules?.has(rule.rule_id) === false) continue;
      const demerits = demeritsOf(rule);
      if (demerits > 0) means.set(rule.rule_id, (means.get(rule.rule_id) ?? 0) + demerits / runs.length);
    }
  return means;
}
