import type { CloudProvider } from '@bylaw/core/workload';
import type { MachineRow } from './machine-data.js';

/** What the name of a type says, where no list has it: the scheme of names of each provider. Undefined where it says too little. */
export function inferredRow(provider: CloudProvider, type: string): MachineRow | undefined {
  const sized = provider === 'aws' ? awsSize(type) : provider === 'gcp' ? gcpSize(type) : azureSize(type);
  if (sized === undefined) return undefined;
  return { ...sized, hostVcpu: null, hostMemoryGb: null, embodiedKg: null, source: 'ccf-2026', gpus: 0, gpuModel: null };
}

type Sized = Pick<MachineRow, 'vcpu' | 'memoryGb' | 'architecture'>;

/** `m8in.2xlarge`: family, generation, maker, size. https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html */
function awsSize(type: string): Sized | undefined {
  const match = /^([cmr])(\d)([a-z]*)(?:-flex)?\.(medium|large|xlarge|(\d{1,2})xlarge)$/.exec(type);
  const [, family, generation, options, size, multiple] = match ?? [];
  if (family === undefined || generation === undefined || options === undefined) return undefined;
  const vcpu = size === 'medium' ? 1 : size === 'large' ? 2 : 4 * Number(multiple ?? '1');
  const perVcpu = family === 'c' ? 2 : family === 'm' ? 4 : 8;
  return { vcpu, memoryGb: vcpu * perVcpu, architecture: awsArchitecture(Number(generation), options) };
}

function awsArchitecture(generation: number, options: string): string | null {
  if (options.startsWith('g')) return ['Graviton2', 'Graviton3', 'Graviton4'][Math.min(generation, 8) - 6] ?? null;
  if (options.startsWith('a')) return ['EPYC 1st Gen', 'EPYC 3rd Gen', 'EPYC 4th Gen', 'EPYC 5th Gen'][generation - 5] ?? null;
  return ['Cascade Lake', 'Ice Lake', 'Sapphire Rapids', 'Granite Rapids'][generation - 5] ?? null;
}

/** `n2-custom-4-8192` (MB), `n2-standard-8`. https://cloud.google.com/compute/docs/machine-resource */
function gcpSize(type: string): Sized | undefined {
  const custom = /^(?:([a-z]\d[a-z]*)-)?custom-(\d{1,3})-(\d{3,7})(?:-ext)?$/.exec(type);
  if (custom) {
    const [, family = 'n1', vcpu, megabytes] = custom;
    return { vcpu: Number(vcpu), memoryGb: Number(megabytes) / 1024, architecture: GCP_ARCHITECTURES[family] ?? null };
  }
  const match = /^([a-z]\d[a-z]*)-(standard|highmem|highcpu)-(\d{1,3})(?:-metal)?$/.exec(type);
  const [, family, shape, count] = match ?? [];
  if (family === undefined || shape === undefined || count === undefined) return undefined;
  const perVcpu = shape === 'standard' ? 4 : shape === 'highmem' ? 8 : 1;
  return { vcpu: Number(count), memoryGb: Number(count) * perVcpu, architecture: GCP_ARCHITECTURES[family] ?? null };
}

/** https://cloud.google.com/compute/docs/cpu-platforms */
const GCP_ARCHITECTURES: { readonly [family: string]: string } = {
  ...{ n1: 'Skylake', e2: 'Skylake', n2: 'Cascade Lake|Ice Lake', c2: 'Cascade Lake', c3: 'Sapphire Rapids', h3: 'Sapphire Rapids' },
  ...{ n2d: 'EPYC 2nd Gen|EPYC 3rd Gen', t2d: 'EPYC 3rd Gen', c2d: 'EPYC 3rd Gen', c3d: 'EPYC 4th Gen', c4d: 'EPYC 5th Gen' },
  ...{ c4: 'Emerald Rapids', n4: 'Emerald Rapids', t2a: 'Quicksilver', c4a: 'Axion' },
};

/** `d4ads_v5`: family, vCPUs, features, version. https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions */
function azureSize(type: string): Sized | undefined {
  const match = /^([bdef])(\d{1,3})(?:-(\d{1,3}))?([a-z]*)_v(\d{1,2})$/.exec(type);
  const [, family, whole, constrained, features, version] = match ?? [];
  if (family === undefined || whole === undefined || features === undefined || version === undefined) return undefined;
  const vcpu = Number(constrained ?? whole);
  const perVcpu = family === 'f' ? 2 : family === 'e' ? 8 : 4;
  return {
    vcpu,
    memoryGb: Number(whole) * (features.includes('l') ? 2 : perVcpu),
    architecture: azureArchitecture(features, Number(version)),
  };
}

function azureArchitecture(features: string, version: number): string | null {
  if (features.includes('p')) return version >= 6 ? 'Axion' : 'Quicksilver';
  if (features.includes('a')) return ['EPYC 2nd Gen', 'EPYC 3rd Gen', 'EPYC 4th Gen', 'EPYC 5th Gen'][version - 4] ?? null;
  return ['Cascade Lake', 'Ice Lake', 'Emerald Rapids'][version - 4] ?? null;
}
