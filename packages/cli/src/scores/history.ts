import { type AnswerWarning, type Envelope, engine, inputDigest } from '@bylaw/core/answer';
import { BylawError } from '@bylaw/core/errors';
import { type HistoryPoint, historyOf, lastOfBuckets, type RecordedRun } from '@bylaw/core/score';
import type { ScoreStore } from '@bylaw/core/store';
import { boundOf, type RunsQuery, type ScoreHistoryQuery } from './query.js';

/** The body of `GET /api/v1/scores/history`. */
export interface ScoreHistory extends Envelope {
  project: string;
  /** In the order of time. */
  points: HistoryPoint[];
  /** Leads to older points; null where there are none. */
  next_cursor: string | null;
}

/**
 * The newest points of a project's history, or those before a cursor.
 * @param store absent where nothing was recorded yet: no project has any points then
 * @throws {BylawError} `project-unknown`, `usage` for an invalid cursor or date; what the store throws
 */
export function scoreHistory(store: ScoreStore | undefined, query: ScoreHistoryQuery): ScoreHistory {
  const { project, ref, category, from, to, bucket = 'run', like_for_like = false, limit = 200, cursor } = query;
  const runs = runsOf(store, query);
  const shown = lastOfBuckets(runs, bucket);
  const end = cursor === undefined ? shown.length : endOf(shown, cursor);
  const start = Math.max(0, end - limit);
  const points = historyOf(shown, { bucket: 'run', like_for_like, ...(category && { categories: category }), span: { start, end } });
  const parameters = {
    project,
    ref: ref ?? null,
    category: category ?? null,
    from: from ?? null,
    to: to ?? null,
    bucket,
    like_for_like,
    limit,
  };
  return {
    ...opening('scores.history/v1', parameters, store, runs),
    project,
    points,
    next_cursor: start === 0 ? null : cursorOf(points[0]),
  };
}

/** The runs of a query. @throws {BylawError} `project-unknown`, `usage` for an invalid date */
export function runsOf(store: ScoreStore | undefined, { project, ref, from, to }: RunsQuery): RecordedRun[] {
  if (store?.hasProject(project) === false)
    throw new BylawError('project-unknown', 'The score history does not contain this project.', {
      hint: 'Record a run with `bylaw scores record --project NAME`.',
    });
  const [first, last] = [boundOf(from, '`from`'), boundOf(to, '`to`')];
  if (store === undefined) return [];
  return store.runs({
    project,
    ...(ref !== undefined && { ref }),
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { to: last }),
  });
}

/** The warning of answers where there is no history. */
export const NOTHING_RECORDED: AnswerWarning = { code: 'nothing-recorded', message: 'Nothing has been recorded yet.', path: '' };

/** What the answers open with. */
export function opening(
  schema: string,
  parameters: { [name: string]: unknown },
  store: ScoreStore | undefined,
  runs: readonly RecordedRun[],
  others: readonly AnswerWarning[] = [],
): Envelope {
  const seen = runs.map(({ id, recordedAt }) => [id, recordedAt]);
  const warnings = store ? [...others] : [NOTHING_RECORDED];
  return { schema, engine: engine(), data: {}, input_digest: inputDigest({ parameters, runs: seen }), parameters, warnings };
}

function cursorOf(point: HistoryPoint | undefined): string | null {
  return point ? Buffer.from(point.run_id).toString('base64url') : null;
}

function endOf(runs: readonly RecordedRun[], cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString();
  const at = runs.findIndex((run) => run.id === id);
  if (at >= 0) return at;
  throw new BylawError('usage', 'The cursor is invalid: its run is not part of this answer.', {
    hint: 'Omit the cursor to start again with the newest points.',
  });
}
