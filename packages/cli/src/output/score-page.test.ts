import { describe, expect, it } from 'vitest';
import type { ScoreHistory } from '../scores/history.js';
import type { ScoreTrendAnswer } from '../scores/trend.js';
import { scorePage } from './score-page.js';

const ENVELOPE = {
  schema: '',
  engine: { name: 'bylaw', version: '1.2.3' },
  data: {},
  input_digest: 'sha256:0',
  parameters: {},
  warnings: [],
} as const;

const point = (day: number, more: Partial<ScoreHistory['points'][number]> = {}): ScoreHistory['points'][number] => ({
  run_id: `run_${day}`,
  recorded_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  ref: 'main',
  commit: null,
  score: 50 + day,
  score_without_waivers: null,
  coverage: 1,
  categories: { CS: 60, SP: null },
  catalogue_version: '1',
  incomplete: false,
  unchecked: 0,
  scope_changed: false,
  ...more,
});

const TREND: ScoreTrendAnswer = {
  ...ENVELOPE,
  warnings: [],
  project: 'shop',
  first_run: point(1).recorded_at,
  last_run: point(9).recorded_at,
  overall: {
    n: 9,
    slope_per_30_days: 30,
    slope_low: 29,
    slope_high: 31,
    kendall_tau: 1,
    p_value: 0.001,
    p_adjusted: 0.001,
    verdict: 'improving',
    change_point: null,
    current: 59,
    best: 59,
    worst: 51,
    projected_30_days: null,
    reasons: [],
  },
  categories: {},
};

const history = (points: ScoreHistory['points'], project = 'shop'): ScoreHistory => ({
  ...ENVELOPE,
  warnings: [],
  project,
  points,
  next_cursor: null,
});

const NINE = Array.from({ length: 9 }, (_, i) => point(i + 1));

/** The height of each point of the first path of a class. */
function heights(page: string, style: string): string[] {
  const [, path = ''] = new RegExp(`<path d="([^"]*)" class="c-line ${style}"`).exec(page) ?? [];
  return [...path.matchAll(/,([\d.]+)/g)].map(([, y]) => y ?? '');
}

describe('the page of scores', () => {
  it('lays the trend line through points that lie on it', () => {
    const page = scorePage(history(NINE), TREND);
    expect(heights(page, 'c-trend')).toHaveLength(9);
    expect(heights(page, 'c-trend')).toEqual(heights(page, 'c-actual'));
    expect(page).toContain('The trend is improving: 30 points per 30 days (29 to 31).');
  });

  it('draws no trend line where there is none, and no chart without a run', () => {
    const none = { ...TREND, overall: { ...TREND.overall, slope_per_30_days: null, verdict: 'insufficient-data' as const } };
    expect(heights(scorePage(history(NINE), none), 'c-trend')).toEqual([]);
    expect(scorePage(history(NINE), none)).toContain('too few runs');
    expect(scorePage(history([]), { ...none, first_run: null, last_run: null })).not.toContain('<svg');
  });

  it('marks the jump, and where the resources are others', () => {
    const jump = { at: point(5).recorded_at, before: 52, after: 57, p_value: 0.01 };
    const points = NINE.with(7, point(8, { scope_changed: true }));
    const page = scorePage(history(points), { ...TREND, overall: { ...TREND.overall, change_point: jump } });
    expect(page).toMatch(/c-good"><title>2026-01-05T00:00:00.000Z: from 52 to 57</);
    expect(page).toMatch(/c-neutral"><title>2026-01-08T00:00:00.000Z: resources changed</);
  });

  it('says where no trend is sure, in digits that can be read', () => {
    const overall = { ...TREND.overall, verdict: 'no-trend' as const, slope_per_30_days: -1.53125, slope_low: -12.5, slope_high: 0 };
    const page = scorePage(history(NINE), { ...TREND, overall });
    expect(page).toContain('There is no significant trend: -1.53 points per 30 days (-12.5 to 0).');
    expect(page).toContain('slope, no significant trend');
    const one = scorePage(history(NINE), { ...TREND, overall: { ...overall, slope_per_30_days: -1 } });
    expect(one).toContain(': -1 point per 30 days');
  });

  it('shows every run with its categories, a dash where there is no score, and names as text', () => {
    const page = scorePage(history([point(1, { score: null, ref: '<b>' }), ...NINE.slice(1)], '<script>'), TREND);
    expect(page.match(/<tr><td class="k">2026-01-/g)).toHaveLength(9);
    expect(page).toContain('<td class="n">–</td><td class="n">60</td><td class="n">–</td><td class="t">&lt;b&gt;</td>');
    expect(page).not.toContain('<script>');
  });
});
