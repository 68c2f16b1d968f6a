import { columnsOf } from '@bylaw/core/report/page';
import type { ScoreTrend } from '@bylaw/core/score';
import { describe, expect, it } from 'vitest';
import type { ScoreHistory } from '../scores/history.js';
import { historyText, trendText } from './score-text.js';

const ENVELOPE = { schema: '', engine: { name: 'bylaw', version: '1' }, data: {}, input_digest: '', parameters: {}, warnings: [] } as const;

const trend: ScoreTrend = {
  ...{ n: 12, slope_per_30_days: -1.53125, slope_low: -12.5, slope_high: 0, kendall_tau: -0.5, p_value: 0.8, p_adjusted: 0.854504 },
  ...{ verdict: 'no-trend', current: 89.9, best: 92.4, worst: 89.9, projected_30_days: null, reasons: [] },
  change_point: { at: '2026-02-01T13:04:00.000Z', before: 92.3512, after: 89.9, p_value: 0.01 },
};

const history: ScoreHistory = {
  ...ENVELOPE,
  warnings: [],
  project: 'shop',
  points: [
    {
      ...{ run_id: 'run_1', recorded_at: '2026-01-01T13:04:00.000Z', ref: null, commit: null, score: 92.4, score_without_waivers: null },
      ...{ coverage: 1, catalogue_version: '1', incomplete: false, unchecked: 0, scope_changed: false },
      categories: Object.fromEntries(['CS', 'SP', 'SC', 'NS', 'RQ', 'RB', 'OB', 'CB', 'FO'].map((code) => [code, 90.5])),
    },
  ],
  next_cursor: null,
};

describe('the text of scores', () => {
  const first_run = '2026-01-01T13:04:00.000Z';
  const answer = { ...ENVELOPE, warnings: [], project: 'shop', overall: trend, categories: { CS: trend }, first_run, last_run: first_run };

  it('rounds what nobody reads to the sixth digit', () => {
    const text = trendText(answer, { width: 100, colour: false });
    expect(text).toContain('-1.53 per 30 days (-12.5 to 0), p 0.85\n');
    expect(text).toContain('The score jumped on 2026-02-01 from 92.4 to 89.9.');
  });

  it('keeps within narrow terminals, and ends no line with a space', () => {
    const terminal = { width: 60, colour: false };
    const lines = [...trendText(answer, terminal).split('\n'), ...historyText(history, terminal).split('\n')];
    expect(lines.filter((line) => columnsOf(line) > 60 || line !== line.trimEnd())).toEqual([]);
  });
});
