import type { CloudProvider } from '@bylaw/core/workload';

/** What an hour of a machine costs in USD, on demand, with Linux. */
export interface HourPrice {
  amount: number;
  /** Ends of the range, as multiples. */
  low: number;
  high: number;
  /** Which price it is, in words. */
  words: string;
  /** Taken from another region, because no list has this one. */
  inferred: boolean;
}

export interface MachineSize {
  vcpu: number;
  memoryGib: number;
}

/** Prices of machines, by provider, region and type. */
export interface PriceList {
  /** Undefined where the list does not have the type. @param region undefined where nobody says */
  hourPrice(provider: CloudProvider, region: string | undefined, type: string): HourPrice | undefined;
  /** What a vCPU with 4 GiB costs on machines for general purposes. */
  vcpuPrice(provider: CloudProvider, region: string | undefined): HourPrice;
  sizeOf(provider: CloudProvider, type: string): MachineSize | undefined;
  /** The region whose prices are used for others. */
  homeOf(provider: CloudProvider): string;
  /** Where the prices are from. */
  sourceOf(provider: CloudProvider): string;
}

/** As lists write it: without the zone, and Azure's without blanks. */
export function regionOf(provider: CloudProvider, region: string, known: (region: string) => boolean): string {
  const name = region.trim().toLowerCase();
  const plain = provider === 'azure' ? name.replaceAll(/[\s_-]/g, '') : name;
  const zoneless = plain.replace(/-?[a-z]$/, '');
  return !known(plain) && known(zoneless) ? zoneless : plain;
}

/** As lists write it: Azure's without `Standard_`, Google Cloud's without the path before it. */
export function typeOf(provider: CloudProvider, type: string): string {
  const name = type.trim().toLowerCase();
  if (provider === 'azure') return name.replace(/^standard_/, '');
  return provider === 'gcp' ? name.slice(name.lastIndexOf('/') + 1) : name;
}
