import { JOB_MINUTES as MINUTES, type Provider, PACKING as RESERVED } from '@bylaw/core/workload';
import type { Factor } from './factor.js';

/**
 * Defaults of everything that is the same for all machines, with the range that holds nine of ten cases.
 * CCF: Cloud Carbon Footprint, Methodology, Appendix I, https://www.cloudcarbonfootprint.org/docs/methodology/, read as microsite/docs/Methodology.md
 * of its repository, commit 1559c186. What comes by way of CCF was read there only.
 */

const CCF = 'Cloud Carbon Footprint, Methodology, Appendix I';

/** Watts per GiB, of which modules have whole numbers: mean of 0.375 (Crucial) and 0.4083 (Micron) for DDR4, as CCF has it. Range: assumed, from idle DDR5 to loaded DDR3 modules. */
export const MEMORY_WATTS_PER_GIB = constant('memory_watts_per_gb', 0.392, 0.25, 0.6, CCF, 2022, 'default');

/** 6 W a disk of 5 TB, and 6.5 W a disk of 10 TB: 2016 U.S. Data Center Energy Usage Report, projection for 2020, by way of CCF. Range: assumed. */
export const SSD_WATTS_PER_TB = constant('ssd_watts_per_tb', 1.2, 0.6, 2.4, CCF, 2020, 'default');
export const HDD_WATTS_PER_TB = constant('hdd_watts_per_tb', 0.65, 0.4, 1.1, CCF, 2020, 'default');

/** Between data centres of one provider, over its own fibre: the least of the studies that CCF compares, which differ by orders of magnitude. Range: assumed. */
export const NETWORK_KWH_PER_GB = constant('network_kwh_per_gb', 0.001, 0.0005, 0.005, CCF, 2021, 'default');

/** Copies that a provider keeps: CCF, AwsFootprintEstimationConstants, has 2 of volumes (EBS), 3 of objects, files and snapshots, 6 of Aurora. */
export const STORAGE_REPLICATION = constant('storage_replication', 3, 2, 4, 'Cloud Carbon Footprint, Replication Factors', 2023, 'default');

/** Servers of hyperscale data centres: 2016 U.S. Data Center Energy Usage Report, by way of CCF. Of pods: the share of what they request. Range: assumed. */
export const CPU_UTILIZATION = constant('cpu_utilization', 0.5, 0.2, 0.8, CCF, 2016, 'default');
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

const REGIONAL = 'range by region: Green Software Foundation, Cloud Region Metadata';

/**
 * Means of the fleets, and from good to poor sites. The ranges of the clouds are those of the regions in the Cloud Region Metadata of the Green
 * Software Foundation (github.com/Green-Software-Foundation/real-time-cloud, commit 06796bf1): AWS of 2024, from Melbourne to Hyderabad; Google of 2024;
 * Azure of 2023, from West Central US to North Central US. Means: AWS, https://aws.amazon.com/sustainability/data-centers/; Google, by way of CCF;
 * Azure, Data Center Dynamics in December 2024, after Microsoft. Own data centres: Uptime Intelligence, Update 221 of November 2023, its survey of that
 * year; range assumed.
 */
const PUES: { readonly [provider in Provider]: readonly [number, number, number, string, number] } = {
  aws: [1.15, 1.07, 1.46, `AWS, data centers: power usage effectiveness; ${REGIONAL}`, 2024],
  gcp: [1.1, 1.07, 1.16, `${CCF}; ${REGIONAL}`, 2023],
  azure: [1.18, 1.11, 1.35, `Microsoft, via Data Center Dynamics; ${REGIONAL}`, 2024],
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
