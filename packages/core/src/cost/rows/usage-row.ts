import { parseAmount } from '../values/amount.js';
import type { CostRow } from './cost-row.js';

/** What a row says about what was used: texts as the export writes them, empty where it says nothing; numbers NaN where it says none. */
export interface UsageDetails {
  /** Whose machines they are, where that is told: `AWS`, `Microsoft`, `Google Cloud`, … */
  provider: string;
  region: string;
  zone: string;
  service: string;
  /** ServiceCategory and ServiceSubcategory of FOCUS, and what providers have in their place. */
  serviceCategory: string;
  serviceSubcategory: string;
  /** What the meter counts: SkuMeter, the usage type of AWS, the meter of Azure, the SKU of Google Cloud. */
  meter: string;
  instanceType: string;
  /** Of one instance. */
  vcpu: number;
  /** Of one instance, in GiB. */
  memoryGib: number;
  gpu: number;
  /** `SSD`, `HDD`, or a class of storage. */
  diskType: string;
  /** What was consumed. Of a charge that is split among users (FOCUS 1.3, allocated charges) this is the part, not the whole. */
  consumed: number;
  consumedUnit: string;
  /** What was priced, which may be in other units: thousands of hours, reserved hours. */
  priced: number;
  pricingUnit: string;
  /**
   * Part of the original charge that this row is (FOCUS 1.3, AllocatedRatio), NaN where it is not split. Quantities and costs are split already:
   * to multiply them with it would count too little. It says that what describes the whole machine describes more than this row.
   * Source: FOCUS 1.3, attribute "Data Generator-Calculated Split Cost Allocation Handling".
   */
  allocatedRatio: number;
  account: string;
}

/** A row of a bill as usage. `quantity` and `unit` are what was priced, else what was consumed. */
export interface UsageRow extends CostRow, UsageDetails {
  /** All tags as the export writes them, see `keysAndValues`; empty where it does not have one. */
  tags: string;
}

/**
 * Type of the instance in a usage type of AWS: `EUW1-BoxUsage:m5.xlarge`, `InstanceUsage:db.m5.large`.
 * Source: AWS Cost and Usage Report, data dictionary, lineItem/UsageType.
 */
export function instanceOfUsageType(usageType: string): string {
  return usageType.length > 200 ? '' : (INSTANCE_USAGE.exec(usageType)?.[1] ?? '');
}

const INSTANCE_USAGE =
  /(?:^|-)(?:BoxUsage|SpotUsage|DedicatedUsage|HostBoxUsage|UnusedBox|UnusedDed|ReservedHostUsage|HeavyUsage|InstanceUsage|Multi-AZUsage|NodeUsage|Node|ESInstance|Kafka|Notebk|Host):([a-z0-9][a-z0-9.-]*)$/;

/** `16 GiB` of AWS, or a number of GiB. */
export function gibOf(text: string): number {
  return parseAmount(text.replace(/ ?(?:GiB|GB)$/, '').trim()) ?? Number.NaN;
}
