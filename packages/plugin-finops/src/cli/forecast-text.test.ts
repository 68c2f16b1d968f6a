import { columnsOf } from '@bylaw/core/report/page';
import { describe, expect, it } from 'vitest';
import { forecastAnswer } from '../endpoints/forecast.js';
import { forecastPage } from './forecast-page.js';
import { forecastText } from './forecast-text.js';

const day = { granularity: 'day' as const, start: '2026-01-01' };
const week = (level: number) => Array.from({ length: 90 }, (_, at) => level * (at % 7 < 5 ? 1.1 : 0.7) + (at % 3));
const SERIES = ['alpha', 'beta', 'gamma'].map((service, at) => ({
  id: service,
  ...day,
  dimensions: { service },
  values: week(100 * (at + 1)),
}));
const BUDGETS = [
  { id: 'shop', amount: 12_000, period: 'month' as const, match: {} },
  { id: 'gamma', amount: 9_300, period: 'month' as const, match: { service: 'gamma' } },
];
const answer = await forecastAnswer({ series: SERIES, currency: 'USD', horizon: 35, budgets: BUDGETS, include_history: true });

describe('the text of forecasts', () => {
  const textAt = (width: number) => forecastText(answer, { width, colour: false });

  it.each([60, 80, 200])('keeps within %i columns', (width) => {
    const lines = textAt(width).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
  });

  it('begins with all of it, and goes on with the dearest part', () => {
    const heads = textAt(80)
      .split('\n')
      .filter((line) => line.includes('  reliability '));
    expect(heads.map((line) => line.split(' ')[0])).toEqual(['total', 'gamma', 'beta', 'alpha']);
  });

  it('counts in the unit of the buckets', () => {
    expect(textAt(80)).toContain('35 days ahead, from a history of 90 days up to 2026-03-31');
    expect(textAt(200)).toMatch(/backtested from \d+ earlier starts? over \d+ days: off by/);
  });

  it('says whether a budget is exceeded already', async () => {
    const values = week(100).slice(0, 80);
    const little = { series: [{ id: 'alpha', ...day, values }], budgets: [{ id: 'little', amount: 100, period: 'month' as const }] };
    const text = forecastText(await forecastAnswer({ ...little, currency: 'USD', horizon: 14 }), { width: 120, colour: false });
    expect(text).toContain('budget little, 2026-03: 100 % chance of exceeding 100.00 USD, exceeded on 2026-03-01;');
  });
});

describe('the page of forecasts', () => {
  const page = forecastPage(answer);

  it('begins with all of it, and goes on with the dearest part', () => {
    expect([...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title).slice(0, 4)).toEqual(['total', 'gamma', 'beta', 'alpha']);
  });

  it('draws each budget as what may be spent in a day, and says what becomes of it in a table', () => {
    expect(page).toContain('budget shop, spread evenly: 400');
    expect(page).toContain('budget gamma, spread evenly: 310');
    expect(page).toContain('<td class="t">shop</td><td class="k">2026-04</td><td class="n">12,000.00</td>');
  });

  it('shows the likeliest budget first, and each once', async () => {
    const months = Array.from({ length: 36 }, (_, at) => 1000 + 10 * at);
    const series = [{ id: 'all', granularity: 'month' as const, start: '2023-01-01', values: months }];
    const budgets = ['high', 'low'].map((id, at) => ({ id, amount: at === 0 ? 9000 : 100, period: 'month' as const }));
    const tiles = forecastPage(await forecastAnswer({ series, budgets, horizon: 12, include_history: true }));
    expect([...tiles.matchAll(/chance that budget (\w+) is exceeded in ([\d-]+)/g)].map(([, id, period]) => [id, period])).toEqual([
      ['low', '2026-01'],
      ['high', '2026-01'],
    ]);
  });

  it('has every bucket of the forecast in a table beside the chart', () => {
    expect(page.match(/<tr><td class="k">2026-0[45]-\d\d<\/td>/g)).toHaveLength(4 * 35);
  });
});
