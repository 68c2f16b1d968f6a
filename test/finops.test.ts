import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw } from './run-cli.js';

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

  it.each([
    [{}, []],
    [{ group_by: ['tag:team'], monitors: [['tag:team']] }, ['--group', 'tag:team', '--monitor', 'tag:team']],
    [
      { sensitivity: 'high', min_impact: { amount: 1 }, direction: 'up', include_buckets: true },
      ['--sensitivity', 'high', '--min-impact', '1', '--up', '--buckets'],
    ],
  ])('are the same by REST, by command, by a command that asks the server, and by tool: %j', async (body, flags) => {
    const response = await post({ focus_csv: readFileSync(BILL, 'utf8'), ...body });
    expect(response.status).toBe(200);
    const expected = (await response.json()) as { schema: string };
    expect(expected.schema).toBe('finops.anomalies/v1');
    const args = command('--focus', BILL, ...flags, '--json');
    expect(JSON.parse((await bylaw(args)).stdout)).toEqual(expected);
    expect(JSON.parse((await bylaw([...args, '--remote', url])).stdout)).toEqual(expected);
    expect(await toolAnswer({ focus_csv: readFileSync(BILL, 'utf8'), ...body })).toEqual(expected);
  });

  it('find the incident of the example, and nothing else but the fee that nobody knew yet', async () => {
    const { stdout, code } = await bylaw(command('--focus', BILL, '--fail-on', 'high'));
    expect(stdout).toContain('2026-04-06 to 2026-04-10');
    expect(stdout).toContain('account 222222222222');
    expect(stdout).toContain('2 anomalies');
    expect(code).toBe(1);
    expect((await bylaw(command('--focus', BILL, '--fail-on', 'critical'))).code).toBe(0);
  });

  it('mark what was planned, which then fails nothing', async () => {
    const cwd = folderOf({
      'planned.yaml':
        '- {start: 2026-04-06, end: 2026-04-10, match: {account: "222222222222"}, note: load test}\n- {start: 2026-02-01, end: 2026-02-01}\n',
    });
    const { stdout, code } = await bylaw(command('--focus', BILL, '--planned', 'planned.yaml', '--fail-on', 'low', '--json'), { cwd });
    expect(JSON.parse(stdout).anomalies.map(({ status }: { status: string }) => status)).toEqual(['planned', 'planned']);
    expect(JSON.parse(stdout).summary.impact).toEqual([{ amount: 0, currency: 'USD' }]);
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
    [[], 2, 'No cost is named'],
    [['--focus', 'missing.csv'], 2, 'missing.csv'],
    [['--focus', 'package.json'], 2, 'cost'],
    [['--focus', BILL, '--min-impact', 'much'], 2, '--min-impact'],
    [['--focus', BILL, '--group', 'tean'], 2, 'tean'],
    [['--focus', BILL, '--fx', 'EUR'], 2, '--fx'],
  ])('refuses %j', async (args, code, words) => {
    expect(await bylaw(command(...args))).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  });
});

async function toolAnswer(args: object): Promise<unknown> {
  const messages = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'detect_cost_anomalies', arguments: args } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { stdout } = await bylaw(['mcp'], { input });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ id }) => id === 2).result.structuredContent;
}
