import { requestCheck } from '@bylaw/core/http';
import { describe, expect, it } from 'vitest';
import { anomaliesAnswer } from './anomalies.js';
import { ANOMALIES_BODY_SCHEMA } from './anomalies-request.js';
import { FORECAST_BODY_SCHEMA, forecastAnswer } from './forecast.js';

const values = Array.from({ length: 90 }, (_, day) => (day === 80 ? 500 : 100 + (day % 7)));
const series = [{ id: 'a', granularity: 'day' as const, start: '2026-01-01', values }];
const reversed = [{ start: '2026-03-02', end: '2026-03-01', add: 5 }];

describe('a span of days in a request', () => {
  it('that ends before it starts is refused, with its place', async () => {
    const refusal = { code: 'instant-invalid', message: expect.stringContaining('ends before it starts') };
    await expect(anomaliesAnswer({ series, planned: reversed })).rejects.toMatchObject({ ...refusal, path: '/planned/0' });
    await expect(forecastAnswer({ series, known_changes: reversed })).rejects.toMatchObject({ ...refusal, path: '/known_changes/0' });
  });

  it('is of days that the calendar has', () => {
    const start = '2026-02-29';
    expect(requestCheck(ANOMALIES_BODY_SCHEMA)({ series, planned: [{ start, end: start }] })).toMatchObject([{ path: '/planned/0/start' }]);
    expect(requestCheck(FORECAST_BODY_SCHEMA)({ series, until: start })).toMatchObject([{ path: '/until' }]);
    expect(requestCheck(FORECAST_BODY_SCHEMA)({ series, known_changes: [{ start, add: 1 }] })).toMatchObject([
      { path: '/known_changes/0/start' },
    ]);
  });

  it('may be about a dimension that nothing else asks for', async () => {
    const focus_rows = values.map((EffectiveCost, day) => ({
      ...{ EffectiveCost, BillingCurrency: 'USD', SkuId: 'large', ServiceName: 'EC2' },
      ChargePeriodStart: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    }));
    const planned = (sku: string) => [{ start: '2026-03-22', end: '2026-03-22', match: { sku } }];
    const statuses = async (sku: string) =>
      (await anomaliesAnswer({ focus_rows, planned: planned(sku) })).anomalies.map(({ status }) => status);
    expect(await statuses('large')).toEqual(['planned']);
    expect(await statuses('small')).toEqual(['closed']);
  });
});
