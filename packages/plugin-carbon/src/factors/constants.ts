import { type Provider, PACKING as RESERVED } from '@bylaw/core/workload';
import type { Factor } from './factor.js';

/**
 * Defaults of everything that is the same for all machines, with the range that holds nine of ten cases.
 * CCF: Cloud Carbon Footprint, Methodology, Appendix I, https://www.cloudcarbonfootprint.org/docs/methodology/, read in November 2026.
 */

const CCF = 'Cloud Carbon Footprint, Methodology, Appendix I';

/** From Micron's and Crucial's figures for DDR4; the ends are of loaded DDR3 and idle DDR5 modules. */
export const MEMORY_WATTS_PER_GB = constant('memory_watts_per_gb', 0.392, 0.25, 0.6, CCF, 2022, 'default');

/** 6 W a disk of 5 TB, and 6.5 W a disk of 10 TB: 2016 U.S. Data Center Energy Usage Report, projection for 2020. Range: assumed. */
export const SSD_WATTS_PER_TB = constant('ssd_watts_per_tb', 1.2, 0.6, 2.4, CCF, 2020, 'default');
export const HDD_WATTS_PER_TB = constant('hdd_watts_per_tb', 0.65, 0.4, 1.1, CCF, 2020, 'default');

/** Between data centres of one provider, over its own fibre. Range: assumed, the studies differ by orders of magnitude. */
export const NETWORK_KWH_PER_GB = constant('network_kwh_per_gb', 0.001, 0.0005, 0.005, CCF, 2021, 'default');

/** Copies that a provider keeps of a volume: three in the object stores and block stores of the large ones. Range: assumed. */
export const STORAGE_REPLICATION = constant('storage_replication', 3, 2, 4, 'assumed', null, 'default');

/** 2016 U.S. Data Center Energy Usage Report: servers of hyperscale data centres. Of pods: the share of what they request. */
export const CPU_UTILIZATION = constant(
  'cpu_utilization',
  0.5,
  0.2,
  0.8,
  `${CCF}; 2016 U.S. Data Center Energy Usage Report`,
  2016,
  'default',
);
export const GPU_UTILIZATION = constant('gpu_utilization', 0.5, 0.2, 0.8, 'assumed, as for processors', null, 'default');

/** The part of its nodes that a cluster reserves. */
export const PACKING = constant('packing', RESERVED.central, RESERVED.low, RESERVED.high, 'assumed', null, 'default');

/** Four years of 8,760 hours: CCF, Embodied Emissions. */
export const LIFESPAN_HOURS = constant(
  'lifespan_hours',
  35_040,
  26_280,
  52_560,
  'Cloud Carbon Footprint, Embodied Emissions',
  2022,
  'default',
);

/** How long the pods of a Job run, where nobody says. */
export const JOB_MINUTES = constant('job_minutes', 10, 1, 60, 'assumed', null, 'default');

/**
 * Means of the fleets, with the best and worst sites. AWS 1.15 and Google 1.10: their sustainability pages; Azure 1.18: Microsoft's statement in
 * CCF; own data centres: Uptime Institute, Global Data Center Survey 2023.
 */
const PUES: { readonly [provider in Provider]: readonly [number, number, number, string, number] } = {
  aws: [1.15, 1.07, 1.46, 'Amazon sustainability: data centres', 2023],
  gcp: [1.1, 1.07, 1.16, 'Google data centres: efficiency', 2023],
  azure: [1.18, 1.11, 1.35, 'Microsoft, datacenter sustainability', 2022],
  'on-prem': [1.58, 1.2, 2, 'Uptime Institute, Global Data Center Survey', 2023],
};

export function pueOf(provider: Provider): Factor {
  const [value, low, high, source, year] = PUES[provider];
  return constant('pue', value, low, high, source, year, 'default');
}

/** What the caller told. It holds as told, but for a utilisation, which nobody knows to the percent. */
export function given(name: string, value: number, { low = value, high = value }: { low?: number; high?: number } = {}): Factor {
  return { name, value, low, high, source: 'given in the request', year: null, class: 'given' };
}

function constant(
  name: string,
  value: number,
  low: number,
  high: number,
  source: string,
  year: number | null,
  kind: Factor['class'],
): Factor {
  return { name, value, low, high, source, year, class: kind };
}
