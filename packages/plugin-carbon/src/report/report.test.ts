import { BylawError } from '@bylaw/core/errors';
import { describe, expect, it } from 'vitest';
import { type CarbonEstimate, estimate } from '../estimate/index.js';
import { report } from './render.js';
import { makeReport } from './report.js';
import type { CarbonReport, ReportRequest } from './types.js';

const USAGE = [
  { id: 'web', instance_type: 'm5.xlarge', hours: 744, count: 4 },
  { id: 'web-staging', instance_type: 'm5.xlarge', hours: 744, count: 2 },
  { id: 'idle', instance_type: 'c5.2xlarge', hours: 744, cpu_utilization: 0.1 },
  { id: 'north', instance_type: 'r6g.large', hours: 744, region: 'eu-north-1' },
  { id: 'odd', instance_type: 'none.such', hours: 1 },
];
const NOW = { provider: 'aws', region: 'eu-central-1', period_hours: 744, usage: USAGE } as const;
const BEFORE = {
  provider: 'aws',
  region: 'us-east-1',
  period_hours: 744,
  usage: [
    { id: 'web', instance_type: 'm5.xlarge', hours: 744, count: 2 },
    { id: 'gone', instance_type: 'm5.large', hours: 744 },
  ],
} as const;

const reported = async (request: ReportRequest): Promise<CarbonReport> => (await makeReport(request)).report;
/** As it comes back out of a file. */
const saved = async (request: Parameters<typeof estimate>[0]) => JSON.parse(JSON.stringify(await estimate(request))) as CarbonEstimate;
const failure = async (request: ReportRequest): Promise<BylawError> => {
  const error = await report(request).catch((thrown: unknown) => thrown);
  if (!(error instanceof BylawError)) throw new Error('nothing was refused');
  return error;
};

describe('a report of an estimate', () => {
  it('says what the estimate says', async () => {
    const { total, warnings } = await estimate(NOW);
    const answer = await reported(NOW);
    expect(answer.total).toEqual(total);
    expect(answer.warnings).toEqual(warnings);
    expect(answer.unestimated.map(({ id }) => id)).toEqual(['odd']);
  });

  it('does not depend on the order of the input', async () => {
    expect(await reported({ ...NOW, usage: USAGE.toReversed() })).toEqual({ ...(await reported(NOW)), warnings: expect.any(Array) });
  });

  it('has tables whose groups add up to the total', async () => {
    const { groups, total } = await reported({ ...NOW, group_by: ['region', 'instance_type', 'kind', 'provider', 'source', 'tag:team'] });
    expect(groups.map(({ by }) => by)).toEqual(['region', 'instance_type', 'kind', 'provider', 'source', 'tag:team']);
    for (const { rows } of groups) {
      expect(rows.reduce((sum, row) => sum + row.kg_co2e.central, 0)).toBeCloseTo(total.kg_co2e.central, 2);
      expect(rows.reduce((sum, row) => sum + row.share_percent, 0)).toBeCloseTo(100, 2);
      for (const { kg_co2e: kg } of rows) expect(kg.p5 <= kg.central && kg.central <= kg.p95).toBe(true);
    }
    expect(groups.at(-1)?.rows.map(({ name }) => name)).toEqual(['']);
  });

  it('puts cloud into category 1 of Scope 3, and an own data centre into Scope 2 and category 2', async () => {
    const manifests = [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'a', resources: { requests: { cpu: '1' } } }] },
      },
    ];
    const cloud = await reported(NOW);
    expect(cloud.scopes.map(({ scope, category }) => [scope, category])).toEqual([[3, 1]]);
    expect(cloud.scopes[0]?.kg_co2e).toEqual(cloud.total.kg_co2e);
    const own = await reported({ manifests, provider: 'on-prem', region: 'DE', assumptions: { market_g_per_kwh: 10 } });
    expect(own.scopes.map(({ scope, category }) => [scope, category])).toEqual([
      [2, null],
      [3, 2],
    ]);
    expect(own.scopes[0]?.kg_co2e).toEqual(own.total.operational);
    expect(own.scopes[0]?.market_based_kg_co2e).toBe(own.total.market_based?.central);
    expect(own.scopes[1]?.kg_co2e).toEqual(own.total.embodied);
  });

  it('counts electricity in the inventory by the mean of its grid, also where the estimate is marginal', async () => {
    const marginal = { ...NOW, assumptions: { grid_g_per_kwh: 791 }, method: { grid: 'marginal' } } as const;
    const [mean, answer] = [await reported(NOW), await reported(marginal)];
    expect(answer.total.kg_co2e.central).toBeGreaterThan(mean.total.kg_co2e.central);
    expect(answer.scopes).toEqual(mean.scopes);
    const again = await reported({ estimate: await saved(marginal) });
    expect(again.scopes[0]?.kg_co2e.central).toBeCloseTo(mean.total.kg_co2e.central, 2);
  });

  it('has the SCI of the estimate, and over several periods that of all their units', async () => {
    const unit = { functional_unit: { name: 'orders', count: 1000 } };
    const { sci } = await estimate({ ...NOW, ...unit });
    expect(await reported({ ...NOW, ...unit })).toMatchObject({ sci: { value_g: sci?.value_g, p5: sci?.p5, p95: sci?.p95 } });
    const periods = [
      { start: '2026-01-01', end: '2026-02-01', estimate: { ...NOW, ...unit } },
      { start: '2026-03-01', end: '2026-04-01', estimate: { ...NOW, ...unit } },
    ];
    expect((await reported({ periods })).sci?.value_g).toBeCloseTo(sci?.value_g ?? 0, 3);
    expect((await reported(NOW)).sci).toBeUndefined();
  });

  it('names every factor with its source, year and licence', async () => {
    const { factors } = await reported(NOW);
    for (const factor of factors) expect(factor.source).not.toBe('');
    expect(factors.find(({ name }) => name === 'grid_g_co2e_per_kwh')).toMatchObject({ year: 2025, licence: 'ODbL-1.0' });
  });
});

describe('the change since a baseline', () => {
  it('is split without a rest, and sees what is new and gone', async () => {
    const { change, total } = await reported({ ...NOW, baseline: BEFORE });
    if (change === undefined) throw new Error('no change');
    const { activity, efficiency, grid, embodied } = change.effects;
    expect(activity + efficiency + grid + embodied).toBeCloseTo(change.delta_kg_co2e.central, 2);
    expect(change.delta_kg_co2e.central).toBeCloseTo(total.kg_co2e.central - change.baseline_kg_co2e.central, 2);
    expect(change.items).toEqual({ new: 3, gone: 1, both: 1 });
    for (const item of change.largest)
      expect(item.activity + item.efficiency + item.grid + item.embodied).toBeCloseTo(item.delta_kg_co2e, 3);
  });

  it('is on the same points: what is the same on both sides is no change at any of them', async () => {
    const { change } = await reported({ ...NOW, baseline: NOW });
    expect(change?.delta_kg_co2e).toEqual({ p5: 0, central: 0, p95: 0 });
    expect(change?.effects).toEqual({ activity: 0, efficiency: 0, grid: 0, embodied: 0 });
  });

  it('to other assumptions is known as narrowly as to other inputs', async () => {
    const { change } = await reported({
      ...NOW,
      assumptions: { cpu_utilization: 0.3 },
      baseline: { ...NOW, assumptions: { cpu_utilization: 0.6 } },
    });
    expect(change?.probability_lower).toBe(1);
    expect(change?.effects.efficiency).toBeCloseTo(change?.delta_kg_co2e.central ?? 0, 3);
  });

  it('to a saved answer has the same middle, a wider range, and a warning', async () => {
    const sampled = await reported({ ...NOW, baseline: BEFORE });
    const answer = await reported({ ...NOW, baseline: await saved(BEFORE) });
    const [a, b] = [sampled.change?.delta_kg_co2e, answer.change?.delta_kg_co2e];
    if (a === undefined || b === undefined) throw new Error('no change');
    expect(b.central).toBeCloseTo(a.central, 2);
    expect(b.p5).toBeLessThan(a.p5);
    expect(b.p95).toBeGreaterThan(a.p95);
    expect(answer.change?.probability_lower).toBeNull();
    expect(answer.warnings.map(({ code }) => code)).toContain('ranges-added');
  });

  it('to a saved answer of the same is nothing: what rounding cut off is no effect', async () => {
    const { change } = await reported({ ...NOW, baseline: await saved(NOW) });
    expect(change?.effects).toEqual({ activity: 0, efficiency: 0, grid: 0, embodied: 0 });
    expect(change?.largest).toEqual([]);
  });

  it('more money for what has no physical model is activity', async () => {
    const row = (more: object) => ({
      ...{
        ChargePeriodStart: '2026-05-01T00:00:00Z',
        ChargeCategory: 'Usage',
        ProviderName: 'AWS',
        BillingCurrency: 'USD',
        SubAccountId: '1',
      },
      ...more,
    });
    const bill = (money: number) => ({
      spend_based: true,
      focus_rows: [
        row({ ServiceName: 'S3', ConsumedUnit: 'GB-Mo', ConsumedQuantity: 100, EffectiveCost: 2 }),
        row({ ServiceName: 'Odd', ConsumedUnit: 'Requests', ConsumedQuantity: 1, EffectiveCost: money }),
      ],
    });
    for (const baseline of [bill(2), await saved(bill(2))]) {
      const { change } = await reported({ ...bill(6), baseline });
      expect(change?.effects).toMatchObject({ efficiency: 0, grid: 0, activity: change?.delta_kg_co2e.central });
      expect(change?.delta_kg_co2e.central).toBeGreaterThan(0);
    }
  });

  it('of another length says so', async () => {
    const { warnings } = await reported({ ...NOW, baseline: { ...BEFORE, period_hours: 730 } });
    expect(warnings.map(({ code }) => code)).toContain('baseline-hours-differ');
  });
});

describe('a target', () => {
  it('in kilograms is met or not, with the chance of it', async () => {
    const { total } = await reported(NOW);
    const near = await reported({ ...NOW, target: { kg_co2e: total.kg_co2e.central } });
    expect(near.target?.probability_met).toBeGreaterThan(0.3);
    expect(near.target?.probability_met).toBeLessThan(0.7);
    const half = await reported({ ...NOW, target: { kg_co2e: total.kg_co2e.central / 2 } });
    expect(half.target).toMatchObject({ met: false, required_reduction_percent: 50 });
    expect((await reported({ ...NOW, target: { kg_co2e: total.kg_co2e.p95 * 2 } })).target).toMatchObject({
      met: true,
      probability_met: 1,
    });
  });

  it('in percent is of the baseline at each point', async () => {
    const fewer = { ...NOW, usage: USAGE.map((line) => ({ ...line, hours: line.hours / 2 })) };
    expect((await reported({ ...fewer, baseline: NOW, target: { percent: 49 } })).target).toMatchObject({ met: true, probability_met: 1 });
    expect((await reported({ ...fewer, baseline: NOW, target: { percent: 51 } })).target).toMatchObject({ met: false, probability_met: 0 });
  });

  it('in percent without a baseline is refused', async () => {
    expect(await failure({ ...NOW, target: { percent: 10 } })).toMatchObject({ code: 'baseline-missing', path: '/target/percent' });
  });
});

describe('reductions', () => {
  it('are found where they apply: a cleaner region, Arm, half the size, working hours', async () => {
    const { reductions } = await reported(NOW);
    const found = new Map(reductions?.map((reduction) => [`${reduction.kind} ${reduction.from}`, reduction]));
    expect(found.get('region eu-central-1')).toMatchObject({ to: 'eu-north-1', items: ['idle', 'web', 'web-staging'] });
    expect(found.get('arm m5.xlarge')).toMatchObject({ to: 'm6g.xlarge', items: ['web', 'web-staging'] });
    expect(found.get('right-size c5.2xlarge')).toMatchObject({ to: 'c5.xlarge', items: ['idle'] });
    expect(found.get('schedule day and night')).toMatchObject({ items: ['web-staging'] });
    for (const { delta_kg_co2e: delta, probability_lower: likely } of reductions ?? []) {
      expect(delta.central).toBeLessThan(0);
      expect(likely).toBeGreaterThanOrEqual(0.8);
    }
  });

  it('are what an estimate of the change says', async () => {
    const usage = [{ id: 'web', instance_type: 'm5.xlarge', hours: 744 }];
    const { reductions } = await reported({ ...NOW, usage });
    const { comparison } = await estimate({ ...NOW, usage, compare: { proposed: { usage, region: 'eu-north-1' } } });
    const move = reductions?.find(({ kind }) => kind === 'region');
    expect(move?.delta_kg_co2e).toEqual(comparison?.delta_kg_co2e);
    expect(move?.probability_lower).toBe(comparison?.probability_lower);
  });

  it('are not proposed where they do not apply', async () => {
    const usage = [
      { id: 'contest', instance_type: 'm6g.large', hours: 744, region: 'eu-north-1' },
      { id: 'dev', instance_type: 'm6g.large', hours: 160, region: 'eu-north-1' },
      { id: 'china', instance_type: 'm6g.large', hours: 744, region: 'cn-north-1' },
      { id: 'government', instance_type: 'm6g.large', hours: 744, region: 'us-gov-west-1' },
    ];
    expect((await reported({ ...NOW, usage })).reductions).toEqual([]);
  });

  it('need the inputs: a saved answer has none, and says so', async () => {
    const answer = await reported({ estimate: await saved(NOW) });
    expect(answer.reductions).toBeNull();
    expect(answer.warnings.map(({ code }) => code)).toContain('no-reductions');
  });
});

describe('a report of a saved answer', () => {
  it('has its totals, and tables with the same middles and wider ranges', async () => {
    const [computed, answer] = [await reported(NOW), await reported({ estimate: await saved(NOW) })];
    expect(answer.total).toEqual(computed.total);
    const [mine, theirs] = [answer.groups[0]?.rows ?? [], computed.groups[0]?.rows ?? []];
    expect(mine.map(({ name }) => name)).toEqual(theirs.map(({ name }) => name));
    for (const [index, row] of mine.entries()) {
      const other = theirs[index]?.kg_co2e ?? { p5: 0, central: 0, p95: 0 };
      expect(row.kg_co2e.central).toBeCloseTo(other.central, 3);
      expect(row.kg_co2e.p5).toBeLessThanOrEqual(other.p5 + 1e-4);
      expect(row.kg_co2e.p95).toBeGreaterThanOrEqual(other.p95 - 1e-4);
    }
  });

  it.each(['total', 'item', 'energy'])('whose numbers contradict one another is refused: %s', async (part) => {
    const answer = await saved(NOW);
    const [item] = answer.items;
    if (part === 'total') answer.total.operational.central *= 1.1;
    if (part === 'item' && item) item.kg_co2e.embodied += 1;
    if (part === 'energy' && item) item.energy_kwh.cpu += 100;
    expect(await failure({ estimate: answer })).toMatchObject({ code: 'estimate-inconsistent' });
  });

  it('cannot become a manifest of the Impact Framework', async () => {
    expect(await failure({ estimate: await saved(NOW), format: 'impact-framework' })).toMatchObject({ code: 'format-needs-input' });
  });
});

describe('several periods', () => {
  const JANUARY = { start: '2026-01-01', end: '2026-02-01' };
  const FEBRUARY = { start: '2026-02-01', end: '2026-03-01' };
  const { period_hours, ...open } = NOW;

  it('are added up at each point, in the order of time', async () => {
    const { periods, total } = await reported({
      periods: [
        { ...FEBRUARY, estimate: open },
        { ...JANUARY, estimate: open },
      ],
    });
    expect(periods.map(({ start, hours }) => [start, hours])).toEqual([
      ['2026-01-01', 744],
      ['2026-02-01', 672],
    ]);
    const sum = (end: 'p5' | 'central' | 'p95') => periods.reduce((all, period) => all + period.kg_co2e[end], 0);
    for (const end of ['p5', 'central', 'p95'] as const) expect(total.kg_co2e[end]).toBeCloseTo(sum(end), 2);
  });

  it('may be computed or saved', async () => {
    const { total, warnings } = await reported({
      periods: [
        { ...JANUARY, estimate: await saved(NOW) },
        { ...FEBRUARY, estimate: open },
      ],
    });
    expect(total.kg_co2e.p5).toBeLessThan(total.kg_co2e.central);
    expect(warnings.map(({ code }) => code)).toContain('ranges-added');
  });

  it('must not overlap, nor end before they start', async () => {
    const overlapping = [
      { ...JANUARY, estimate: open },
      { start: '2026-01-31', end: '2026-03-01', estimate: open },
    ];
    expect(await failure({ periods: overlapping })).toMatchObject({ code: 'period-invalid', path: '/periods/1' });
    expect(await failure({ ...open, period: { start: '2026-02-01', end: '2026-02-01' } })).toMatchObject({
      code: 'period-invalid',
      path: '/period',
    });
    expect(await failure({ ...open, period: { start: '2026-02-01', end: '2026-13-01' } })).toMatchObject({ code: 'period-invalid' });
  });

  it('give an estimate its length, and warn of another', async () => {
    expect((await reported({ ...open, period: FEBRUARY })).periods).toMatchObject([{ hours: 672 }]);
    expect((await reported({ ...NOW, period: FEBRUARY })).warnings.map(({ code }) => code)).toContain('period-hours-differ');
  });

  it('cannot be asked beside inputs', async () => {
    expect(await failure({ ...open, periods: [{ ...JANUARY, estimate: open }] })).toMatchObject({ code: 'report-sources' });
  });
});
