import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Anomaly, SeriesBuckets } from '../anomalies/index.js';
import { anomalyCharts, leftOutWarning } from '../chart/index.js';
import { anomaliesAnswer } from '../endpoints/anomalies.js';
import { forecastAnswer } from '../endpoints/forecast.js';
import { anomaliesPage } from './anomalies-page.js';
import { forecastPage } from './forecast-page.js';

const HOSTILE = '<script>alert(1)</script>';
const day = { granularity: 'day' as const, start: '2026-01-01' };
const quiet = Array.from({ length: 90 }, (_, at) => 100 + ((at * 7) % 5));
const loud = (times: number) => quiet.map((value, at) => (at === 70 ? value * times : value));

/** The drawing of a chart, as it is on a page: without its own style. */
const drawing = (svg = '') => svg.slice(svg.indexOf('<title'));

function expectWhole(svg = ''): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ uri, local }) => {
    expect(uri).toBe('http://www.w3.org/2000/svg');
    expect(local).not.toBe('script');
  });
  parser.write(svg).close();
}

describe('charts of anomalies', () => {
  it('are those of the page, as documents of their own', async () => {
    const body = { series: [{ id: HOSTILE, ...day, values: loud(9) }], currency: 'USD' };
    const { charts = [], series, anomalies } = await anomaliesAnswer({ ...body, chart: true });
    expect(charts).toMatchObject([{ currency: 'USD', title: `series ${HOSTILE}` }]);
    expect(anomalies).toHaveLength(1);
    expectWhole(charts[0]?.svg);
    const page = anomaliesPage(await anomaliesAnswer({ ...body, include_buckets: true }));
    expect(page).toContain(drawing(charts[0]?.svg));
    expect(series).toBeUndefined();
    expect(await anomaliesAnswer({ ...body, chart: true, include_buckets: true })).toMatchObject({
      charts,
      series: [{ id: charts[0]?.id }],
    });
  });

  it('are answered where they are asked for only', async () => {
    expect(await anomaliesAnswer({ series: [{ id: 'a', ...day, values: loud(9) }] })).not.toHaveProperty('charts');
  });

  it('are of the 25 series whose anomalies are the dearest, and a warning names the others', async () => {
    const series = Array.from({ length: 30 }, (_, at) => ({ id: `s${at}`, ...day, values: loud(5 + at) }));
    const answer = await anomaliesAnswer({ series, chart: true, monitors: [['series']] });
    expect(answer.charts?.map(({ title }) => title)).toEqual(Array.from({ length: 25 }, (_, at) => `series s${29 - at}`));
    const warning = 'Only the 25 largest have a chart. Without a chart: series s4; series s3; series s2; series s1; series s0.';
    expect(answer.warnings).toContainEqual({ code: 'charts-left-out', message: warning, path: '' });
    const page = anomaliesPage(await anomaliesAnswer({ series, include_buckets: true, monitors: [['series']] }));
    expect(page.split(warning)).toHaveLength(2);
    expect(
      anomaliesPage(await anomaliesAnswer({ series, include_buckets: true, chart: true, monitors: [['series']] })).split(warning),
    ).toHaveLength(2);
  });

  it('stay small, however long the history and however many its anomalies', () => {
    const start = (at: number) => new Date(Date.UTC(2020, 0, 1, at)).toISOString();
    const buckets = Array.from({ length: 40_000 }, (_, at) => {
      const actual = ((at * 7919) % 104_729) / 13;
      return { start: start(at), actual, expected: actual / 3, lower: actual / 5, upper: actual / 2, z: 9, provisional: false };
    });
    const one = { monitor: ['service'], dimensions: { service: HOSTILE.repeat(40) }, currency: 'USD' };
    const series: SeriesBuckets = { id: 'se_1', ...one, buckets };
    const anomalies = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ ...one, id: `an_${at}`, start: start(at * 40), end: start(at * 40 + 1), status: 'closed', direction: 'up', impact: 1000 - at },
      explanation: HOSTILE.repeat(20),
    })) as unknown as Anomaly[]; // what charts look at
    const { charts } = anomalyCharts([series], anomalies, 'hour');
    expect(charts).toHaveLength(1);
    expect(charts[0]?.svg.length).toBeLessThan(300_000);
    expectWhole(charts[0]?.svg);
  });
});

describe('charts of forecasts', () => {
  it('are those of the page, as documents of their own', async () => {
    const body = { series: [{ id: HOSTILE, ...day, values: quiet }], currency: 'USD', horizon: 7 };
    const { charts = [], forecasts } = await forecastAnswer({ ...body, chart: true });
    expect(charts).toMatchObject([{ id: HOSTILE, currency: 'USD', title: HOSTILE }]);
    expectWhole(charts[0]?.svg);
    expect(forecastPage(await forecastAnswer({ ...body, include_history: true }))).toContain(drawing(charts[0]?.svg));
    expect(forecasts[0]).not.toHaveProperty('actual');
    expect(await forecastAnswer(body)).not.toHaveProperty('charts');
  });

  it('are of the 25 forecasts of most cost, in the order of the answer, and a warning names the others', async () => {
    const series = Array.from({ length: 27 }, (_, at) => ({
      id: `s${at}`,
      ...day,
      values: quiet.slice(0, 12).map((value) => value * (at + 1)),
    }));
    const answer = await forecastAnswer({ series, chart: true, horizon: 2 });
    expect(answer.charts?.map(({ id }) => id)).toEqual(
      series
        .slice(2)
        .map(({ id }) => id)
        .sort(),
    );
    const message = 'Only the 25 largest have a chart. Without a chart: s0; s1.';
    expect(answer.warnings).toContainEqual({ code: 'charts-left-out', message, path: '' });
    expect(forecastPage(answer).split(message)).toHaveLength(2);
  });
});

describe('what has no chart', () => {
  it('is named as far as a line holds it', () => {
    const [warning] = leftOutWarning(Array.from({ length: 12 }, (_, at) => `${at}${'s'.repeat(5_000)}`));
    expect(warning?.message).toMatch(/^Only the 25 largest have a chart. Without a chart: 0s.{1950,2100}, and 2 more\.$/);
    expect(leftOutWarning([])).toEqual([]);
  });
});
