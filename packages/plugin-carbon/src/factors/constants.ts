import { JOB_MINUTES as MINUTES, type Provider, PACKING as RESERVED } from '@bylaw/core/workload';
import type { Factor } from './factor.js';

/**
 * Defaults of everything that is the same for all machines, with the range that holds nine of ten cases.
 * CCF: Cloud Carbon Footprint, Methodology, Appendix I, https://www.cloudcarbonfootprint.org/docs/methodology/, read in November 2026.
 */

const CCF = 'Cloud Carbon Footprint, Methodology, Appendix I';

/** Mean of 0.375 (Crucial) and 0.4083 (Micron) for DDR4, as CCF has it. Range: assumed, from idle DDR5 to loaded DDR3 modules. */
export const MEMORY_WATTS_PER_GB = constant('memory_watts_per_gb', 0.392, 0.25, 0.6, CCF, 2022, 'default');

/** 6 W a disk of 5 TB, and 6.5 W a disk of 10 TB: 2016 U.S. Data Center Energy Usage Report, projection for 2020, by way of CCF. Range: assumed. */
export const SSD_WATTS_PER_TB = constant('ssd_watts_per_tb', 1.2, 0.6, 2.4, CCF, 2020, 'default');
export const HDD_WATTS_PER_TB = constant('hdd_watts_per_tb', 0.65, 0.4, 1.1, CCF, 2020, 'default');

/** Between data centres of one provider, over its own fibre: the least of the studies that CCF compares, which differ by orders of magnitude. Range: assumed. */
export const NETWORK_KWH_PER_GB = constant('network_kwh_per_gb', 0.001, 0.0005, 0.005, CCF, 2021, 'default');

/** Copies that a provider keeps: CCF, AwsFootprintEstimationConstants, has 2 of volumes (EBS), 3 of objects, files and snapshots, 6 of Aurora. */
export const STORAGE_REPLICATION = constant('storage_replication', 3, 2, 4, 'Cloud Carbon Footprint, Replication Factors', 2023, 'default');

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
export const JOB_MINUTES = constant('job_minutes', MINUTES.central, MINUTES.low, MINUTES.high, 'assumed', null, 'default');

/**
 * Means of the fleets, and from good to poor sites. AWS: global PUE of 2024, https://aws.amazon.com/sustainability/data-centers, and its PUE by region.
 * Google: mean of 2023, Environmental Report 2024, and by campus, https://datacenters.google/efficiency. Azure: global PUE, and 1.405 in Asia Pacific,
 * "How Microsoft measures datacenter water and energy use", Azure blog, April 2022; 1.125 in its newest sites. Own data centres: Uptime Institute, Global
 * Data Center Survey 2023; range assumed.
 */
const PUES: { readonly [provider in Provider]: readonly [number, number, number, string, number] } = {
  aws: [1.15, 1.07, 1.46, 'AWS, data centers: power usage effectiveness', 2024],
  gcp: [1.1, 1.07, 1.16, 'Google, Environmental Report 2024', 2023],
  azure: [1.18, 1.11, 1.405, 'Microsoft, datacenter water and energy use', 2022],
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
