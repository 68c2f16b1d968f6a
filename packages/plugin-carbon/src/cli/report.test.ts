import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsOf } from '@bylaw/core/report/page';
import { describe, expect, it } from 'vitest';
import { estimate } from '../estimate/index.js';
import { makeReport } from '../report/index.js';
import { estimateText } from './estimate-text.js';
import { reportRequest } from './report-request.js';
import { reportText } from './report-text.js';

const USAGE = [{ id: 'web\u001b[31m\u0007', instance_type: 'm5.xlarge', hours: 730 }];
const REQUEST = { provider: 'aws', region: 'eu-central-1', usage: USAGE } as const;

async function file(content: unknown): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'bylaw-report-')), 'estimate.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('the flags of a report', () => {
  it('make the request that a server would get', async () => {
    const saved = await file(await estimate(REQUEST));
    const request = await reportRequest({
      ...{ format: 'html', estimate: [saved], baseline: saved, period: ['2026-01-01/2026-02-01'], target: '20%', title: 'Shop' },
      'group-by': ['service', 'tag:team'],
    });
    expect(request).toMatchObject({
      format: 'html',
      estimate: { schema: 'carbon.estimate/v1' },
      baseline: { schema: 'carbon.estimate/v1' },
      period: { start: '2026-01-01', end: '2026-02-01' },
      target: { percent: 20 },
      group_by: ['service', 'tag:team'],
      title: 'Shop',
    });
    expect(await reportRequest({ format: 'text', target: '500' })).toEqual({ target: { kg_co2e: 500 } });
  });

  it('give several saved answers a period each', async () => {
    const saved = await file(await estimate(REQUEST));
    const period = ['2026-01-01/2026-02-01', '2026-02-01/2026-03-01'];
    expect(await reportRequest({ format: 'json', estimate: [saved, saved], period })).toMatchObject({
      periods: [{ start: '2026-01-01' }, { start: '2026-02-01' }],
    });
    await expect(reportRequest({ format: 'json', estimate: [saved, saved] })).rejects.toThrow('--period each');
    await expect(reportRequest({ format: 'json', period })).rejects.toThrow('--estimate each');
  });

  it('take a request of an estimate in place of a saved answer, which keeps ranges narrow', async () => {
    expect(await reportRequest({ format: 'text', baseline: await file(REQUEST) })).toEqual({ baseline: REQUEST });
  });

  it.each([
    [{ period: ['2026-01-01'] }, /--period/],
    [{ period: ['january/february'] }, /period/],
    [{ target: 'less' }, /--target/],
    [{ target: '120%' }, /target.percent/],
    [{ 'group-by': ['colour'] }, /group_by/],
    [{ estimate: ['none.json'] }, /none.json/],
  ])('that mean nothing are refused: %j', async (flags, message) => {
    await expect(reportRequest({ format: 'text', ...flags })).rejects.toThrow(message);
  });

  it.each(['[]', 'null', '{}', '{"schema":"carbon.estimate/v1"}', '{"schema":"carbon.report/v1"}'])(
    'refuse a file that is no saved answer: %s',
    async (content) => {
      await expect(reportRequest({ format: 'text', baseline: await file(content) })).rejects.toMatchObject({
        code: 'carbon-input-unreadable',
      });
    },
  );
});

describe('the text of a report', () => {
  it('shows totals, scopes, groups, change, target and reductions, and nothing that a terminal would obey', async () => {
    const baseline = { ...REQUEST, usage: [...USAGE, { id: 'old', instance_type: 'm4.large', hours: 730 }] };
    const { report } = await makeReport({ ...REQUEST, baseline, target: { percent: 90 }, title: 'Shop\u001b[2J' });
    const text = reportText(report, { width: 100, colour: false });
    for (const part of [
      'Scope 3, category 1',
      'By region',
      'Since the baseline',
      'Not met',
      'Reductions',
      'eu-north-1',
      'Electricity Maps',
    ])
      expect(text).toContain(part);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it.each([60, 80])('keeps within %i columns, whatever the names', async (width) => {
    const usage = ['非常に長いサービス名'.repeat(9), 'a-very-long-name-'.repeat(12), 'web'].map((id) => ({
      id,
      instance_type: 'm5.xlarge',
      hours: 730,
    }));
    const baseline = { ...REQUEST, usage: usage.slice(0, 1) };
    const functional_unit = { name: 'requests', count: 8.1e8 };
    const { report } = await makeReport({ ...REQUEST, usage, baseline, functional_unit, target: { percent: 10 } });
    const answer = await estimate({ ...REQUEST, usage, functional_unit, compare: { proposed: { usage: usage.slice(1) } } });
    const terminal = { width, colour: false };
    const lines = [...reportText(report, terminal).split('\n'), ...estimateText(answer, terminal).split('\n')];
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    expect(lines.join(' ')).toMatch(/Main sources of uncertainty: .*CPU utilization/);
  });

  it('names the unit of every column, and a group without a name', async () => {
    const { report } = await makeReport({ ...REQUEST, group_by: ['namespace'] });
    const text = reportText(report, { width: 80, colour: false });
    expect(text).toMatch(/kg CO2e +90 % range +share/);
    expect(text).toContain('no namespace');
    expect(text).toMatch(/\(90 % range: [\d.]+ to [\d.]+\)\./);
  });
});
