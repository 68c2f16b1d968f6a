import { median, quantile, sorted } from '@bylaw/core/number';
import { describe, expect, it } from 'vitest';
import { isAccelerated } from './accelerated.js';
import { gpuPowerOf } from './gpu.js';
import { gridOf, worldGrid } from './grid.js';
import { CALIBRATION, machineOf, typicalMachine } from './machine.js';
import { machineData } from './machine-data.js';
import { knownRegions } from './regions.js';

/** What Teads measured at half load over what the figures of CCF say, for every type that has both and no GPU. */
function ratios(): number[] {
  return [...machineData().curves].flatMap(([type, curve]) => {
    const machine = machineOf('aws', type, 'ccf');
    if (machine === undefined || (curve[10] ?? 0) > 0) return [];
    const { power, vcpu, memoryGb } = machine;
    return [(curve[2] ?? 0) / (vcpu * power.cpuWattsPerVcpu(0.5) + memoryGb * power.memoryWattsPerGb(0.5))];
  });
}

describe('the calibration of CCF by the curves of Teads', () => {
  it('made of one half of the types, holds nine in ten of the other half in its range', () => {
    const all = ratios();
    expect(all.length).toBeGreaterThan(550);
    const halves = [0, 1].map((half) => all.filter((_, index) => index % 2 === half));
    const [learnt = [], tested = []] = halves;
    const [low, high] = [quantile(sorted(learnt), 0.05), quantile(sorted(learnt), 0.95)];
    const inside = tested.filter((ratio) => ratio >= low && ratio <= high).length / tested.length;
    expect(inside).toBeGreaterThanOrEqual(0.85);
    expect(inside).toBeLessThanOrEqual(0.95);
  });

  it('is what is shipped', () => {
    const all = ratios();
    const { ratio, low, high } = CALIBRATION;
    expect(Math.abs(median(all) / ratio - 1)).toBeLessThan(0.03);
    const inside = all.filter((value) => value >= ratio * low && value <= ratio * high).length / all.length;
    expect(inside).toBeGreaterThanOrEqual(0.85);
    expect(inside).toBeLessThanOrEqual(0.95);
  });
});

describe('a type of machine', () => {
  it('has the curve that was measured on it', () => {
    const power = machineOf('aws', 'm5.xlarge')?.power;
    const watts = (load: number) => 4 * (power?.cpuWattsPerVcpu(load) ?? 0) + 16 * (power?.memoryWattsPerGb(load) ?? 0);
    for (const [load, expected] of [
      [0, 8.8],
      [0.1, 14],
      [0.3, 21.1],
      [0.5, 28.2],
      [1, 39.9],
    ] as const)
      expect(watts(load)).toBeCloseTo(expected, 9);
    expect(power?.class).toBe('measured');
  });

  it('never draws less under more load', () => {
    for (const provider of ['aws', 'azure', 'gcp'] as const)
      for (const key of machineData().machines.keys()) {
        const [of, type = ''] = key.split('/');
        const power = of === provider ? machineOf(provider, type)?.power : undefined;
        const watts = [0, 0.1, 0.5, 0.75, 1].map((load) => power?.cpuWattsPerVcpu(load) ?? 0);
        expect(watts).toEqual(watts.toSorted((a, b) => a - b));
      }
  });

  it.each([
    ['aws', 'db.m5.xlarge', 4, 16],
    ['aws', 'cache.m5.xlarge', 4, 12.93],
    ['aws', 'm8in.2xlarge', 8, 32],
    ['azure', 'Standard_D4s_v3', 4, 16],
    ['azure', 'Standard_E8ads_v5', 8, 64],
    ['gcp', 'n2-standard-4', 4, 16],
    ['gcp', 'n2-custom-6-20480', 6, 20],
    ['gcp', 'custom-2-4096', 2, 4],
  ] as const)('of %s named %s has %d vCPUs and %d GB', (provider, type, vcpu, memoryGb) => {
    const machine = machineOf(provider, type);
    expect(machine?.vcpu).toBe(vcpu);
    expect(machine?.memoryGb).toBeCloseTo(memoryGb, 1);
    expect(machine?.embodiedKg.value).toBeGreaterThan(500);
    expect(machine?.hostVcpu).toBeGreaterThanOrEqual(vcpu);
  });

  it.each(['', 'm5', 'x.large', '__proto__', 'constructor', 'm5.xlarge; rm', 'm'.repeat(300)])('is not made up for %j', (type) => {
    for (const provider of ['aws', 'azure', 'gcp', 'on-prem'] as const) expect(machineOf(provider, type)).toBeUndefined();
  });

  it('says how well its power is known', () => {
    const classOf = (type: string) => machineOf('aws', type)?.power.class;
    expect([classOf('m5.large'), classOf('m7i.large'), classOf('c8g.large'), classOf('m8in.large')]).toEqual([
      'measured',
      'modelled',
      'proxy',
      'proxy',
    ]);
    expect(typicalMachine('gcp').power.class).toBe('default');
  });
});

describe('the grid', () => {
  it('of every region that is known has an intensity', () => {
    for (const provider of ['aws', 'azure', 'gcp'] as const) {
      expect(knownRegions(provider).length).toBeGreaterThan(30);
      for (const region of knownRegions(provider)) expect([region, gridOf(provider, region)?.factor.class]).toEqual([region, 'modelled']);
    }
  });

  it.each([
    ['aws', 'us-east-1', 'US-MIDA-PJM', 0.2],
    ['aws', 'eu-west-1b', 'IE', 0.2],
    ['gcp', 'europe-west1-c', 'BE', 0.2],
    ['azure', 'West Europe', 'NL', 0.2],
    ['azure', 'germanywestcentral', 'DE', 0.2],
    ['on-prem', 'us', 'US', 0.35],
    ['on-prem', 'fra', 'FRA', 0.35],
  ] as const)('of %s %s is that of %s, within %d', (provider, region, zone, spread) => {
    const grid = gridOf(provider, region);
    expect(grid?.zone).toBe(zone);
    expect((grid?.factor.high ?? 0) / (grid?.factor.value ?? 1)).toBeCloseTo(1 + spread, 9);
  });

  it('is unknown elsewhere, and then the world has a mean', () => {
    for (const region of ['', 'mars-1', '__proto__', 'constructor'])
      expect(gridOf('aws', region) ?? gridOf('on-prem', region)).toBeUndefined();
    expect(worldGrid().factor).toMatchObject({ value: 472.94, class: 'default' });
  });
});

describe('a GPU', () => {
  it('is known by the names that clusters give it', () => {
    const models = ['nvidia-tesla-t4', 'NVIDIA-A100-SXM4-80GB', 'T4', 'h100', 'nvidia-l4'].map((name) => gpuPowerOf(name)?.model);
    expect(models).toEqual(['T4', 'A100', 'T4', 'H100', 'L4']);
    expect(gpuPowerOf('voodoo2')).toBeUndefined();
    expect(gpuPowerOf('V100')?.fullWatts.value).toBeCloseTo(305.6, 9);
  });
});

describe('a type with accelerators', () => {
  it.each([
    ['aws', 'p5.48xlarge', true],
    ['aws', 'g6.xlarge', true],
    ['aws', 'inf2.xlarge', true],
    ['aws', 'm5.large', false],
    ['aws', 't4g.small', false],
    ['gcp', 'a3-highgpu-8g', true],
    ['gcp', 'n2-standard-4', false],
    ['azure', 'Standard_NC24ads_A100_v4', true],
    ['azure', 'Standard_D4s_v5', false],
  ] as const)('is known by its name: %s %s', (provider, type, accelerated) => {
    expect(isAccelerated(provider, type)).toBe(accelerated);
  });
});
