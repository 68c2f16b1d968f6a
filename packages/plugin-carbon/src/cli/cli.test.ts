import { mkdtemp, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimate } from '../estimate/index.js';
import { increases } from './estimate-command.js';
import { type EstimateFlags, requestOf } from './estimate-request.js';
import { estimateText } from './estimate-text.js';
import { terraformAt, usageAt } from './read-inputs.js';

const FLAGS: EstimateFlags = { 'period-hours': '730', marginal: false, 'no-embodied': false, 'power-model': 'best', strict: false };

describe('the flags of an estimate', () => {
  it('make the request that a server would get', () => {
    const nodes = ['m5.xlarge=3', 'c5.large=2:pool=web,zone=a'];
    const request = requestOf({ ...FLAGS, nodes, 'functional-unit': 'a=b=8.1e8', grid: '50', marginal: true, 'no-embodied': true });
    expect(request).toMatchObject({
      nodes: [
        { instance_type: 'm5.xlarge', count: 3 },
        { instance_type: 'c5.large', count: 2, match: { pool: 'web', zone: 'a' } },
      ],
      functional_unit: { name: 'a=b', count: 8.1e8 },
      assumptions: { grid_g_per_kwh: 50 },
      method: { grid: 'marginal', embodied: false, power_model: 'best' },
    });
  });

  it.each([
    [{ pue: '0.5' }, /pue/],
    [{ packing: 'x' }, /--packing/],
    [{ 'cpu-utilization': '2' }, /cpu_utilization/],
    [{ nodes: ['m5.xlarge'] }, /--nodes/],
    [{ 'functional-unit': 'requests' }, /--functional-unit/],
    [{ 'functional-unit': 'requests=0' }, /functional_unit/],
    [{ 'period-hours': '-1' }, /--period-hours/],
  ])('that mean nothing are refused: %j', (flags, message) => {
    expect(() => requestOf({ ...FLAGS, ...flags })).toThrow(message);
  });
});

describe('the text of an estimate', () => {
  const usage = [{ id: 'web\u001b[31m\u0007', instance_type: 'm5.xlarge', hours: 730 }];
  const request = { provider: 'aws', region: 'eu-west-1', usage: [...usage, { id: 'odd', instance_type: '?', hours: 1 }] } as const;

  it('shows items, totals, what is missing and whose data it is, and nothing that a terminal would obey', async () => {
    const text = estimateText(await estimate({ ...request, functional_unit: { name: 'orders', count: 1000 } }), {
      width: 100,
      colour: false,
    });
    for (const part of ['kg CO2e', '90 %', 'SCI', 'Not estimated', 'odd: ', 'Electricity Maps', 'Main sources of uncertainty'])
      expect(text).toContain(part);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('of nothing is still a text', async () => {
    const answer = await estimate({ provider: 'aws', region: 'eu-west-1', manifests: [] });
    expect(estimateText(answer, { width: 80, colour: false })).toContain('0 kg CO2e');
    expect(estimateText({ ...answer, period_hours: 1 }, { width: 80, colour: false })).toContain(' in 1 hour (90 % range: ');
  });
});

describe('the threshold of a comparison', () => {
  const at = async (count: number) =>
    estimate({
      provider: 'aws',
      region: 'eu-west-1',
      usage: [{ id: 'a', instance_type: 'm5.large', hours: 1, count: 10 }],
      compare: { proposed: { usage: [{ id: 'a', instance_type: 'm5.large', hours: 1, count }] } },
    });

  it('fails for what is above it', async () => {
    expect([
      increases(await at(11), '10%'),
      increases(await at(12), '10%'),
      increases(await at(9), '0'),
      increases(await at(12), undefined),
    ]).toEqual([false, true, false, false]);
  });

  it('needs a proposal', async () => {
    const answer = await estimate({ provider: 'aws', usage: [{ id: 'a', instance_type: 'm5.large', hours: 1 }] });
    expect(() => increases(answer, '5%')).toThrow(/proposal/);
  });
});

describe('the files of an estimate', () => {
  const fileOf = async (text: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'bylaw-carbon-')), 'input.json');
    await writeFile(file, text);
    return file;
  };
  const line = { id: 'a', instance_type: 'm5.large', hours: 1 };

  it.each([
    ['hours below 0', [{ ...line, hours: -1 }], '/0/hours'],
    ['hours with a unit', [{ ...line, hours: '10h' }], '/0/hours'],
    ['a load in percent', [{ ...line, cpu_utilization: 50 }], '/0/cpu_utilization'],
    ['a member that is not known', [{ ...line, region: 'eu-west-1', cpu: 1 }], '/0'],
    ['no list', line, 'the file'],
    ['nothing in it', [], 'the file'],
  ])('are refused with %s, which is named', async (_, value, place) => {
    await expect(usageAt(await fileOf(JSON.stringify(value)))).rejects.toMatchObject({
      code: 'carbon-input-unreadable',
      message: expect.stringContaining(place),
    });
  });

  it('are refused where they are no JSON, no plan, or not there', async () => {
    await expect(usageAt(await fileOf('[NaN]'))).rejects.toMatchObject({ code: 'json-syntax' });
    await expect(terraformAt(await fileOf('[]'))).rejects.toMatchObject({ code: 'carbon-input-unreadable' });
    await expect(terraformAt('/nowhere/plan.json')).rejects.toMatchObject({ code: 'path-not-found' });
  });

  it('that are too large to be held are refused before they are read to their end', async () => {
    const file = await fileOf('');
    await truncate(file, 300 * 1024 * 1024);
    await expect(terraformAt(file)).rejects.toMatchObject({ code: 'carbon-input-unreadable', message: expect.stringContaining('256 MiB') });
  });
});
