import type { CloudProvider } from '@bylaw/core/workload';
import type { MachineRow } from './machine-data.js';

/**
 * What the name of a type says, where no list has it: the scheme of names of each provider. Undefined where it says too little.
 * The schemes are held to what was read of sizes: for AWS, the instance types of Karpenter (aws/karpenter-provider-aws, commit 2aea8194); for Google, the
 * machine types of its documentation, general-purpose and accelerator-optimized machines; for Azure, the sizes of MicrosoftDocs/azure-compute-docs.
 */
export function inferredRow(provider: CloudProvider, type: string): MachineRow | undefined {
  const sized = provider === 'aws' ? awsSize(type) : provider === 'gcp' ? gcpSize(type) : azureSize(type);
  if (sized === undefined) return undefined;
  return { ...sized, hostVcpu: null, hostMemoryGib: null, embodiedKg: null, source: 'ccf-2026', gpus: 0, gpuModel: null };
}

type Sized = Pick<MachineRow, 'vcpu' | 'memoryGib' | 'architecture'>;

/** `m8in.2xlarge`: family, generation, maker, size. */
function awsSize(type: string): Sized | undefined {
  const match = /^([cmr])(\d)([a-z]*)(?:-flex)?\.(medium|large|xlarge|(\d{1,2})xlarge)$/.exec(type);
  const [, family, generation, options, size, multiple] = match ?? [];
  if (family === undefined || generation === undefined || options === undefined) return undefined;
  const vcpu = size === 'medium' ? 1 : size === 'large' ? 2 : 4 * Number(multiple ?? '1');
  const perVcpu = family === 'c' ? 2 : family === 'm' ? 4 : 8;
  return { vcpu, memoryGib: vcpu * perVcpu, architecture: awsArchitecture(Number(generation), options) };
}

/** Of a Graviton after the fourth we have no figures: it counts as the fourth. */
function awsArchitecture(generation: number, options: string): string | null {
  if (options.startsWith('g')) return ['Graviton2', 'Graviton3', 'Graviton4'][Math.min(generation, 8) - 6] ?? null;
  if (options.startsWith('a')) return ['EPYC 1st Gen', 'EPYC 3rd Gen', 'EPYC 4th Gen', 'EPYC 5th Gen'][generation - 5] ?? null;
  return ['Cascade Lake', 'Ice Lake', 'Sapphire Rapids', 'Granite Rapids'][generation - 5] ?? null;
}

/** `n2-custom-4-8192` (MB), `n2-standard-8`. */
function gcpSize(type: string): Sized | undefined {
  const custom = /^(?:([a-z]\d[a-z]*)-)?custom-(\d{1,3})-(\d{3,7})(?:-ext)?$/.exec(type);
  if (custom) {
    const [, family = 'n1', vcpu, megabytes] = custom;
    return { vcpu: Number(vcpu), memoryGib: Number(megabytes) / 1024, architecture: GCP_ARCHITECTURES[family] ?? null };
  }
  const accelerated = GCP_ACCELERATED.get(type);
  if (accelerated) return accelerated;
  const match = /^([a-z]\d[a-z]*)-(standard|highmem|highcpu)-(\d{1,3})(?:-metal)?$/.exec(type);
  const [, family, shape, count] = match ?? [];
  if (family === undefined || shape === undefined || count === undefined) return undefined;
  const vcpu = Number(count);
  // The smallest sizes are rounded down to whole GiB: c4d-highcpu-4 has 7 of 7.5.
  const memoryGib = Math.floor(vcpu * gcpGbPerVcpu(family, shape as Shape));
  // The sizes of c4 that came later, and its whole machines.
  const later = family === 'c4' && (vcpu === 144 || vcpu === 288 || type.endsWith('-metal'));
  return { vcpu, memoryGib, architecture: later ? 'Granite Rapids' : (GCP_ARCHITECTURES[family] ?? null) };
}

type Shape = 'standard' | 'highmem' | 'highcpu';

function gcpGbPerVcpu(family: string, shape: Shape): number {
  const whole = { standard: 4, highmem: 8, highcpu: /^(?:n[12]d?|e2)$/.test(family) ? 1 : 2 }[shape];
  // The host keeps a part of the memory.
  if (family === 'c4d') return whole - 1 / 8;
  return /^(?:c4n?|g4)$/.test(family) && shape !== 'highcpu' ? whole - 1 / 4 : whole;
}

const GCP_ARCHITECTURES: { readonly [family: string]: string } = {
  ...{ n1: 'Skylake', e2: 'Skylake', n2: 'Cascade Lake|Ice Lake', c2: 'Cascade Lake', c3: 'Sapphire Rapids', h3: 'Sapphire Rapids' },
  ...{ n2d: 'EPYC 2nd Gen|EPYC 3rd Gen', t2d: 'EPYC 3rd Gen', c2d: 'EPYC 3rd Gen', c3d: 'EPYC 4th Gen', c4d: 'EPYC 5th Gen' },
  ...{ c4: 'Emerald Rapids', n4: 'Emerald Rapids', n4d: 'EPYC 5th Gen', g4: 'EPYC 5th Gen' },
  ...{ t2a: 'Quicksilver', c4a: 'Axion', n4a: 'Axion' },
};

/** `d4ads_v5`: family, vCPUs, features, version. */
function azureSize(type: string): Sized | undefined {
  const accelerated = AZURE_ACCELERATED.get(type);
  if (accelerated) return accelerated;
  const match = /^([bdef])(\d{1,3})(?:-(\d{1,3}))?([a-z]*)_v(\d{1,2})$/.exec(type);
  const [, family, whole, constrained, features, version] = match ?? [];
  if (family === undefined || whole === undefined || features === undefined || version === undefined) return undefined;
  const vcpu = Number(constrained ?? whole);
  return {
    vcpu,
    memoryGib: Number(whole) * azureGbPerVcpu(family, features, Number(version)),
    architecture: family === 'b' ? burstableArchitecture(features) : azureArchitecture(features, Number(version)),
  };
}

/** `l` is low memory, `t` tiny memory. The F family has had it low until its version 6, where `m` has twice that of the others. */
function azureGbPerVcpu(family: string, features: string, version: number): number {
  if (features.includes('l')) return 2;
  if (family === 'b' && features.includes('t')) return 1 / 2;
  if (family === 'f') return version < 6 ? 2 : features.includes('m') ? 8 : 4;
  return family === 'e' ? 8 : 4;
}

function azureArchitecture(features: string, version: number): string | null {
  if (features.includes('p')) return version >= 6 ? 'Cobalt 100' : 'Quicksilver';
  if (features.includes('a')) return ['EPYC 2nd Gen', 'EPYC 3rd Gen', 'EPYC 4th Gen', 'EPYC 5th Gen'][version - 4] ?? null;
  return ['Cascade Lake', 'Ice Lake', 'Emerald Rapids', 'Granite Rapids'][version - 4] ?? null;
}

/** Of version 2, the only one whose names have one. */
function burstableArchitecture(features: string): string {
  return features.includes('p') ? 'Quicksilver' : features.includes('a') ? 'EPYC 3rd Gen' : 'Ice Lake|Sapphire Rapids';
}

const GCP_ACCELERATED = sizes('a2-megagpu-16g 96 1360 Cascade Lake, a4-highgpu-8g 224 3968 Emerald Rapids');

/** All read in the documentation of Azure but the sizes of NC_A10_v4, which we know from memory only. */
const AZURE_ACCELERATED = sizes(`
  nc8ads_a10_v4 8 100 EPYC 3rd Gen, nc16ads_a10_v4 16 200 EPYC 3rd Gen, nc32ads_a10_v4 32 400 EPYC 3rd Gen,
  nc24ads_a100_v4 24 220 EPYC 3rd Gen, nc48ads_a100_v4 48 440 EPYC 3rd Gen, nc96ads_a100_v4 96 880 EPYC 3rd Gen,
  nc40ads_h100_v5 40 320 EPYC 4th Gen, nc80adis_h100_v5 80 640 EPYC 4th Gen, ncc40ads_h100_v5 40 320 EPYC 4th Gen,
  nd96asr_v4 96 900 EPYC 2nd Gen, nd96asr_a100_v4 96 900 EPYC 2nd Gen, nd96ams_a100_v4 96 1900 EPYC 2nd Gen, nd96amsr_a100_v4 96 1900 EPYC 2nd Gen,
  nd96is_h100_v5 96 1900 Sapphire Rapids, nd96isr_h100_v5 96 1900 Sapphire Rapids, nd96isr_h200_v5 96 1850 Sapphire Rapids,
  nd96is_mi300x_v5 96 1850 Sapphire Rapids, nd96isr_mi300x_v5 96 1850 Sapphire Rapids,
  nv6ads_a10_v5 6 55 EPYC 3rd Gen, nv12ads_a10_v5 12 110 EPYC 3rd Gen, nv18ads_a10_v5 18 220 EPYC 3rd Gen, nv36ads_a10_v5 36 440 EPYC 3rd Gen,
  nv36adms_a10_v5 36 880 EPYC 3rd Gen, nv72ads_a10_v5 72 880 EPYC 3rd Gen,
  nv4as_v4 4 14 EPYC 2nd Gen, nv8as_v4 8 28 EPYC 2nd Gen, nv16as_v4 16 56 EPYC 2nd Gen, nv32as_v4 32 112 EPYC 2nd Gen`);

/** Types whose names do not say their size: type, vCPUs, GiB, processor. */
function sizes(text: string): ReadonlyMap<string, Sized> {
  return new Map(
    text
      .trim()
      .split(/,\s*/)
      .map((entry) => {
        const [type = '', vcpu, memory, ...architecture] = entry.split(' ');
        return [type, { vcpu: Number(vcpu), memoryGib: Number(memory), architecture: architecture.join(' ') }];
      }),
  );
}
