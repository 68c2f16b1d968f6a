import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';

/** JSON Schemas of the answers about the history. Members are in the order of the JSON. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema.type, 'null'] });
const scores = {
  description: 'Category code → 0 to 100, or null without a score.',
  type: 'object',
  additionalProperties: { type: ['number', 'null'] },
};

const POINT = {
  title: 'ScorePoint',
  ...object({
    run_id: text('Identifier of the run.'),
    recorded_at: text('Time of the run, RFC 3339.'),
    ref: nullable(text('Branch or environment.')),
    commit: nullable(text('Commit.')),
    score: nullable(number('0 to 100.')),
    score_without_waivers: nullable(number('The score if no findings were suppressed.')),
    coverage: number('Share of the resources that were evaluated, 0 to 1.'),
    categories: scores,
    catalogue_version: text('Version of the rules.'),
    incomplete: {
      description: 'A part of the input could not be read: the score does not cover it, and trends ignore the run.',
      type: 'boolean',
    },
    unchecked: whole('Resources of kinds that no rule covered.'),
    scope_changed: { description: 'More than a fifth of the resources of the previous point no longer exist.', type: 'boolean' },
  }),
};

export const SCORE_HISTORY = {
  title: 'ScoreHistory',
  ...object({
    ...ENVELOPE,
    project: text('Name of the project.'),
    points: list('In chronological order.', POINT),
    next_cursor: nullable(text('Pass it as `cursor` to get older points.')),
  }),
};

const TREND = {
  title: 'Trend',
  description: 'Slopes are score points per 30 days. All numbers except n are null if there are fewer than six points.',
  ...object({
    n: whole('Number of runs with a score.'),
    slope_per_30_days: nullable(number('Theil–Sen slope.')),
    slope_low: nullable(number('Lower end of the interval of the slope.')),
    slope_high: nullable(number('Upper end of the interval of the slope.')),
    kendall_tau: nullable(number('Kendall’s tau-b, -1 to 1.')),
    p_value: nullable(number('p-value of the two-sided Mann–Kendall test, corrected for serial correlation.')),
    p_adjusted: nullable(number('p-value after the Benjamini–Hochberg correction over all scores of the answer.')),
    verdict: oneOfText('The conclusion.', ['improving', 'worsening', 'no-trend', 'insufficient-data']),
    change_point: nullable(
      object({
        at: text('Time of the first run after the jump.'),
        before: number('Median score before the jump.'),
        after: number('Median score after the jump.'),
        p_value: number('p-value of Pettitt’s test.'),
      }),
    ),
    current: nullable(number('Score of the last run.')),
    best: nullable(number('Highest.')),
    worst: nullable(number('Lowest.')),
    projected_30_days: nullable(
      object({
        value: number('Projected by the slope.'),
        low: number('Projected by the lower end of the slope.'),
        high: number('Projected by the upper end of the slope.'),
      }),
    ),
    reasons: list(
      'Rules whose demerits changed most between the first and the last third of the runs; positive is worse.',
      object({ rule_id: text('Identifier.'), demerit_change: number('Demerits.') }),
    ),
  }),
};

export const SCORE_TREND = {
  title: 'ScoreTrend',
  ...object({
    ...ENVELOPE,
    project: text('Name of the project.'),
    first_run: nullable(text('Time of the first run that is included.')),
    last_run: nullable(text('Time of the last run that is included.')),
    overall: TREND,
    categories: { description: 'Category code → its trend.', type: 'object', additionalProperties: TREND },
  }),
};
