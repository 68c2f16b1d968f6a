import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EstimateRequest, EstimationResult } from './index.js';
import { estimate, estimation, sumsOf } from './index.js';

const M5: EstimateRequest = {
  provider: 'aws',
  region: 'us-east-1',
  period_hours: 1,
  usage: [{ id: 'one', instance_type: 'm5.xlarge', hours: 1 }],
  assumptions: { grid_g_per_kwh: 396.25 },
};

const close = (value: number | undefined, expected: number) => expect(Math.abs((value ?? Number.NaN) / expected - 1)).toBeLessThan(1e-9);

describe('an estimate of one m5.xlarge for an hour', () => {
  it('equals the formulas of Cloud Carbon Footprint with its power model', async () => {
    const { current } = await estimation({ ...M5, method: { power_model: 'ccf' } });
    const [item] = current.items;
    const [idle, full] = [0.6902978319127387, 4.063193520161689];
    const cpu = (4 * (idle + 0.5 * (full - idle))) / 1000;
    const memory = (16 * 0.392) / 1000;
    close(item?.energy.cpu, cpu);
    close(item?.energy.memory, memory);
    close(item?.energyKwh, (cpu + memory) * 1.15);
    close(item?.operational, ((cpu + memory) * 1.15 * 396.25) / 1000);
    close(item?.embodied, (1610.79 * 4) / 96 / 35_040);
  });

  it('gives the grams of the golden vectors', async () => {
    const ccf = await estimate({ ...M5, method: { power_model: 'ccf' } });
    expect(ccf.total.kg_co2e.central * 1000).toBeCloseTo(9.106, 3);
    const best = await estimate(M5);
    expect(best.total.operational.central * 1000).toBeCloseTo(12.85, 2);
    expect(best.total.embodied.central * 1000).toBeCloseTo(1.915, 3);
    expect(best.total.energy_kwh.central).toBeCloseTo((28.2 * 1.15) / 1000, 6);
  });

  it('says the source, the year, the class and the range of every factor', async () => {
    const [item] = (await estimate(M5)).items;
    expect(item?.factors.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'watts_per_vcpu',
        'memory_watts_per_gb',
        'pue',
        'grid_g_co2e_per_kwh',
        'embodied_kg_co2e_per_host',
        'lifespan_hours',
      ]),
    );
    for (const factor of item?.factors ?? []) {
      expect(factor.source).not.toBe('');
      expect(factor.low).toBeLessThanOrEqual(factor.value);
      expect(factor.high).toBeGreaterThanOrEqual(factor.value);
    }
    expect(item?.factors.find(({ name }) => name === 'watts_per_vcpu')).toMatchObject({ class: 'measured', year: 2023 });
    expect(item?.factors.find(({ name }) => name === 'grid_g_co2e_per_kwh')).toMatchObject({ class: 'given', low: 396.25, high: 396.25 });
  });
});

describe('an estimate of disks', () => {
  it.each([
    ['1000G', 1000],
    ['500G', 500],
    ['500Gi', 536.870912],
  ])('of %s has GB of 10^9 bytes, and its watts are those of TB of 10^12 bytes', async (storage, gb) => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd' },
      spec: { resources: { requests: { storage } } },
    };
    const { items } = await estimate({ provider: 'aws', region: 'eu-west-1', period_hours: 1000, manifests: [claim] });
    expect(items[0]?.quantity.storage_gb).toBeCloseTo(gb, 3);
    expect(items[0]?.energy_kwh.storage).toBeCloseTo((gb / 1000) * 1.2 * 3, 5);
  });
});

describe('what every estimate holds to', () => {
  const types = ['m5.xlarge', 'c8g.large', 'm8in.2xlarge', 't3.micro', 'g4dn.xlarge', 'p4d.24xlarge'];
  const usage = fc.array(
    fc.record({
      id: fc.string({ minLength: 1 }),
      instance_type: fc.constantFrom(...types),
      hours: fc.double({ min: 0.1, max: 8760, noNaN: true }),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const regions = fc.constantFrom('us-east-1', 'eu-north-1', 'nowhere-1');
  const requests = fc.record({ usage, region: regions, provider: fc.constant('aws' as const) });

  it('p5 is not above the central value, nor that above p95', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { total, items } = await estimate(request);
        for (const { p5, central, p95 } of [
          total.kg_co2e,
          total.operational,
          total.embodied,
          total.energy_kwh,
          ...items.map((item) => item.kg_co2e),
        ]) {
          expect(p5).toBeLessThanOrEqual(central);
          expect(central).toBeLessThanOrEqual(p95);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('items sum to the total at every point', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { current } = await estimation(request);
        const { total } = sumsOf(current.items);
        for (let at = 0; at < total.samples.length; at += 97) {
          const sum = current.items.reduce((all, { samples }) => all + (samples.operational[at] ?? 0) + (samples.embodied[at] ?? 0), 0);
          close(total.samples[at], sum);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not depend on the order of the input', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const ids = request.usage.map((line, index) => ({ ...line, id: `${line.id}${index}` }));
        expect(await estimate({ ...request, usage: ids.toReversed() })).toEqual(await estimate({ ...request, usage: ids }));
      }),
      { numRuns: 20 },
    );
  });

  it('twice the hours, or twice the instances, are twice the emissions', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const once = sumOf(await estimation(request));
        const hours = request.usage.map((line) => ({ ...line, hours: line.hours * 2 }));
        const count = request.usage.map((line) => ({ ...line, count: 2 }));
        close(sumOf(await estimation({ ...request, usage: hours })), 2 * once);
        close(sumOf(await estimation({ ...request, usage: count })), 2 * once);
      }),
      { numRuns: 30 },
    );
  });

  it('is linear in the replicas, and between the ends of what an autoscaler may do', async () => {
    const deployment = (replicas: number) => ({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } },
      spec: { replicas, template: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '250m', memory: '1Gi' } } }] } } },
    });
    const request = (manifests: object[]) => ({ provider: 'aws' as const, region: 'eu-west-1', manifests });
    const one = sumOf(await estimation(request([deployment(1)])));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1000 }), async (replicas) => {
        close(sumOf(await estimation(request([deployment(replicas)]))), replicas * one);
      }),
      { numRuns: 20 },
    );
    const scaler = {
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'h' } },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 2, maxReplicas: 10 },
    };
    const sure = await estimate(request([deployment(6)]));
    const scaled = await estimate(request([deployment(1), scaler]));
    close(scaled.total.kg_co2e.central, sure.total.kg_co2e.central);
    expect(scaled.total.kg_co2e.p5).toBeLessThan(sure.total.kg_co2e.p5);
    expect(scaled.total.kg_co2e.p95).toBeGreaterThan(sure.total.kg_co2e.p95);
  });

  it('the pods that fill a host are the host', async () => {
    for (const instance_type of ['m5.24xlarge', 'c8g.metal-24xl', 'm7i.48xlarge']) {
      const host = await estimation({ ...M5, usage: [{ id: 'host', instance_type, hours: 730 }], period_hours: 730 });
      const { vcpu, memoryGib } = host.current.items[0]?.item.unit ?? { vcpu: 0, memoryGib: 0 };
      const pods = 12;
      const resources = { requests: { cpu: `${(vcpu * 1000) / pods}m`, memory: `${(memoryGib * 1024) / pods}Mi` } };
      const spec = { containers: [{ name: 'c', image: 'i', resources }] };
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: { replicas: pods, template: { spec } },
      };
      const nodes = [{ instance_type, count: 1 }];
      const { usage: _, ...common } = M5;
      const filled = await estimation({ ...common, manifests: [deployment], nodes, period_hours: 730 });
      close(sumOf(filled), sumOf(host));
    }
  });
});

describe('a comparison', () => {
  const before = { provider: 'aws' as const, usage: [{ id: 'web', instance_type: 'm5.xlarge', hours: 730, count: 4 }] };

  it('of two equal sides is nothing, at every point', async () => {
    const { comparison } = await estimate({ ...before, region: 'eu-west-1', compare: { proposed: { usage: before.usage } } });
    expect(comparison).toMatchObject({
      delta_kg_co2e: { p5: 0, central: 0, p95: 0 },
      percent: { p5: 0, central: 0, p95: 0 },
      probability_lower: 0,
    });
  });

  it('is narrower than its sides, for they are wrong in the same way', async () => {
    const proposed = { usage: [{ id: 'web', instance_type: 'm5.xlarge', hours: 730, count: 3 }] };
    const { total, comparison } = await estimate({
      ...before,
      region: 'eu-west-1',
      compare: { proposed },
      functional_unit: { name: 'request', count: 1e6 },
    });
    const width = ({ p5, p95 }: { p5: number; p95: number }) => p95 - p5;
    expect(comparison?.percent).toEqual({ p5: -25, central: -25, p95: -25 });
    expect(width(comparison?.delta_kg_co2e ?? total.kg_co2e)).toBeLessThan(width(total.kg_co2e) / 3);
    expect(comparison?.probability_lower).toBe(1);
    expect(comparison?.sci_delta?.central).toBeCloseTo(((comparison?.delta_kg_co2e.central ?? 0) * 1000) / 1e6, 8);
  });

  it('shows what moves away and what comes', async () => {
    const proposed = { region: 'eu-north-1', usage: [{ id: 'api', instance_type: 'm5.xlarge', hours: 730 }] };
    const { comparison } = await estimate({ ...before, region: 'eu-central-1', compare: { proposed } });
    expect(comparison?.per_item.map(({ id, delta_kg_co2e }) => [id, delta_kg_co2e.central > 0])).toEqual([
      ['api', true],
      ['web', false],
    ]);
  });
});

describe('what cannot be known', () => {
  it('is said, and not guessed', async () => {
    const answer = await estimate({
      provider: 'aws',
      region: 'mars-1',
      usage: [{ id: 'a', instance_type: 'z99.huge', hours: 1 }, ...(M5.usage ?? [])],
    });
    expect(answer.unestimated).toEqual([{ id: 'a', reason: expect.stringContaining('The instance type is unknown') }]);
    expect(answer.warnings.map(({ code, path }) => [code, path])).toEqual([
      ['unknown-instance-type', '/usage/0/instance_type'],
      ['unknown-region', '/region'],
    ]);
    expect(answer.coverage).toEqual({ by_items: 0.5, by_cost: null });
    expect(answer.total.market_based).toBeNull();
    expect(JSON.stringify(answer.warnings)).not.toContain('mars-1');
  });

  it('keeps things of one name apart, in whatever order they come', async () => {
    const usage = ['m5.large', 'c5.large', 'r5.large'].map((instance_type) => ({ id: 'web', instance_type, hours: 1 }));
    const all = [...usage, { id: 'web (2)', instance_type: 'm5.large', hours: 2 }];
    const { items } = await estimate({ ...M5, usage: all });
    expect(items.map(({ id }) => id)).toEqual(['web', 'web (3)', 'web (4)', 'web (2)']);
    expect((await estimate({ ...M5, usage: all.toReversed() })).items).toEqual(items);
  });

  it('ends a strict estimate', async () => {
    const strict = (request: EstimateRequest) => estimate({ ...request, strict: true });
    await expect(strict({ ...M5, region: 'mars-1' })).rejects.toMatchObject({ code: 'unknown-region' });
    await expect(strict({ ...M5, usage: [{ id: 'a', instance_type: 'z', hours: 1 }] })).rejects.toMatchObject({
      code: 'unknown-instance-type',
    });
    const unknown = { code: 'unknown-instance-type' };
    const asks = { containers: [{ name: 'a' }], nodeSelector: { 'node.kubernetes.io/instance-type': 'none.such' } };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: asks };
    await expect(strict({ ...M5, usage: [], manifests: [pod] })).rejects.toMatchObject(unknown);
    const values = { instance_type: 'none.such' };
    const resources = [{ address: 'aws_instance.a', mode: 'managed', type: 'aws_instance', name: 'a', values }];
    const terraform = { format_version: '1.2', terraform_version: '1.9.0', planned_values: { root_module: { resources } } };
    await expect(strict({ ...M5, terraform })).rejects.toMatchObject(unknown);
    const row = { ChargePeriodStart: '2026-05-01', ChargeCategory: 'Usage', ServiceName: 'EC2', EffectiveCost: 1, BillingCurrency: 'USD' };
    const machine = {
      ...row,
      ProviderName: 'AWS',
      ConsumedQuantity: 1,
      ConsumedUnit: 'Hrs',
      SkuPriceDetails: { InstanceType: 'none.such' },
    };
    await expect(strict({ ...M5, focus_rows: [machine] })).rejects.toMatchObject(unknown);
    await expect(estimate({ ...M5, assumptions: {}, method: { grid: 'marginal' } })).rejects.toMatchObject({
      code: 'marginal-grid-missing',
    });
    await expect(estimate({ manifests: 'a: b' })).rejects.toMatchObject({ code: 'provider-missing' });
    await expect(estimate({ provider: 'aws' })).rejects.toMatchObject({ code: 'carbon-input-missing' });
  });

  it('market-based emissions are those of the factor that was given', async () => {
    const { total } = await estimate({ ...M5, assumptions: { grid_g_per_kwh: 400, market_g_per_kwh: 40 } });
    expect(total.market_based?.central).toBeCloseTo(total.operational.central / 10, 6);
  });

  it('location-based emissions are those of the mean that was given, and by the mean of the place where a marginal one was', async () => {
    const given = (grid: 'average' | 'marginal') => estimate({ ...M5, assumptions: { grid_g_per_kwh: 50 }, method: { grid } });
    const [mean, marginal, plain] = [await given('average'), await given('marginal'), await estimate({ ...M5, assumptions: {} })];
    expect(mean.total.location_based).toEqual(mean.total.operational);
    expect(marginal.total.operational).toEqual(mean.total.operational);
    expect(marginal.total.location_based).toEqual(plain.total.operational);
    expect(marginal.items[0]?.factors.map(({ name }) => name)).toContain('location_grid_g_co2e_per_kwh');
  });

  it('takes the world average only where no intensity is given', async () => {
    const warnings = async (region: string, assumptions: object) => (await estimate({ ...M5, region, assumptions })).warnings;
    expect(await warnings('mars-1', {})).toEqual([
      expect.objectContaining({ message: expect.stringContaining('the world average grid intensity') }),
    ]);
    expect(await warnings('mars-1', { grid_g_per_kwh: 50 })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('the given grid intensity') }),
    ]);
    expect(await warnings('', {})).toHaveLength(1);
    expect(await warnings('', { grid_g_per_kwh: 50 })).toEqual([]);
  });
});

describe('rows of a bill without a physical model', () => {
  const row = (ServiceName: string, ConsumedUnit: string, EffectiveCost: number, more: object = {}) => ({
    ...{
      ChargePeriodStart: '2026-05-01T00:00:00Z',
      ChargeCategory: 'Usage',
      ProviderName: 'AWS',
      RegionId: 'eu-west-1',
      SubAccountId: '1',
    },
    ...{ ServiceName, ConsumedUnit, ConsumedQuantity: 100, EffectiveCost, BillingCurrency: 'USD', ...more },
  });
  const machine = (cost: number, more: object = {}) =>
    row('EC2', 'Hours', cost, { SkuPriceDetails: '{"InstanceType":"m5.xlarge"}', ...more });
  const support = row('Support', 'Count', 5);

  it('stay unestimated, unless their money is to be made energy of', async () => {
    const { items, unestimated, coverage } = await estimate({ focus_rows: [machine(20), support] });
    expect([items.length, unestimated.length, coverage.by_cost]).toEqual([1, 1, 0.8]);
  });

  it('then use what the same money buys in the other rows of their account, from a quarter to four times', async () => {
    const request = { focus_rows: [machine(20), support], spend_based: true };
    const { current } = await estimation(request);
    const [bought, spent] = current.items;
    expect(spent?.item.id).toBe('1/Support/eu-west-1');
    close(spent?.energyKwh, ((bought?.energyKwh ?? 0) * 5) / 20);
    close(spent?.operational, ((bought?.operational ?? 0) * 5) / 20);
    expect(spent?.embodied).toBe(0);
    const { parameters, items, coverage } = await estimate(request);
    expect([parameters['spend_based'], coverage]).toEqual([true, { by_items: 1, by_cost: 1 }]);
    const rate = items[1]?.factors.find(({ name }) => name === 'kwh_per_usd');
    expect(rate).toMatchObject({ class: 'default' });
    expect((rate?.high ?? 0) / (rate?.low ?? 1)).toBeCloseTo(16, 4);
    expect(items[1]?.kg_co2e.p95).toBeGreaterThan((items[1]?.kg_co2e.central ?? 0) * 3);
    expect(items[1]?.notes).toEqual([expect.stringContaining('no physical model')]);
    expect(items[1]?.energy_kwh.spend).toBeGreaterThan(0);
  });

  it('but not of another account or another currency, and not for a credit', async () => {
    const others = [
      { ...support, SubAccountId: '2' },
      { ...support, BillingCurrency: 'EUR' },
      { ...support, ServiceName: 'Credits', EffectiveCost: -5 },
    ];
    const { items, unestimated, coverage } = await estimate({ focus_rows: [machine(20), ...others], spend_based: true });
    expect(items).toHaveLength(1);
    expect(unestimated.map(({ id, cost }) => [id, cost])).toEqual([
      ['1/Credits/eu-west-1', { amount: -5, currency: 'USD' }],
      ['1/Support/eu-west-1', { amount: 5, currency: 'EUR' }],
      ['2/Support/eu-west-1', { amount: 5, currency: 'USD' }],
    ]);
    for (const { reason } of unestimated) expect(reason).toContain('No other row in the account');
    expect(coverage.by_cost).toBeNull();
  });
});

describe('market-based emissions', () => {
  const usage = [{ id: 'a', instance_type: 'n2-standard-4', hours: 1 }];

  it('are known where the provider publishes its carbon-free hours, with whose data that is', async () => {
    const answer = await estimate({ provider: 'gcp', region: 'europe-west1', usage });
    expect(answer.total.market_based?.central).toBeCloseTo(answer.total.location_based.central * (1 - 0.79), 6);
    expect(answer.data['market']).toMatchObject({ version: '2025', attribution: expect.stringContaining('region-carbon-info') });
    expect(answer.notes).toBeUndefined();
  });

  it('are null elsewhere, which is said', async () => {
    const answer = await estimate({
      provider: 'gcp',
      region: 'europe-west1',
      usage: [...usage, { id: 'b', provider: 'aws', instance_type: 'm5.large', hours: 1 }],
    });
    expect(answer.total.market_based).toBeNull();
    expect(answer.notes).toEqual([expect.stringContaining('(aws)')]);
  });
});

describe('what comes before the power plants', () => {
  it('is in the intensities already, and not added again', async () => {
    const { parameters } = await estimate({ ...M5, method: { upstream_energy: false } });
    expect(parameters['method']).toMatchObject({ upstream_energy: false });
    await expect(estimate({ ...M5, method: { upstream_energy: true } })).rejects.toMatchObject({
      code: 'upstream-energy-included',
      path: '/method/upstream_energy',
    });
  });
});

describe('accelerators', () => {
  it('are part of the machine, and those whose power nobody publishes are named', async () => {
    const usage = ['p5.48xlarge', 'trn1.32xlarge'].map((instance_type) => ({ id: instance_type, instance_type, hours: 1 }));
    const { items, unestimated } = await estimate({ provider: 'aws', region: 'eu-west-1', usage });
    const [p5, trn1] = items;
    // Eight boards of 700 W at half load: the mean of 34.84 and 305.6 of 300 W.
    expect(p5?.energy_kwh.gpu).toBeCloseTo((8 * 700 * ((34.84 + 305.6) / 2 / 300)) / 1000, 4);
    expect([p5?.quantity.gpu, trn1?.quantity.gpu, trn1?.energy_kwh.gpu]).toEqual([8, 16, 0]);
    expect(unestimated).toEqual([{ id: 'trn1.32xlarge#accelerators', reason: expect.stringContaining('AWS Trainium') }]);
  });
});

function sumOf({ current }: EstimationResult): number {
  return sumsOf(current.items).total.central;
}
