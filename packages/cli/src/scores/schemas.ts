import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';

/** JSON Schemas of the answers about the history. Members stand in the order of the JSON. */

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
    recorded_at: text('Instant of the run, RFC 3339.'),
    ref: nullable(text('Branch or environment.')),
    commit: nullable(text('Commit.')),
    score: nullable(number('0 to 100.')),
    score_without_waivers: nullable(number('The same as if no finding were suppressed.')),
    coverage: number('Share of the resources that was judged, 0 to 1.'),
    categories: scores,
    catalogue_version: text('Version of the rules.'),
    incomplete: {
      description: 'A part of the input was not read: the score says nothing about it, and the run is left out of trends.',
      type: 'boolean',
    },
    unchecked: whole('Resources of kinds that no rule covered.'),
    scope_changed: { description: 'More than a fifth of the resources of the point before are gone.', type: 'boolean' },
  }),
};

export const SCORE_HISTORY = {
  title: 'ScoreHistory',
  ...object({
    ...ENVELOPE,
    project: text('The project.'),
    points: list('In the order of time.', POINT),
    next_cursor: nullable(text('Leads to older points.')),
  }),
};

const TREND = {
  title: 'Trend',
  description: 'Slopes are points of the score per 30 days. All numbers but n are null where there are fewer than six points.',
  ...object({
    n: whole('Runs with a score.'),
    slope_per_30_days: nullable(number('Theil–Sen slope.')),
    slope_low: nullable(number('Lower end of its interval.')),
    slope_high: nullable(number('Upper end.')),
    kendall_tau: nullable(number('Kendall’s tau-b, -1 to 1.')),
    p_value: nullable(number('Of the Mann–Kendall test, two-sided, with serial correlation taken into account.')),
    p_adjusted: nullable(number('After Benjamini and Hochberg, over all scores of the answer.')),
    verdict: oneOfText('What it comes to.', ['improving', 'worsening', 'no-trend', 'insufficient-data']),
    change_point: nullable(
      object({
        at: text('Instant of the first run after the jump.'),
        before: number('Median before.'),
        after: number('Median after.'),
        p_value: number('Of Pettitt’s test.'),
      }),
    ),
    current: nullable(number('Of the last run.')),
    best: nullable(number('Highest.')),
    worst: nullable(number('Lowest.')),
    projected_30_days: nullable(
      object({ value: number('Where the line leads.'), low: number('By the lower slope.'), high: number('By the upper slope.') }),
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
    project: text('The project.'),
    first_run: nullable(text('Instant of the first run that was looked at.')),
    last_run: nullable(text('Instant of the last one.')),
    overall: TREND,
    categories: { description: 'Category code → its trend.', type: 'object', additionalProperties: TREND },
  }),
};
