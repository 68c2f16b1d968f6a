import { type BandChart, bandChart } from '@bylaw/core/chart';
import { median } from '@bylaw/core/number';
import { plural, scoreText } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import { CATEGORIES } from '@bylaw/core/rule';
import type { ScoreHistory } from '../scores/history.js';
import type { ScoreTrendAnswer } from '../scores/trend.js';
import { tenths } from './score-text.js';

type Point = ScoreHistory['points'][number];

/** More lines than this in one chart cannot be told apart. */
const MOST_LINES = 6;

const DAY = 86_400_000;

/** The scores as a page: all together with the line of the trend, then the categories, then every run. */
export function scorePage({ project, points, next_cursor, engine, input_digest, warnings }: ScoreHistory, trend: ScoreTrendAnswer): string {
  const last = points.at(-1);
  return chartPage({
    title: `Scores of ${project}`,
    notes: [
      `${plural(points.length, 'run')}${last ? `, the last on ${last.recorded_at.slice(0, 10)}` : ''}${next_cursor === null ? '' : '; older runs are omitted'}.`,
      ...trend.warnings.map(({ message }) => message),
      `bylaw ${engine.version}, input ${input_digest}`,
    ],
    tiles: [
      { value: scoreText(last?.score ?? null), name: 'last score out of 100' },
      { value: trend.overall.verdict.replace('-', ' '), name: `trend of ${plural(trend.overall.n, 'run')}` },
    ],
    sections:
      points.length === 0
        ? [{ title: 'Runs', paragraphs: warnings.length > 0 ? warnings.map(({ message }) => message) : ['No runs match.'] }]
        : sectionsOf(points, trend),
  });
}

function sectionsOf(points: readonly Point[], trend: ScoreTrendAnswer): ChartSection[] {
  const categories = [...new Set(points.flatMap((point) => Object.keys(point.categories)))];
  return [overall(points, trend), ...categoryCharts(points, categories), runs(points, categories)];
}

function overall(points: readonly Point[], trend: ScoreTrendAnswer): ChartSection {
  const words = wordsOf(trend);
  const line = trendLine(points, trend);
  return {
    title: 'Score',
    paragraphs: words,
    chart: scoreChart(
      {
        title: 'Score over time',
        description: words.join(' '),
        lines: [
          { name: 'score', kind: 'actual', values: points.map(({ score }) => score) },
          ...(line
            ? [
                {
                  name: trend.overall.verdict === 'no-trend' ? 'slope, no significant trend' : `trend: ${trend.overall.verdict}`,
                  kind: 'trend' as const,
                  values: line,
                },
              ]
            : []),
        ],
        marks: marksOf(points, trend),
      },
      points,
    ),
  };
}

function wordsOf({
  overall: { verdict, slope_per_30_days: slope, slope_low, slope_high, change_point: jump },
}: ScoreTrendAnswer): string[] {
  if (verdict === 'insufficient-data') return ['There are too few runs to determine a trend.'];
  const range = slope_low === null || slope_high === null ? '' : ` (${pointsText(slope_low)} to ${pointsText(slope_high)})`;
  const said = verdict === 'no-trend' ? 'There is no significant trend' : `The trend is ${verdict}`;
  return [
    `${said}${slope === null ? '' : `: ${pointsText(slope)} ${pointsText(Math.abs(slope)) === '1' ? 'point' : 'points'} per 30 days${range}`}.`,
    ...(jump ? [`The score jumped on ${jump.at.slice(0, 10)} ${jumpText(jump)}.`] : []),
  ];
}

function pointsText(points: number): string {
  return String(Math.round(points * 100) / 100 || 0);
}

function jumpText({ before, after }: NonNullable<ScoreTrendAnswer['overall']['change_point']>): string {
  return `from ${tenths(before)} to ${tenths(after)}`;
}

/** The line of Theil and Sen: its slope is that of the answer, its height the median of what the points leave. */
function trendLine(
  points: readonly Point[],
  { overall: { slope_per_30_days: slope }, first_run }: ScoreTrendAnswer,
): (number | null)[] | undefined {
  if (slope === null || first_run === null) return undefined;
  const days = (recorded: string) => (Date.parse(recorded) - Date.parse(first_run)) / DAY;
  const within = points.filter(({ recorded_at, score }) => days(recorded_at) >= 0 && score !== null);
  if (within.length === 0) return undefined;
  const height = median(within.map(({ recorded_at, score }) => (score ?? 0) - (slope / 30) * days(recorded_at)));
  return points.map(({ recorded_at }) => (days(recorded_at) < 0 ? null : height + (slope / 30) * days(recorded_at)));
}

/** The jump, runs that did not read everything, and where a score is about other resources than the one before. */
function marksOf(points: readonly Point[], { overall: { change_point: jump } }: ScoreTrendAnswer): BandChart['marks'] {
  return points.flatMap(({ score, scope_changed, incomplete, recorded_at }, index): BandChart['marks'] => {
    if (score === null) return [];
    if (jump && recorded_at === jump.at)
      return [{ index, value: score, label: jumpText(jump), tone: jump.after < jump.before ? 'bad' : 'good' }];
    if (incomplete) return [{ index, value: score, label: 'incomplete', tone: 'bad' }];
    return scope_changed ? [{ index, value: score, label: 'resources changed', tone: 'neutral' }] : [];
  });
}

function categoryCharts(points: readonly Point[], categories: readonly string[]): ChartSection[] {
  const parts = Array.from({ length: Math.ceil(categories.length / MOST_LINES) }, (_, i) =>
    categories.slice(i * MOST_LINES, (i + 1) * MOST_LINES),
  );
  return parts.map((part, i) => ({
    title: i === 0 ? 'Categories' : 'More categories',
    chart: scoreChart(
      {
        title: `Scores of ${part.join(', ')} over time`,
        description: part.map((category) => `${nameOf(category)}: ${scoreText(points.at(-1)?.categories[category] ?? null)}`).join('; '),
        lines: part.map((category) => ({
          name: nameOf(category),
          kind: 'actual' as const,
          values: points.map((point) => point.categories[category] ?? null),
        })),
        marks: [],
      },
      points,
    ),
  }));
}

function scoreChart(chart: Pick<BandChart, 'title' | 'description' | 'lines' | 'marks'>, points: readonly Point[]): string {
  const times = points.map(({ recorded_at }) => recorded_at);
  return bandChart({ ...chart, unit: 'score, 0 to 100', times, bands: [], levels: [], range: { low: 0, high: 100 } });
}

function nameOf(category: string): string {
  const names: { readonly [code: string]: string } = CATEGORIES;
  return Object.hasOwn(names, category) ? `${category} ${names[category]}` : category;
}

function runs(points: readonly Point[], categories: readonly string[]): ChartSection {
  return {
    title: 'Runs',
    table: {
      caption: 'All runs, newest first',
      columns: [
        { name: 'When', kind: 'key' },
        { name: 'Score', kind: 'number' },
        ...categories.map((name) => ({ name, kind: 'number' as const })),
        { name: 'Ref and commit', kind: 'text' },
        { name: 'Remarks', kind: 'text' },
      ],
      rows: points
        .toReversed()
        .map(({ recorded_at, score, categories: scores, ref, commit, scope_changed, incomplete, unchecked }) => [
          recorded_at.slice(0, 16).replace('T', ' '),
          scoreText(score),
          ...categories.map((category) => scoreText(scores[category] ?? null)),
          [ref, commit?.slice(0, 12)].filter((part) => part).join(' '),
          [incomplete ? 'incomplete' : '', scope_changed ? 'resources changed' : '', unchecked > 0 ? `${unchecked} not checked` : '']
            .filter(Boolean)
            .join(', '),
        ]),
    },
  };
}
