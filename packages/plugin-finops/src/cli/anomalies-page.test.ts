import { columnsOf } from '@bylaw/core/report/page';
import { describe, expect, it } from 'vitest';
import { anomaliesAnswer } from '../endpoints/anomalies.js';
import { anomaliesPage } from './anomalies-page.js';
import { anomaliesText } from './anomalies-text.js';

const HOSTILE = '<script>alert(1)</script>';

async function pageOf(values: readonly number[], service = 'compute'): Promise<string> {
  const series = [{ id: 'one', granularity: 'day' as const, start: '2026-01-01', values: [...values], dimensions: { service } }];
  return anomaliesPage(await anomaliesAnswer({ series, currency: 'USD', include_buckets: true }));
}

const quiet = Array.from({ length: 90 }, (_, i) => 100 + ((i * 7) % 5));
const loud = quiet.map((value, i) => (i === 70 ? 900 : value));

describe('the page of anomalies', () => {
  it('shows each anomaly in a table and on the chart of its series, with every day beside it', async () => {
    const page = await pageOf(loud);
    expect(page).toContain('<title>bylaw: 1 cost anomaly</title>');
    expect(page).toContain('2026-03-12');
    expect(page).toMatch(/class="c-mark c-bad"><title>2026-03-12: \+\d+\.\d\d USD<\/title>/);
    expect(page).toContain('USD per day');
    expect(page.match(/<tr><td class="k">2026-/g)).toHaveLength(90);
  });

  it('shows the first series where nothing was found', async () => {
    const page = await pageOf(quiet);
    expect(page).toContain('<h1>No cost anomalies</h1>');
    expect(page.match(/<svg/g)).toHaveLength(1);
  });

  it('is the same for the same input, and shows hostile names as text', async () => {
    const page = await pageOf(loud, HOSTILE);
    expect(await pageOf(loud, HOSTILE)).toBe(page);
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;');
  });

  it('says the net impact where there is one', async () => {
    expect(await pageOf(loud)).toMatch(/<li><b>\+\d+\.\d\d USD<\/b> net impact/);
    expect(await pageOf(quiet)).not.toContain('class="tiles"');
  });
});

describe('the text of anomalies', () => {
  it.each([60, 80])('keeps within %i columns, whatever the names, and counts in days', async (width) => {
    const series = [
      { id: 'one', granularity: 'day' as const, start: '2026-01-01', values: loud, dimensions: { service: '長い名前 '.repeat(12) } },
    ];
    const text = anomaliesText(await anomaliesAnswer({ series, currency: 'USD', include_buckets: true }), { width, colour: false });
    expect(text.split('\n').filter((line) => columnsOf(line) > width)).toEqual([]);
    expect(text).toMatch(/2026-03-12 {2}\+\d+\.\d\d USD \(\+\d+ %\)/);
    expect(text).toMatch(/1 anomaly in 1 series with 90 days/);
  });

  it('says why something was planned, and that it does not count; the page does, too', async () => {
    const series = [{ id: 'one', granularity: 'day' as const, start: '2026-01-01', values: loud }];
    const planned = [{ start: '2026-03-12', end: '2026-03-12', note: 'launch' }];
    const answer = await anomaliesAnswer({ series, planned, currency: 'USD', include_buckets: true });
    const text = anomaliesText(answer, { width: 80, colour: false });
    expect(text).toContain('planned: launch\n');
    expect(text.replaceAll('\n', ' ')).toContain('Net impact 0.00 USD, excluding planned events.');
    expect(anomaliesPage(answer)).toContain('Planned: launch.');
  });

  it('says in a word that nothing was found', async () => {
    const series = [{ id: 'one', granularity: 'day' as const, start: '2026-01-01', values: quiet }];
    const text = anomaliesText(await anomaliesAnswer({ series, currency: 'USD' }), { width: 80, colour: false });
    expect(text).toMatch(/^No anomalies in 1 series with 90 days\. Data is final through 2026-03-31\.\n/);
  });
});
