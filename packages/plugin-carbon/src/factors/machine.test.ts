import { describe, expect, it } from 'vitest';
import { acceleratorsOf, isAccelerated } from './accelerated.js';
import { gpuPowerOf } from './gpu.js';
import { gridOf, worldGrid } from './grid.js';
import { machineOf, typicalMachine } from './machine.js';
import { machineData } from './machine-data.js';
import { marketFactorOf } from './market.js';
import { knownRegions } from './regions.js';

describe('a type of machine', () => {
  it('has the curve that was measured on it', () => {
    const power = machineOf('aws', 'm5.xlarge')?.power;
    const watts = (load: number) => 4 * (power?.cpuWattsPerVcpu(load) ?? 0) + 16 * (power?.memoryWattsPerGib(load) ?? 0);
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
    ['gcp', 'n4d-highcpu-16', 16, 32],
    ['gcp', 'n4d-highmem-16', 16, 128],
    ['gcp', 'c4n-standard-16', 16, 60],
    ['gcp', 'c4-standard-288-metal', 288, 1080],
    ['gcp', 'c4-highmem-288-metal', 288, 2232],
    ['gcp', 'c4d-standard-8', 8, 31],
    ['gcp', 'c4d-highmem-8', 8, 63],
    ['gcp', 'c4d-highcpu-4-lssd', 4, 7],
    ['gcp', 'g4-standard-48', 48, 180],
    ['gcp', 'a2-ultragpu-1g', 12, 170],
    ['azure', 'Standard_F8as_v6', 8, 32],
    ['azure', 'Standard_F8ams_v6', 8, 64],
    ['azure', 'Standard_F8als_v6', 8, 16],
    ['azure', 'Standard_B2ts_v2', 2, 1],
    ['azure', 'Standard_B2als_v2', 2, 4],
    ['azure', 'Standard_B2s_v2', 2, 8],
  ] as const)('of %s named %s has %d vCPUs and %d GiB', (provider, type, vcpu, memoryGib) => {
    const machine = machineOf(provider, type);
    expect(machine?.vcpu).toBe(vcpu);
    expect(machine?.memoryGib).toBeCloseTo(memoryGib, 1);
    expect(machine?.embodiedKg.value).toBeGreaterThan(500);
    expect(machine?.hostVcpu).toBeGreaterThanOrEqual(vcpu);
  });

  it.each(['', 'm5', 'x.large', '__proto__', 'constructor', 'm5.xlarge; rm', 'm'.repeat(300)])('is not made up for %j', (type) => {
    for (const provider of ['aws', 'azure', 'gcp', 'on-prem'] as const) expect(machineOf(provider, type)).toBeUndefined();
  });

  it('has whole vCPUs, and no more memory than its host', () => {
    for (const { vcpu, memoryGib, hostMemoryGib } of machineData().machines.values()) {
      expect(vcpu).toBeGreaterThanOrEqual(1);
      expect(memoryGib).toBeLessThanOrEqual(hostMemoryGib ?? memoryGib);
    }
    expect(machineOf('aws', 'cache.t2.micro')).toMatchObject({ vcpu: 1, memoryGib: 1 });
  });

  it('has a part of the vCPUs of its size, where the provider constrains them, and the host of that size', () => {
    const size = machineOf('azure', 'Standard_E8as_v4');
    expect(machineOf('azure', 'Standard_E8-2as_v4')).toMatchObject({
      ...{ vcpu: 2, memoryGib: 64, hostVcpu: size?.hostVcpu, hostMemoryGib: size?.hostMemoryGib, embodiedKg: size?.embodiedKg },
    });
    expect(machineOf('azure', 'Standard_HB120-16rs_v3')).toMatchObject({ vcpu: 16, hostVcpu: 120 });
  });

  it('is a whole host only where that is large enough for one', () => {
    expect(machineOf('aws', 'g6f.large')?.hostVcpu).toBeGreaterThanOrEqual(96);
    expect(machineOf('aws', 'mac2.metal')).toMatchObject({ vcpu: 8, hostVcpu: 8 });
  });

  it.each([
    ['azure', 'Standard_D4ps_v6', 'Cobalt 100', 'proxy'],
    ['azure', 'Standard_D4ps_v5', 'Quicksilver', 'proxy'],
    ['azure', 'Standard_D4s_v7', 'Granite Rapids', 'proxy'],
    ['azure', 'Standard_B2as_v2', 'EPYC 3rd Gen', 'proxy'],
    ['azure', 'Standard_E4_v5', 'Ice Lake', 'modelled'],
    ['gcp', 'c4a-standard-4', 'Axion', 'proxy'],
    ['gcp', 'n4a-standard-4', 'Axion', 'proxy'],
    ['gcp', 'n4d-standard-4', 'EPYC 5th Gen', 'proxy'],
    ['gcp', 'c4-standard-144', 'Granite Rapids', 'proxy'],
    ['gcp', 'c4-standard-24', 'Emerald Rapids', 'proxy'],
  ] as const)('of %s named %s has the processor %s', (provider, type, architecture, known) => {
    expect(machineOf(provider, type)?.power).toMatchObject({ architecture, class: known });
  });

  it('shares a host that holds the largest size of its family', () => {
    expect(machineOf('azure', 'Standard_NC4as_T4_v3')).toMatchObject({ hostVcpu: 64, hostMemoryGib: 448 });
    expect(machineOf('azure', 'Standard_D16_v4')?.hostVcpu).toBe(64);
    expect(machineOf('gcp', 'a3-highgpu-8g')).toMatchObject({ hostVcpu: 208, hostMemoryGib: 1872 });
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
    const { cpuWattsPerVcpu } = typicalMachine('aws', 'ccf').power;
    expect([cpuWattsPerVcpu(0), cpuWattsPerVcpu(1)].map((watts) => Math.round(100 * watts) / 100)).toEqual([0.87, 3.54]);
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
    for (const [name, model] of [
      ...([
        ['nvidia-tesla-t4', 'T4'],
        ['NVIDIA-A100-SXM4-80GB', 'A100'],
        ['NVIDIA-A100-PCIE-40GB', 'A100-PCIE-40GB'],
        ['NVIDIA-A100-PCIE-80GB', 'A100-PCIE'],
        ['NVIDIA-H100-NVL', 'H100-NVL'],
        ['NVIDIA-H100-80GB-HBM3', 'H100'],
      ] as const),
      ...([
        ['h100', 'H100'],
        ['nvidia-l4', 'L4'],
        ['Nvidia L4 GPU running in Belgium', 'L4'],
        ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTX-PRO-6000'],
        ['T4-PCIE', 'T4'],
      ] as const),
    ])
      expect(gpuPowerOf(name)?.model).toBe(model);
    for (const name of ['voodoo2', '', 'constructor', 'A100'.repeat(1000)]) expect(gpuPowerOf(name)).toBeUndefined();
    expect(gpuPowerOf('V100')?.fullWatts.value).toBeCloseTo(305.6, 9);
  });

  it('draws what its form may draw, and half of the board where two share one', () => {
    const most = (name: string) => Math.round(((gpuPowerOf(name)?.fullWatts.value ?? 0) * 300) / 305.6);
    expect(['NVIDIA-A100-PCIE-40GB', 'NVIDIA-A100-PCIE-80GB', 'NVIDIA-A100-SXM4-40GB', 'Tesla-K80'].map(most)).toEqual([
      250, 300, 400, 150,
    ]);
    // What is published of the A10G differs: the range holds both.
    const { low, high } = gpuPowerOf('A10G')?.fullWatts ?? { low: 0, high: 0 };
    expect([low < 150, high > 300]).toEqual([true, true]);
  });
});

describe('a type with accelerators', () => {
  it.each([
    ['aws', 'p5.48xlarge', 'H100', 8],
    ['aws', 'p5.4xlarge', 'H100', 1],
    ['aws', 'p4d.24xlarge', 'A100', 8],
    ['aws', 'ml.g5.12xlarge', 'A10G', 4],
    ['aws', 'g5.16xlarge', 'A10G', 1],
    ['aws', 'g6.xlarge', 'L4', 1],
    ['aws', 'gr6.8xlarge', 'L4', 1],
    ['aws', 'g6f.large', 'L4', 1 / 8],
    ['aws', 'g6e.48xlarge', 'L40S', 8],
    ['aws', 'g4ad.2xlarge', 'V520', 1],
    ['aws', 'inf2.24xlarge', 'AWS Inferentia2', 6],
    ['aws', 'g9.xlarge', 'unknown', 0],
    ['aws', 'm5.large', undefined, undefined],
    ['gcp', 'a2-highgpu-4g', 'A100', 4],
    ['gcp', 'a2-megagpu-16g', 'A100', 16],
    ['gcp', 'a3-ultragpu-8g', 'H200', 8],
    ['gcp', 'a3-highgpu-2g', 'H100', 2],
    ['gcp', 'g2-standard-96', 'L4', 8],
    ['gcp', 'g2-standard-4', 'L4', 1],
    ['gcp', 'n2-standard-4', undefined, undefined],
    ['azure', 'Standard_NC24ads_A100_v4', 'A100-PCIE', 1],
    ['azure', 'Standard_NC96ads_A100_v4', 'A100-PCIE', 4],
    ['azure', 'Standard_ND96isr_H100_v5', 'H100', 8],
    ['azure', 'Standard_ND96amsr_A100_v4', 'A100', 8],
    ['azure', 'Standard_NC6', 'K80', 1],
    ['azure', 'Standard_NV6ads_A10_v5', 'A10', 1 / 6],
    ['azure', 'Standard_NP10s', 'unknown', 0],
    ['azure', 'Standard_D4s_v5', undefined, undefined],
  ] as const)('%s %s has %s', (provider, type, model, count) => {
    expect(acceleratorsOf(provider, type)).toEqual(model === undefined ? undefined : { model, count });
    expect(isAccelerated(provider, type)).toBe(model !== undefined);
  });

  it('is a machine with them, and what their making emitted', () => {
    const machine = machineOf('azure', 'Standard_ND96isr_H100_v5');
    expect(machine).toMatchObject({ vcpu: 96, memoryGib: 1900, gpus: 8, gpuModel: 'H100' });
    expect(machine?.embodiedKg.value).toBeCloseTo(1000 + (533 / 384) * (1900 - 16) + 100 + 8 * 150, 9);
    expect(machineOf('aws', 'p4de.24xlarge')).toMatchObject({ gpus: 8, gpuModel: 'A100' });
  });

  it('has a power where the maker publishes one, for every type of the lists', () => {
    const unknown = new Set<string>();
    for (const key of machineData().machines.keys()) {
      const [provider, type = ''] = key.split('/') as ['aws' | 'azure' | 'gcp', string]; // the form of the keys
      const accelerators = acceleratorsOf(provider, type);
      if (accelerators === undefined) continue;
      expect([key, accelerators.count > 0 || accelerators.model === 'unknown', accelerators.count <= 16]).toEqual([key, true, true]);
      if (gpuPowerOf(accelerators.model) === undefined) unknown.add(accelerators.model);
    }
    expect([...unknown].sort()).toEqual([
      ...['AMD VU47P', 'AWS Inferentia', 'AWS Inferentia2', 'AWS Trainium', 'AWS Trainium2', 'Alveo U30', 'Gaudi HL-205'],
      ...['Qualcomm AI 100', 'Xilinx VU9P', 'unknown'],
    ]);
  });
});

describe('the electricity that a provider buys', () => {
  it('is known for the regions of Google, and never nothing', () => {
    const belgium = marketFactorOf('gcp', 'europe-west1-b');
    expect(belgium?.value).toBeCloseTo((gridOf('gcp', 'europe-west1')?.factor.value ?? 0) * (1 - 0.79), 9);
    expect(marketFactorOf('gcp', 'europe-north2')?.value).toBeGreaterThan(0);
    for (const region of knownRegions('gcp')) expect([region, marketFactorOf('gcp', region)?.class]).toEqual([region, 'proxy']);
    for (const [provider, region] of [
      ['aws', 'eu-west-1'],
      ['azure', 'westeurope'],
      ['on-prem', 'DE'],
      ['gcp', 'constructor'],
    ] as const)
      expect(marketFactorOf(provider, region)).toBeUndefined();
  });
});
