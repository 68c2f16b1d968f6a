import type { CloudProvider, Provider } from '@bylaw/core/workload';

/** GPUs or other accelerators of a type of machine; of a machine that has a part of one, a part of 1. */
export interface Accelerators {
  model: string;
  count: number;
}

/**
 * What a type has by the tables of its provider; undefined for a type without accelerators. Models without a published power have their names, too;
 * of a newer type of a family with accelerators, `unknown` and 0.
 * Read for it. AWS: instance types of Karpenter (aws/karpenter-provider-aws, commit 2aea8194) and of the autoscaler of Kubernetes (kubernetes/autoscaler,
 * ec2_instance_types.go, commit 07806e9e). Azure: sizes/gpu-accelerated of MicrosoftDocs/azure-compute-docs and azure_instance_types.go of the autoscaler,
 * commit 7200dac0. Google: lists of machine types in public repositories, for a4 and the parts of a GPU of g4 none. From memory only, unread: f1, f2, vt1,
 * g7e, p5.4xlarge, trn2.3xlarge, NC_A10_v4.
 */
export function acceleratorsOf(provider: Provider, type: string): Accelerators | undefined {
  if (provider === 'on-prem') return undefined;
  const name = bareName(provider, type);
  const entry = FAMILIES[provider].find(({ pattern }) => pattern.test(name));
  if (entry === undefined) return isAccelerated(provider, name) ? { model: 'unknown', count: 0 } : undefined;
  const size = entry.pattern.exec(name)?.[1] ?? '';
  return { model: entry.model, count: typeof entry.count === 'number' ? entry.count : (entry.count[size] ?? entry.others ?? Number(size)) };
}

/** Whether the name of a type is one of a family with accelerators. */
export function isAccelerated(provider: Provider, type: string): boolean {
  return provider !== 'on-prem' && ACCELERATED[provider].test(bareName(provider, type));
}

function bareName(provider: CloudProvider, type: string): string {
  const name = type.toLowerCase().trim();
  return provider === 'azure' ? name.replace(/^standard_/, '') : provider === 'aws' ? name.replace(/^ml\./, '') : name;
}

const ACCELERATED: { readonly [provider in CloudProvider]: RegExp } = {
  aws: /^(?:p[2-9]|g[2-9]|gr[0-9]|inf[0-9]|trn[0-9]|dl[0-9]|vt[0-9]|f[12])[a-z0-9-]*\./,
  gcp: /^(?:a[2-9]|g[2-9]|ct[0-9])[a-z0-9]*-/,
  azure: /^n[cdgmpv]/,
};

interface Family {
  /** The first group is the size. */
  pattern: RegExp;
  model: string;
  /** By size, or of all sizes. */
  count: number | { readonly [size: string]: number };
  /** Of sizes that `count` does not name; absent: the size is the number. */
  others?: number;
}

/** Sizes of the AWS families whose 12xlarge and 24xlarge have four. */
const FOURS = { '12xlarge': 4, '24xlarge': 4, '48xlarge': 8 } as const;

const FAMILIES: { readonly [provider in CloudProvider]: readonly Family[] } = {
  aws: [
    { pattern: /^g2\.(.+)$/, model: 'K520', count: { '8xlarge': 4 }, others: 1 },
    { pattern: /^g3s?\.(.+)$/, model: 'M60', count: { '8xlarge': 2, '16xlarge': 4 }, others: 1 },
    { pattern: /^g4dn\.(.+)$/, model: 'T4', count: { '12xlarge': 4, metal: 8 }, others: 1 },
    { pattern: /^g4ad\.(.+)$/, model: 'V520', count: { '8xlarge': 2, '16xlarge': 4 }, others: 1 },
    { pattern: /^g5\.(.+)$/, model: 'A10G', count: FOURS, others: 1 },
    { pattern: /^g5g\.(.+)$/, model: 'T4G', count: { '16xlarge': 2, metal: 2 }, others: 1 },
    { pattern: /^gr?6f\.(.+)$/, model: 'L4', count: { large: 1 / 8, xlarge: 1 / 8, '2xlarge': 1 / 4, '4xlarge': 1 / 2 }, others: 1 },
    { pattern: /^gr?6\.(.+)$/, model: 'L4', count: FOURS, others: 1 },
    { pattern: /^g6e\.(.+)$/, model: 'L40S', count: FOURS, others: 1 },
    { pattern: /^g7e\.(.+)$/, model: 'RTX-PRO-6000', count: { '12xlarge': 2, '24xlarge': 4, '48xlarge': 8 }, others: 1 },
    { pattern: /^p2\.(.+)$/, model: 'K80', count: { '8xlarge': 8, '16xlarge': 16 }, others: 1 },
    { pattern: /^p3(?:dn)?\.(.+)$/, model: 'V100', count: { '2xlarge': 1, '8xlarge': 4 }, others: 8 },
    { pattern: /^p4de?\.(.+)$/, model: 'A100', count: 8 },
    { pattern: /^p5\.(.+)$/, model: 'H100', count: { '4xlarge': 1 }, others: 8 },
    { pattern: /^p5en?\.(.+)$/, model: 'H200', count: 8 },
    { pattern: /^p6-b200\.(.+)$/, model: 'B200', count: 8 },
    { pattern: /^p6-b300\.(.+)$/, model: 'B300', count: 8 },
    { pattern: /^p6e-gb200\.(.+)$/, model: 'GB200', count: 4 },
    { pattern: /^inf1\.(.+)$/, model: 'AWS Inferentia', count: { '6xlarge': 4, '24xlarge': 16 }, others: 1 },
    { pattern: /^inf2\.(.+)$/, model: 'AWS Inferentia2', count: { '24xlarge': 6, '48xlarge': 12 }, others: 1 },
    { pattern: /^trn1n?\.(.+)$/, model: 'AWS Trainium', count: { '2xlarge': 1 }, others: 16 },
    { pattern: /^trn2u?\.(.+)$/, model: 'AWS Trainium2', count: { '3xlarge': 1 }, others: 16 },
    { pattern: /^dl1\.(.+)$/, model: 'Gaudi HL-205', count: 8 },
    { pattern: /^dl2q\.(.+)$/, model: 'Qualcomm AI 100', count: 8 },
    { pattern: /^vt1\.(.+)$/, model: 'Alveo U30', count: { '6xlarge': 2, '24xlarge': 8 }, others: 1 },
    { pattern: /^f1\.(.+)$/, model: 'Xilinx VU9P', count: { '4xlarge': 2, '16xlarge': 8 }, others: 1 },
    { pattern: /^f2\.(.+)$/, model: 'AMD VU47P', count: { '12xlarge': 2, '48xlarge': 8 }, others: 1 },
  ],
  gcp: [
    { pattern: /^a2-(?:highgpu|megagpu|ultragpu)-(\d{1,2})g/, model: 'A100', count: {} },
    { pattern: /^a3-ultragpu-(\d{1,2})g/, model: 'H200', count: {} },
    { pattern: /^a3-[a-z]+-(\d{1,2})g/, model: 'H100', count: {} },
    { pattern: /^a4-highgpu-(\d{1,2})g/, model: 'B200', count: {} },
    { pattern: /^a4x-[a-z]+-(\d{1,2})g/, model: 'GB200', count: {} },
    { pattern: /^g2-standard-(\d{1,2})/, model: 'L4', count: { '24': 2, '48': 4, '96': 8 }, others: 1 },
    {
      pattern: /^g4-standard-(\d{1,3})/,
      model: 'RTX-PRO-6000',
      count: { '6': 1 / 8, '12': 1 / 4, '24': 1 / 2, '96': 2, '192': 4, '384': 8 },
      others: 1,
    },
    { pattern: /^ct(\w+)-/, model: 'TPU', count: 1 },
  ],
  azure: [
    { pattern: /^nc(\d+)r?(?:_promo)?$/, model: 'K80', count: { '12': 2, '24': 4 }, others: 1 },
    { pattern: /^nc(\d+)r?s_v2$/, model: 'P100-PCIE', count: { '12': 2, '24': 4 }, others: 1 },
    { pattern: /^nc(\d+)r?s_v3$/, model: 'V100-PCIE', count: { '12': 2, '24': 4 }, others: 1 },
    { pattern: /^nc(\d+)as_t4_v3$/, model: 'T4', count: { '64': 4 }, others: 1 },
    { pattern: /^nc(\d+)ads_a100_v4$/, model: 'A100-PCIE', count: { '48': 2, '96': 4 }, others: 1 },
    { pattern: /^nc(\d+)ads_a10_v4$/, model: 'A10', count: { '32': 2 }, others: 1 },
    { pattern: /^ncc?(\d+)adi?s_h100_v5$/, model: 'H100-NVL', count: { '80': 2 }, others: 1 },
    { pattern: /^nd(\d+)r?s$/, model: 'P40', count: { '12': 2, '24': 4 }, others: 1 },
    { pattern: /^nd(40)r?s_v2$/, model: 'V100', count: 8 },
    { pattern: /^nd(96)a[a-z]+(?:_a100)?_v4$/, model: 'A100', count: 8 },
    { pattern: /^nd(96)[a-z]+(?:_[a-z]+)?_h100_v5$/, model: 'H100', count: 8 },
    { pattern: /^nd(96)[a-z]+_h200_v5$/, model: 'H200', count: 8 },
    { pattern: /^nd(96)[a-z]+_mi300x_v5$/, model: 'MI300X', count: 8 },
    { pattern: /^nv(\d+)(?:_promo)?$/, model: 'M60', count: { '12': 2, '24': 4 }, others: 1 },
    { pattern: /^nv(\d+)s_v2$/, model: 'M60', count: { '12': 2, '24': 4 }, others: 1 },
    { pattern: /^nv(\d+)s_v3$/, model: 'M60', count: { '24': 2, '48': 4 }, others: 1 },
    { pattern: /^nv(\d+)as_v4$/, model: 'MI25', count: { '4': 1 / 8, '8': 1 / 4, '16': 1 / 2 }, others: 1 },
    { pattern: /^nv(\d+)adm?s_a10_v5$/, model: 'A10', count: { '6': 1 / 6, '12': 1 / 3, '18': 1 / 2, '72': 2 }, others: 1 },
  ],
};
