import type { AnswerWarning, Envelope } from '@bylaw/core/answer';
import { plural } from '@bylaw/core/plural';
import { isIncomplete, lastOfBuckets, type Trends, trendsOf } from '@bylaw/core/score';
import type { ScoreStore } from '@bylaw/core/store';
import { opening, runsOf } from './history.js';
import type { ScoreTrendQuery } from './query.js';

/** The body of `GET /api/v1/scores/trend`. Slopes are points of the score per 30 days. */
export interface ScoreTrendAnswer extends Envelope, Trends {
  project: string;
  /** Instants of the first and the last run that were looked at; null where there is none. */
  first_run: string | null;
  last_run: string | null;
}

const DAY = 86_400_000;

/**
 * How the scores of a project moved in the days before its last run.
 * @param store absent where nothing was recorded yet
 * @throws {BylawError} `project-unknown`, `usage`; what the store throws
 */
export function scoreTrend(store: ScoreStore | undefined, query: ScoreTrendQuery): ScoreTrendAnswer {
  const { project, ref, category, from, to, bucket = 'run', like_for_like = false, window_days = 90, alpha = 0.05 } = query;
  const recorded = runsOf(store, query);
  const all = recorded.filter((run) => !isIncomplete(run));
  const start = Date.parse(all.at(-1)?.recordedAt ?? '') - window_days * DAY;
  const runs = lastOfBuckets(all, bucket).filter(({ recordedAt }) => Date.parse(recordedAt) >= start);
  const parameters = {
    ...{ project, ref: ref ?? null, category: category ?? null, from: from ?? null, to: to ?? null },
    ...{ bucket, like_for_like, window_days, alpha },
  };
  return {
    ...opening('scores.trend/v1', parameters, store, runs, leftOut(recorded.length - all.length)),
    project,
    first_run: runs[0]?.recordedAt ?? null,
    last_run: runs.at(-1)?.recordedAt ?? null,
    ...trendsOf(runs, { alpha, like_for_like, ...(category && { categories: category }) }),
  };
}

function leftOut(count: number): AnswerWarning[] {
  if (count === 0) return [];
  const what = plural(count, 'incomplete run is', 'incomplete runs are');
  const message = `${what} ignored: a part of the input could not be read, so ${count === 1 ? 'its score' : 'their scores'} cannot be compared.`;
  return [{ code: 'incomplete-runs', message, path: '' }];
}
