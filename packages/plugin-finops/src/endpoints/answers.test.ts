import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@bylaw/core/clock';
import type { RunContext, Services } from '@bylaw/core/endpoint';
import { endpointRoute, endpointTool } from '@bylaw/core/endpoint/host';
import { BylawError } from '@bylaw/core/errors';
import { type Route, requestCheck } from '@bylaw/core/http';
import { operationThreads } from '@bylaw/core/operation';
import { describe, expect, it } from 'vitest';
import { ANOMALIES_ANSWER } from './answer-schema.js';
import { findCostAnomalies, forecastCost } from './endpoints.js';
import { FORECAST_ANSWER } from './forecast-schema.js';

const answerBreaches = { anomalies: requestCheck(ANOMALIES_ANSWER), forecast: requestCheck(FORECAST_ANSWER) };
const requestBreaches = { anomalies: requestCheck(findCostAnomalies.input), forecast: requestCheck(forecastCost.input) };
const ENDPOINTS = { anomalies: findCostAnomalies, forecast: forecastCost };
const CONTEXT = {} as RunContext; // they ask nothing of the program
/** As a caller asks, whose body has passed the schema. */
const answered = async (operation: keyof typeof ENDPOINTS, body: object): Promise<object> =>
  operation === 'anomalies' ? findCostAnomalies.run(body, undefined, CONTEXT) : forecastCost.run(body, undefined, CONTEXT);

const MOST = 1e15;
const LEAST = Number.MIN_VALUE;

const each = <Value>(length: number, of: (day: number) => Value): Value[] => Array.from({ length }, (_, day) => of(day));
const steady = (day: number) => 100 + (day % 7) * 5 + ((day * 7919) % 13);
const spiked = (day: number) => steady(day) * (day === 150 ? 10 : 1);
const line = (values: (number | null)[], more: object = {}) => ({ id: 'a', granularity: 'day', start: '2025-01-01', values, ...more });
const series = (values: (number | null)[], more: object = {}) => ({ series: [line(values, more)] });
const row = (day: number, more: object = {}) => ({
  ...{ ChargePeriodStart: new Date(Date.UTC(2025, 0, 1 + day)).toISOString(), ChargeCategory: 'Usage', EffectiveCost: '5' },
  ...{ BillingCurrency: 'USD', ServiceName: 'EC2', ...more },
});
const rows = (length: number, of: (day: number) => object = () => ({})) => ({ focus_rows: each(length, (day) => row(day, of(day))) });

/** What is least, most, absent and contradictory. */
const COSTS: { readonly [what: string]: object } = {
  'of one value': series([1]),
  'of two values': series([1, 2]),
  'of five values': series([1, 2, 3, 4, 5]),
  'of ten values': series(each(10, steady)),
  'of no values': series(each(120, () => null)),
  'of few values': series(each(120, (day) => (day % 10 === 0 ? 5 : null))),
  'of nothing': series(each(120, () => 0)),
  'of the same': series(each(120, () => 1)),
  'of some days': series(each(120, (day) => (day % 5 === 0 ? 5 : 0))),
  'of credits': series(each(120, (day) => -steady(day))),
  'of both signs': series(each(120, (day) => (day % 2 ? 1 : -1) * steady(day))),
  'of the most': series(each(120, () => MOST)),
  'of the most and the least': series(each(120, (day) => (day % 2 ? MOST : LEAST))),
  'of the most with both signs': series(each(120, (day) => (day % 2 ? MOST : -MOST))),
  'of the least': series(each(120, () => LEAST)),
  'of a usual kind': series(each(200, steady)),
  'with a spike': series(each(200, spiked)),
  'with the highest spike': series(each(200, (day) => (day === 150 ? MOST : 1e-300))),
  'that begins': series(each(200, (day) => (day > 150 ? 100 : 0))),
  'that ends': series(each(200, (day) => (day > 150 ? 0 : 100))),
  'of the largest quantities': series(each(200, steady), { quantity: each(200, () => 1e30) }),
  'whose quantity vanishes': series(each(200, spiked), { quantity: each(200, (day) => (day === 150 ? 0 : 1e30)) }),
  'whose quantity is taken back': series(each(200, spiked), { quantity: each(200, (day) => (day === 150 ? -1e30 : 1)) }),
  'whose price falls to nothing': series(each(200, spiked), { unit_price: each(200, (day) => (day === 150 ? LEAST : 1)) }),
  'in hours': series(each(400, steady), { granularity: 'hour' }),
  'in weeks': series(each(60, steady), { granularity: 'week' }),
  'in months': series(each(40, steady), { granularity: 'month' }),
  'of one month': series([1], { granularity: 'month' }),
  'of two series': {
    series: [
      line(each(100, steady)),
      line(
        each(70, () => 0),
        { id: 'b', start: '2025-02-01' },
      ),
    ],
  },
  'that is known for two days': { ...series(each(60, steady)), as_of: '2025-01-02' },
  'of which nothing is final': { ...series(each(60, steady)), as_of: '2025-01-05', settle_days: 366 },
  'of a bill': rows(60, () => ({ SubAccountId: '1', RegionId: 'r' })),
  'of a bill of one row': rows(1),
  'of a bill of taxes': rows(1, () => ({ ChargeCategory: 'Tax' })),
  'of a bill of two currencies': rows(60, (day) => ({ BillingCurrency: day % 2 ? 'USD' : 'EUR' })),
  'of a bill with the highest rate': { ...rows(60, () => ({ BillingCurrency: 'EUR' })), currency: 'USD', fx: { EUR: Number.MAX_VALUE } },
  'of a bill without rows': { focus_csv: 'ChargePeriodStart,EffectiveCost\n' },
};

const start = '2025-01-01';
const OPTIONS: { readonly [operation in keyof typeof ENDPOINTS]: readonly object[] } = {
  anomalies: [
    {},
    { include_buckets: true, chart: true, sensitivity: 'high', min_impact: { amount: 0, percent: 0 } },
    { threshold_z: 1, direction: 'up', max_drivers: 1, min_impact: { amount: 0, percent: 0 } },
    { planned: [{ start, end: '2025-07-01', note: 'n' }], min_impact: { amount: Number.MAX_VALUE } },
  ],
  forecast: [
    {},
    { horizon: 1, backtest: { origins: 1 } },
    { include_history: true, chart: true, levels: [50, 99] },
    {
      budgets: [
        { id: 'none', amount: 0 },
        { id: 'most', amount: MOST, period: 'year' },
      ],
    },
    { known_changes: each(100, () => ({ start, add: MOST })) },
    { known_changes: [{ start, add: -MOST }] },
    { known_changes: each(3, () => ({ start, multiply: 1000 })) },
    { known_changes: [{ start, multiply: 0 }] },
    { reconcile: true, until: '2025-03-15' },
  ],
};

describe.each(['anomalies', 'forecast'] as const)('an answer of the operation %s', (operation) => {
  it.each(Object.entries(COSTS))('about cost %s holds to its schema, or is an error that says what is wrong', async (_, cost) => {
    for (const options of OPTIONS[operation]) {
      const request = { ...cost, ...options };
      expect(requestBreaches[operation](request)).toEqual([]);
      const answer: unknown = await answered(operation, request).catch((error: unknown) => error);
      if (answer instanceof Error) expect(answer).toBeInstanceOf(BylawError);
      else expect(answerBreaches[operation](JSON.parse(JSON.stringify(answer)))).toEqual([]);
    }
  });
});

describe('known changes', () => {
  it('that multiply beyond any bill are refused', async () => {
    const known_changes = each(4, () => ({ start, multiply: 1000 }));
    const refused = { code: 'growth-too-large', path: '/known_changes' };
    await expect(answered('forecast', { ...series(each(60, steady)), known_changes })).rejects.toMatchObject(refused);
  });

  it.each([{ add: 1e16 }, { add: -1e16 }])('of an amount beyond any bill do not pass the schema: %j', (change) => {
    expect(requestBreaches.forecast({ ...series([1]), known_changes: [{ start, ...change }] })).toHaveLength(1);
    expect(requestBreaches.forecast({ ...series([1]), budgets: [{ id: 'b', amount: 1e16 }] })).toHaveLength(1);
  });
});

describe('through every interface', () => {
  const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));
  const signal = new AbortController().signal;

  it.each(['anomalies', 'forecast'] as const)('an answer of the operation %s about nothing holds to its schema', async (operation) => {
    const body = series(each(60, () => 0));
    const folder = await mkdtemp(join(tmpdir(), 'bylaw-finops-'));
    await writeFile(join(folder, 'series.json'), JSON.stringify(body.series));
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, 'finops', operation, '--series', 'series.json', '--json'], {
      cwd: folder,
    });
    const services = { threads: operationThreads(), clock: systemClock } as Services; // nothing else is asked of them
    const route = endpointRoute(ENDPOINTS[operation], services);
    // The handler reads no more of a request.
    const request = { method: 'POST', body: new TextEncoder().encode(JSON.stringify(body)), headers: {}, signal } as unknown as Parameters<
      Route['handler']
    >[0];
    const response = await route.handler(request);
    const answers = [
      JSON.parse(stdout),
      JSON.parse(Buffer.from(response.body as Uint8Array).toString('utf8')), // what the worker wrote
      JSON.parse((await endpointTool(ENDPOINTS[operation], services)?.answer(body, signal)) ?? ''),
    ];
    for (const answer of answers) expect(answerBreaches[operation](answer)).toEqual([]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});
