import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw, toolAnswer } from './run-cli.js';

const BILL = join(ROOT, 'examples', 'cost', 'focus.csv');
const command = (...args: string[]) => ['finops', 'anomalies', ...args];

describe('cost anomalies', () => {
  let url: string;
  beforeAll(async () => {
    const server = await serveBylaw();
    url = server.url;
    return server.stop;
  });

  const post = (body: object) =>
    fetch(`${url}/api/v1/finops/anomalies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const recency = [{ start: '2026-01-01', end: '2026-04-20', complete: true }];

  it.each([
    [{}, []],
    [{ group_by: ['tag:team'], monitors: [['tag:team']] }, ['--group', 'tag:team', '--monitor', 'tag:team']],
    [
      { sensitivity: 'high', min_impact: { amount: 1 }, direction: 'up', include_buckets: true },
      ['--sensitivity', 'high', '--min-impact', '1', '--up', '--buckets'],
    ],
    [
      { threshold_z: 2.5, max_drivers: 1, recency, include_categories: ['Usage', 'Tax'], chart: true },
      ['--threshold-z', '2.5', '--max-drivers', '1', '--recency', 'recency.yaml', '--include-categories', 'Usage,Tax', '--chart'],
    ],
  ])('are the same by REST, by command, by a command that asks the server, and by tool: %j', async (body, flags) => {
    const response = await post({ focus_csv: readFileSync(BILL, 'utf8'), ...body });
    expect(response.status).toBe(200);
    const expected = (await response.json()) as { schema: string };
    expect(expected.schema).toBe('finops.anomalies/v1');
    const cwd = folderOf({ 'recency.yaml': JSON.stringify(recency) });
    const args = command('--focus', BILL, ...flags, '--json');
    expect(JSON.parse((await bylaw(args, { cwd })).stdout)).toEqual(expected);
    expect(JSON.parse((await bylaw([...args, '--remote', url], { cwd })).stdout)).toEqual(expected);
    expect(await toolAnswer('detect_cost_anomalies', { focus_csv: readFileSync(BILL, 'utf8'), ...body })).toEqual(expected);
  });

  it('find the incident of the example, and nothing else: the fee of January comes again in February', async () => {
    const { stdout, code } = await bylaw(command('--focus', BILL, '--fail-on', 'high'));
    expect(stdout).toContain('2026-04-06 to 2026-04-10');
    expect(stdout).toContain('account 222222222222');
    expect(stdout).toMatch(/▄█{5}▄/);
    expect(stdout).toContain('1 anomaly');
    expect(code).toBe(1);
    expect((await bylaw(command('--focus', BILL, '--fail-on', 'critical'))).code).toBe(0);
  });

  it('mark what was planned, which then fails nothing', async () => {
    const cwd = folderOf({
      'planned.yaml':
        '- {start: 2026-04-06, end: 2026-04-10, match: {account: "222222222222"}, note: load test}\n- {start: 2026-05-01, end: 2026-05-01}\n',
    });
    const { stdout, code } = await bylaw(command('--focus', BILL, '--planned', 'planned.yaml', '--fail-on', 'low', '--json'), { cwd });
    expect(JSON.parse(stdout).anomalies.map(({ status }: { status: string }) => status)).toEqual(['planned']);
    expect(JSON.parse(stdout).summary).toMatchObject({
      impact: { amount: 0, currency: 'USD' },
      impact_by_currency: [{ amount: 0, currency: 'USD' }],
    });
    expect(code).toBe(0);
  });

  it('come from packed files, from several, and from standard input alike', async () => {
    const [header = '', ...rows] = readFileSync(BILL, 'utf8').trimEnd().split('\n');
    const cwd = folderOf({
      'bill.csv.gz': gzipSync(readFileSync(BILL)),
      'a.csv': `${[header, ...rows.slice(0, 300)].join('\n')}\n`,
      'b.csv': `${[header, ...rows.slice(300).reverse()].join('\r\n')}\r\n`,
    });
    const digest = async (args: string[], input?: Uint8Array) =>
      JSON.parse((await bylaw(command(...args, '--json'), { cwd, ...(input && { input }) })).stdout).input_digest;
    const expected = await digest(['--focus', BILL]);
    expect(await digest(['--focus', 'bill.csv.gz'])).toBe(expected);
    expect(await digest(['--focus', 'a.csv', '--focus', 'b.csv'])).toBe(expected);
    expect(await digest(['--focus', '-'], readFileSync(BILL))).toBe(expected);
  });

  it('are found in plain series, one by one', async () => {
    const values = Array.from({ length: 100 }, (_, at) => (at === 80 ? 500 : 100 + (at % 5)));
    const series = [{ id: 'ec2/prod', granularity: 'day', start: '2026-01-01', values }];
    const cwd = folderOf({ 'series.json': JSON.stringify(series) });
    const { stdout } = await bylaw(command('--series', 'series.json', '--currency', 'EUR', '--json'), { cwd });
    expect(JSON.parse(stdout).anomalies).toMatchObject([
      { dimensions: { series: 'ec2/prod' }, start: '2026-03-22', currency: 'EUR', kind: 'spike' },
    ]);
  });

  const day = { id: 'a', granularity: 'day', start: '2026-01-01' };
  it.each([
    [
      {
        focus_rows: [
          { ChargePeriodStart: '2026-01-01', EffectiveCost: 1 },
          { ChargePeriodStart: 'never', EffectiveCost: 1 },
        ],
      },
      '/focus_rows/1',
    ],
    [{ series: [{ ...day, values: [1, 2], quantity: [1] }] }, '/series/0/quantity'],
    [{ series: [{ ...day, values: [1, 1e16] }] }, '/series/0/values/1'],
    [
      {
        series: [
          { ...day, values: [1] },
          { ...day, values: [1] },
        ],
      },
      '/series/1/id',
    ],
  ])('cannot be found in %j, and the problem says where', async (body, path) => {
    const response = await post(body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
  });

  it('are not found in an amount that no number holds, or in a row of CSV, which is named', async () => {
    const request = (text: string) =>
      fetch(`${url}/api/v1/finops/anomalies`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
    const infinite = JSON.stringify({ series: [{ ...day, values: [1, 2] }] }).replace('[1,2]', '[1,1e999]');
    expect((await request(infinite)).status).toBe(422);
    const csv = await post({ focus_csv: 'ChargePeriodStart,EffectiveCost\n2026-01-01,1\n2026-01-02,1e999\n' });
    expect(await csv.json()).toMatchObject({
      code: 'cost-row-invalid',
      detail: expect.stringMatching(/^Line 3 of the CSV: .+ must be a number\.$/),
    });
  });

  it('that hostile names are part of are shown without control characters, and as text on a page', async () => {
    const name = '\u001b[31mred\u001b]0;x\u0007<script>alert(1)</script>';
    const values = Array.from({ length: 90 }, (_, at) => (at === 70 ? 500 : 100 + (at % 5)));
    const cwd = folderOf({ 'series.json.gz': gzipSync(JSON.stringify([{ ...day, id: name, values }])) });
    const { stdout, code } = await bylaw(command('--series', 'series.json.gz', '--html', 'page.html'), { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('red');
    for (const text of [stdout, readFileSync(join(cwd, 'page.html'), 'utf8')]) {
      expect(text).not.toContain('\u001b');
      expect(text).not.toContain('\u0007');
    }
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).not.toContain('<script');
  });

  it.each([
    [{}, 422, 'schema'],
    [{ focus_csv: 'a,b\n1,2\n' }, 422, 'cost-columns-missing'],
    [{ focus_csv: 'ChargePeriodStart,EffectiveCost\nnever,1\n' }, 422, 'cost-row-invalid'],
    [{ focus_csv: 'ChargePeriodStart,EffectiveCost\n' }, 422, 'no-usable-rows'],
    [{ focus_csv: 'x', sensitivty: 'low' }, 422, 'schema'],
    [{ series: [{ id: 'a', granularity: 'day', start: '2026-01-01', values: [1] }], timezone: 'Mars/Olympus' }, 422, 'timezone-unknown'],
  ])('cannot be found in %j, which is a problem', async (body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code });
    expect(text).not.toContain('Olympus');
    expect(text).not.toContain('never');
  });

  it.each([
    [[], 2, 'No input.'],
    [['--focus', 'missing.csv'], 2, 'missing.csv'],
    [['--focus', 'package.json'], 2, 'cost'],
    [['--focus', BILL, '--min-impact', 'much'], 2, '--min-impact'],
    [['--focus', BILL, '--threshold-z', '0.5'], 2, '--threshold-z must be a number from 1 to 100'],
    [['--focus', BILL, '--currency', 'usd'], 2, 'Invalid flag value: currency '],
    [['--focus', BILL, '--monitor', 'a+b+c+d+e'], 2, 'Invalid flag value: monitors.0 '],
    [['--focus', BILL, '--max-drivers', '51'], 2, '--max-drivers'],
    [['--focus', BILL, '--include-categories', 'Rent'], 2, 'Usage, Purchase, Tax'],
    [['--focus', BILL, '--recency', 'package.json'], 2, 'package.json'],
    [['--focus', BILL, '--recency', 'missing.yaml'], 2, 'missing.yaml'],
    [['--focus', BILL, '--group', 'tean'], 2, 'tean'],
    [['--focus', BILL, '--fx', 'EUR'], 2, '--fx'],
    [['--series', 'examples'], 2, 'is a folder'],
    [['--focus', 'cut.csv.gz'], 2, 'truncated'],
    [['--focus', 'wide.csv'], 2, 'UTF-8'],
    [['--focus', 'nothing.csv'], 2, 'is empty'],
    [['--focus', 'cost.csv'], 2, 'is missing 1 column: EffectiveCost'],
    [['--focus', 'far.csv'], 2, 'more than 200,000 buckets'],
    [['--focus', 'rich.csv'], 2, 'rich.csv:2:1: The cost is too large'],
  ])('refuses %j', async (args, code, words) => {
    const head = 'ChargePeriodStart,EffectiveCost\n';
    const cwd = folderOf({
      'cut.csv.gz': gzipSync(readFileSync(BILL)).subarray(0, 2000),
      'wide.csv': Buffer.from(`\ufeff${head}2026-01-01,1\n`, 'utf16le'),
      'nothing.csv': '',
      'cost.csv': 'ChargePeriodStart,ServiceName\n2026-01-01,a\n',
      'far.csv': `${head}2026-01-01,1\n2999-01-01,1\n`,
      'rich.csv': `${head}2026-01-01,1e16\n`,
      'examples/none': '',
      'package.json': '{}',
    });
    expect(await bylaw(command(...args), { cwd })).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  });
});
