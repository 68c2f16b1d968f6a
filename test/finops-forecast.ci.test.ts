import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw, toolAnswer } from './run-cli.js';

const BILL = join(ROOT, 'examples', 'cost', 'focus.csv');
const command = (...args: string[]) => ['finops', 'forecast', ...args];

interface Answer {
  schema: string;
  forecasts: { id: string; points: { start: string; mean: number }[]; budgets: { probability_over: number }[] }[];
  warnings: { code: string }[];
}

describe('cost forecasts', () => {
  let url: string;
  beforeAll(async () => {
    const server = await serveBylaw();
    url = server.url;
    return server.stop;
  });

  // A connection of its own for each: the server ends those that idle while commands run.
  const post = (body: object) =>
    request(`${url}/api/v1/finops/forecast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      reset: true,
    });

  const known_changes = [{ start: '2026-05-10', multiply: 1.1, match: { service: 'Amazon Elastic Compute Cloud' }, note: 'launch' }];

  it.each([
    [{}, []],
    [
      { group_by: ['service'], until: '2026-05-31', levels: [50, 90], budgets: [{ id: 'b', amount: 9000, period: 'month' }] },
      ['--group', 'service', '--until', '2026-05-31', '--levels', '90,50', '--budget', 'b=9000/month'],
    ],
    [
      { horizon: 10, reconcile: false, group_by: ['tag:team'], known_changes },
      ['--horizon', '10', '--no-reconcile', '--group', 'tag:team', '--known-changes', 'changes.yaml'],
    ],
    [
      { horizon: 5, backtest: { origins: 2 }, include_categories: ['Usage'], include_history: true, chart: true },
      ['--horizon', '5', '--origins', '2', '--include-categories', 'Usage', '--history', '--chart'],
    ],
  ])('are the same by REST, by command, by a command that asks the server, and by tool: %j', async (body, flags) => {
    const cwd = folderOf({ 'changes.yaml': JSON.stringify(known_changes) });
    const response = await post({ focus_csv: readFileSync(BILL, 'utf8'), ...body });
    expect(response.statusCode).toBe(200);
    const expected = (await response.body.json()) as Answer; // checked next
    expect(expected).toMatchObject({
      schema: 'finops.forecast/v1',
      forecasts: [{ id: 'total' }, ...new Array(expected.forecasts.length - 1).fill({})],
    });
    const args = command('--focus', BILL, ...flags, '--json');
    expect(JSON.parse((await bylaw(args, { cwd })).stdout)).toEqual(expected);
    expect(JSON.parse((await bylaw([...args, '--remote', url], { cwd })).stdout)).toEqual(expected);
    expect(await toolAnswer('forecast_cost', { focus_csv: readFileSync(BILL, 'utf8'), ...body })).toEqual(expected);
  });

  it('fail a job by the chance that a budget is passed', async () => {
    const args = command('--focus', BILL, '--until', '2026-05-31', '--budget', 'all=100/month', '--fail-on-over');
    expect(await bylaw([...args, '0.9'])).toMatchObject({ code: 1, stdout: expect.stringContaining('budget all, 2026-05: ') });
    expect((await bylaw([...args.map((arg) => arg.replace('100/', '100000/')), '0.9'])).code).toBe(0);
  });

  it('fill a page with charts, and say the same as without one', async () => {
    const cwd = folderOf();
    const args = command('--focus', BILL, '--horizon', '20', '--budget', 'all=9000/month');
    const [page, plain] = [await bylaw([...args, '--html', 'forecast.html'], { cwd }), await bylaw(args, { cwd })];
    expect(page).toEqual(plain);
    const text = readFileSync(join(cwd, 'forecast.html'), 'utf8');
    expect(text).toMatch(/<svg[\s\S]*History and forecast, with prediction intervals of 95 % and 80 %/);
    expect(text).not.toMatch(/NaN|undefined|<script/);
  });

  it('come from plain series, each on its own', async () => {
    const values = Array.from({ length: 60 }, (_, at) => 10 + (at % 7));
    const series = ['a', 'b'].map((id) => ({ id, granularity: 'day', start: '2026-01-01', values }));
    const cwd = folderOf({ 'series.json': JSON.stringify({ series }) });
    const { stdout } = await bylaw(command('--series', 'series.json', '--horizon', '2', '--json'), { cwd });
    const answer = JSON.parse(stdout) as Answer; // as above
    expect(answer.forecasts.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(answer.forecasts[0]?.points.map(({ start, mean }) => [start, Math.round(mean)])).toEqual([
      ['2026-03-02', 14],
      ['2026-03-03', 15],
    ]);
  });

  const day = { id: 'a', granularity: 'day', start: '2026-01-01' };
  it.each([
    [{}, 'schema'],
    [{ series: [{ ...day, values: [1, 2, 3] }], horizon: 2, until: '2026-02-01' }, 'schema'],
    [{ series: [{ ...day, values: [1, 2, 3] }], levels: [101] }, 'schema'],
    [{ series: [{ ...day, values: [1, 2, 3] }], known_changes: [{ start: '2026-01-05' }] }, 'schema'],
    [{ series: [{ ...day, values: [1] }] }, 'series-too-short'],
    [{ series: [{ ...day, values: [null, null] }] }, 'series-too-short'],
    [
      {
        series: [
          { ...day, values: [1, 2] },
          { ...day, id: 'b', granularity: 'month', values: [1, 2] },
        ],
      },
      'granularity-mixed',
    ],
    [{ focus_csv: 'ChargePeriodStart,EffectiveCost\n' }, 'no-usable-rows'],
    [{ focus_csv: twoCurrencies(), budgets: [{ id: 'b', amount: 1 }] }, 'currency-mixed'],
  ])('cannot be made of %j, which is a problem', async (body, code) => {
    const response = await post(body);
    expect(response.statusCode).toBe(422);
    expect(await response.body.json()).toMatchObject({ code });
  });

  it.each([
    [[], 'No input.'],
    [['--focus', 'missing.csv'], 'missing.csv'],
    [['--focus', BILL, '--budget', 'much'], '--budget'],
    [['--focus', BILL, '--budget', 'a=1/day'], 'month, quarter, year'],
    [['--focus', BILL, '--levels', '100'], '--levels'],
    [['--focus', BILL, '--levels', '50,60,70,80,90,95'], 'Invalid flag value: levels '],
    [['--focus', BILL, '--until', '2026-02-31'], '--until'],
    [['--focus', BILL, '--until', '2026-02-01'], 'before it starts'],
    [['--focus', BILL, '--budget', 'a=1/month', '--fail-on-over', 'often'], '--fail-on-over'],
    [['--focus', BILL, '--fail-on-over', '0.5'], '--budget'],
    [['--focus', BILL, '--currency', 'USD', '--fx', 'EUR=1.1', '--fx', 'eur=1.2'], 'two rates for the same currency'],
    [['--focus', BILL, '--html', BILL], 'is also an input'],
    [['--focus', BILL, '--origins', '13'], '--origins'],
    [['--focus', BILL, '--known-changes', 'package.json'], 'package.json'],
  ])('refuses %j', async (args, words) => {
    expect(await bylaw(command(...args))).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  });
});

/** Two days in two currencies. */
function twoCurrencies(): string {
  const rows = ['USD', 'EUR'].flatMap((currency) =>
    ['01', '02'].map((of) => `2026-01-${of}T00:00:00Z,2026-01-0${Number(of) + 1}T00:00:00Z,${currency},1,Usage`),
  );
  return ['ChargePeriodStart,ChargePeriodEnd,BillingCurrency,EffectiveCost,ChargeCategory', ...rows, ''].join('\n');
}
