import { describe, expect, it } from 'vitest';
import { anomaliesAnswer } from '../doors/anomalies.js';
import { anomaliesPage } from './anomalies-page.js';

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
});
