import { compiledModule, defineEndpoint, type EndpointProblem, EVALUATIONS, type SetupSource, sayHint } from '@bylaw/core/endpoint';
import { SELECTION_ERRORS } from '@bylaw/core/errors';
import { object, REPORT_MEMBERS, text, whole } from '@bylaw/core/schemas';
import { EVALUATE_BODY_SCHEMA, type EvaluateBody, evaluationOf, packBreaches } from '@bylaw/core/service';
import { type ScoreHistory, scoreHistory } from './history.js';
import { scoresPath, withScores } from './open.js';
import {
  HISTORY_QUERY_SCHEMA,
  LONGEST_NAME,
  RUNS_QUERY_SCHEMA,
  type ScoreHistoryQuery,
  type ScoreTrendQuery,
  TREND_QUERY_SCHEMA,
} from './query.js';
import { type History, type RecordedScore, type RunNames, recordRun } from './record-run.js';
import { SCORE_HISTORY, SCORE_TREND } from './schemas.js';
import { type ScoreTrendAnswer, scoreTrend } from './trend.js';

const UNUSABLE: EndpointProblem = {
  error: 'scores-unusable',
  problem: 'scores-unavailable',
  say: () => ({ detail: 'Contact the operator of the server.' }),
};

/** What both questions have in common. */
const SHARED = {
  method: 'GET',
  tag: 'scores',
  description:
    'Answers 404 for a project that the history does not contain. If nothing has been recorded yet, the answer is empty and has the warning `nothing-recorded`.',
  problems: [
    { error: 'project-unknown', problem: 'project-unknown', say: sayHint },
    { error: 'usage', problem: 'bad-query', say: sayHint },
    UNUSABLE,
  ] as readonly EndpointProblem[],
  // Each request opens the file: it may be made, or replaced, while the server runs.
  setup: ({ config, paths }: SetupSource) => scoresPath(config, paths.data),
  // A trend looks at all pairs of runs.
  thread: { module: compiledModule(import.meta.url) },
} as const;

export const getScoreHistory = defineEndpoint<ScoreHistoryQuery, ScoreHistory, string>({
  ...SHARED,
  id: 'getScoreHistory',
  path: '/api/v1/scores/history',
  summary: 'Score trending over time.',
  input: { type: 'object', additionalProperties: false, required: ['project'], properties: HISTORY_QUERY_SCHEMA },
  examples: [{ summary: 'One point a day', input: { project: 'shop', bucket: 'day' } }],
  output: { description: 'The points of the history.', schema: SCORE_HISTORY, form: 'scores.history/v1' },
  run: (query, path) => withScores(path, (store) => scoreHistory(store, query)),
  tool: {
    name: 'score_history',
    description:
      'Returns the scores of a project over time, as recorded by `bylaw scores record`: overall and by category, newest runs last.',
  },
});

export const getScoreTrend = defineEndpoint<ScoreTrendQuery, ScoreTrendAnswer, string>({
  ...SHARED,
  id: 'getScoreTrend',
  path: '/api/v1/scores/trend',
  summary: 'Score trend analysis.',
  input: { type: 'object', additionalProperties: false, required: ['project'], properties: TREND_QUERY_SCHEMA },
  examples: [{ summary: 'Half a year of one branch', input: { project: 'shop', ref: 'main', window_days: 180 } }],
  output: { description: 'How the scores changed.', schema: SCORE_TREND, form: 'scores.trend/v1' },
  run: (query, path) => withScores(path, (store) => scoreTrend(store, query)),
  tool: {
    name: 'score_trend',
    description:
      'Reports whether the scores of a project improve or worsen: slope per 30 days with its interval, significance, the most likely jump, and the rules behind the change.',
  },
});

interface RecordBody extends Omit<EvaluateBody, 'include_passed' | 'include_compliance' | 'limit'>, RunNames {}

const { include_passed: _, include_compliance: __, limit: ___, ...EVALUATED } = EVALUATE_BODY_SCHEMA.properties;

const { project, from: instant } = RUNS_QUERY_SCHEMA;
const name = { type: 'string', minLength: 1, maxLength: LONGEST_NAME } as const;

export const recordScores = defineEndpoint<RecordBody, RecordedScore, History>({
  id: 'recordScores',
  method: 'POST',
  path: '/api/v1/scores/record',
  tag: 'scores',
  summary: 'Evaluate manifests, and add their score to the history.',
  description:
    'The server computes the score from the files that you send; a score that you computed is refused. The same result for the same commit is recorded only once.',
  input: {
    ...EVALUATE_BODY_SCHEMA,
    title: 'RecordRequest',
    required: ['project'],
    properties: {
      project,
      ref: { description: 'Branch or environment.', ...name },
      commit: { description: 'Commit.', ...name },
      at: { ...instant, description: 'Time of the run: a day, or RFC 3339. Absent: now.' },
      ...EVALUATED,
    },
  },
  examples: [
    {
      summary: 'The score of a commit',
      input: {
        project: 'shop',
        ref: 'main',
        commit: '4f2a91c',
        at: '2026-01-31T12:00:00Z',
        content: 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx}]}\n',
      },
    },
  ],
  output: {
    description: 'The score, and whether it was added.',
    schema: {
      title: 'RecordedScore',
      ...object(
        {
          run_id: text('Identifier of the run.'),
          recorded: { description: 'False if the history had this run already.', type: 'boolean' },
          project: text('Name of the project.'),
          ref: { ...text('Branch or environment.'), type: ['string', 'null'] },
          commit: { ...text('Commit.'), type: ['string', 'null'] },
          recorded_at: text('Time of the run, RFC 3339.'),
          resources: whole('Number of resources that were evaluated.'),
          unchecked: whole('Resources of kinds that no rule covered.'),
          score: REPORT_MEMBERS.score,
          errors: whole('Parts of the input that could not be read or evaluated.'),
          incomplete: { description: 'A part of the input could not be read: trends ignore the run.', type: 'boolean' },
          notes: REPORT_MEMBERS.notes,
        },
        { undecided: whole('Checks that could not be decided. They lower `score.low` only.') },
      ),
    },
  },
  problems: [
    ...SELECTION_ERRORS.map((code) => ({ error: code, problem: code, say: sayHint })),
    { error: 'nothing-evaluated', problem: 'nothing-evaluated', say: sayHint },
    { error: 'usage', problem: 'schema', say: () => ({ errors: [{ path: '/at', message: 'must be a date of the calendar' }] }) },
    UNUSABLE,
  ],
  setup: ({ config, paths }) => ({ path: scoresPath(config, paths.data), keep: config.scores }),
  check: async (body, { catalogue }) => packBreaches(body, await catalogue()),
  run: async (body, history, { catalogue, clock, evaluation }) => {
    const { version, defaults, readers } = await evaluation();
    return recordRun(evaluationOf(body, defaults, readers), body, { catalogue: await catalogue(), clock, version, history });
  },
  thread: { ...SHARED.thread, kind: EVALUATIONS },
});

/** In the order of their description. */
export const SCORE_ENDPOINTS = [getScoreHistory, getScoreTrend, recordScores];
