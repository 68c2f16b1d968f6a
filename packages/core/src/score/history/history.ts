import { computeScore, type Score } from '../score.js';
import { type Bucket, lastOfBuckets } from './buckets.js';
import { isIncomplete, type RecordedRun } from './recorded-run.js';
import { shareLeft } from './scope.js';

export interface HistoryQuery {
  bucket: Bucket;
  /** Compute every score on the rules that all runs of the answer have. */
  like_for_like: boolean;
  /** Only these categories; absent: all. */
  categories?: readonly string[];
  /** Only these points, counted in the order of time, the end not included; absent: all. */
  span?: { start: number; end: number };
}

/** One run of the history, as answers show it. */
export interface HistoryPoint {
  run_id: string;
  recorded_at: string;
  /** Null where none was named. */
  ref: string | null;
  commit: string | null;
  score: number | null;
  score_without_waivers: number | null;
  coverage: number;
  categories: { [category: string]: number | null };
  catalogue_version: string;
  /** A part of the input was not read: the score says nothing about it, and the run is left out of trends. */
  incomplete: boolean;
  /** Resources of kinds that no rule covered. */
  unchecked: number;
  /** More than a fifth of the resources of the point before are gone: the two scores are about different things. */
  scope_changed: boolean;
}

const MOST_LEFT = 0.2;

/**
 * The points of runs, in the order of time.
 * @param runs of one project, in the order of time
 */
export function historyOf(runs: readonly RecordedRun[], { bucket, like_for_like, categories, span }: HistoryQuery): HistoryPoint[] {
  const shown = lastOfBuckets(runs, bucket);
  const rules = like_for_like ? commonRules(shown) : undefined;
  const start = span?.start ?? 0;
  return shown.slice(start, span?.end).map((run, index) => {
    const score = scoreOfRun(run, rules);
    const before = shown[start + index - 1];
    return {
      run_id: run.id,
      recorded_at: run.recordedAt,
      ref: run.ref || null,
      commit: run.commit || null,
      score: score.overall,
      score_without_waivers: score.score_without_waivers,
      coverage: score.coverage,
      categories: chosen(score.by_category, categories),
      catalogue_version: run.catalogueVersion,
      incomplete: isIncomplete(run),
      unchecked: run.unchecked,
      scope_changed: before !== undefined && shareLeft(before.scope, run.scope) > MOST_LEFT,
    };
  });
}

function chosen(scores: { [category: string]: number | null }, categories?: readonly string[]): { [category: string]: number | null } {
  if (!categories) return scores;
  const wanted = new Set(categories.map((category) => category.toUpperCase()));
  return Object.fromEntries(Object.entries(scores).filter(([category]) => wanted.has(category)));
}

/** The score of a run on those of its rules that are given; absent: on all. */
export function scoreOfRun(run: RecordedRun, rules?: ReadonlySet<string>): Score {
  const counted = rules ? run.rules.filter(({ rule_id }) => rules.has(rule_id)) : run.rules;
  const { resources, found, unchecked } = run;
  return computeScore({ rules: counted, resources, found, unchecked });
}

/** The rules that every run had: scores on them can be compared though the catalogue has grown. */
export function commonRules(runs: readonly RecordedRun[]): Set<string> {
  const [first, ...others] = runs;
  let common = new Set(first?.rules.map(({ rule_id }) => rule_id));
  for (const { rules } of others) common = common.intersection(new Set(rules.map(({ rule_id }) => rule_id)));
  return common;
}
