import { BylawError } from '@bylaw/core/errors';
import { BUCKETS, type Bucket } from '@bylaw/core/score';

/** What both questions about the history ask: which runs. Members as in the query of the routes. */
export interface RunsQuery {
  project: string;
  ref?: string;
  category?: readonly string[];
  from?: string;
  to?: string;
  bucket?: Bucket;
  like_for_like?: boolean;
}

export interface ScoreHistoryQuery extends RunsQuery {
  limit?: number;
  cursor?: string;
}

export interface ScoreTrendQuery extends RunsQuery {
  window_days?: number;
  alpha?: number;
}

/** Characters of a name of a project or branch, at most: what nobody can ask for is not recorded either. */
export const LONGEST_NAME = 200;

const name = { type: 'string', minLength: 1, maxLength: LONGEST_NAME } as const;
const instant = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2}))?$',
} as const;

/** JSON Schemas of the members, for routes and tools. */
export const RUNS_QUERY_SCHEMA = {
  project: { description: 'Name of the project.', ...name },
  ref: { description: 'Only runs of this branch or environment.', ...name },
  category: {
    description: 'Show only these categories. Can be given more than once.',
    type: 'array',
    maxItems: 100,
    items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9]{1,7}$' },
  },
  from: { description: 'First day (2026-01-31) or time (RFC 3339) to include.', ...instant },
  to: { description: 'Last day or time to include. A day is included in full.', ...instant },
  bucket: { description: 'Keep only the last run of each day, week (from Monday) or month (UTC).', enum: BUCKETS, default: 'run' },
  like_for_like: {
    description: 'Compute all scores from the rules that every run used, so that a larger catalogue does not look like a decline.',
    type: 'boolean',
    default: false,
  },
} as const;

export const HISTORY_QUERY_SCHEMA = {
  ...RUNS_QUERY_SCHEMA,
  limit: {
    description: 'Return at most this number of points, the newest ones.',
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 200,
  },
  cursor: {
    description: 'The `next_cursor` of a previous answer, to continue with older points.',
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,200}$',
  },
} as const;

export const TREND_QUERY_SCHEMA = {
  ...RUNS_QUERY_SCHEMA,
  window_days: { description: 'Number of days before the last run to include.', type: 'integer', minimum: 1, maximum: 3660, default: 90 },
  alpha: { description: 'Significance level.', type: 'number', exclusiveMinimum: 0, maximum: 0.5, default: 0.05 },
} as const;

/**
 * A day, or an instant as the history keeps them: UTC, with milliseconds.
 * @param name what it is, for the error
 * @throws {BylawError} `usage` for a date that no calendar has
 */
export function boundOf(value: string | undefined, name: string): string | undefined {
  if (value === undefined) return undefined;
  const day = new RegExp(instant.pattern).test(value) ? value.slice(0, 10) : '';
  const [start, at] = [Date.parse(day), Date.parse(value)];
  // Date.parse takes 2026-02-31 for a day in March, and `run 5` for one in May.
  if (Number.isNaN(start) || Number.isNaN(at) || !new Date(start).toISOString().startsWith(day))
    throw new BylawError('usage', `${name} must be a date.`, { hint: 'For example 2026-01-31 or 2026-01-31T12:00:00Z.' });
  return value === day ? value : new Date(at).toISOString();
}
