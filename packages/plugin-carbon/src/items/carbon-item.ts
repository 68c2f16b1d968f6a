import type { Provider, Spread } from '@bylaw/core/workload';
import type { Factor } from '../factors/index.js';

export type ItemSource = 'manifest' | 'terraform' | 'focus' | 'usage';

/**
 * What is running, or reserved, during the period: physical quantities of one unit, and how many units for how long. Every form of input is read
 * into these, and nothing is estimated before.
 */
export interface CarbonItem {
  /** `apps/Deployment/shop/checkout`, a Terraform address, a resource of the bill, or the id of a usage entry. Unique within an estimate. */
  id: string;
  source: ItemSource;
  provider: Provider;
  /** As the provider writes it; a zone or country for one's own data centre. */
  region: string;
  /** Of the machine itself, or of the nodes that a pod runs on. */
  instanceType?: string;
  /** What reports group by: `service`, `account`, `namespace`, `tag:team`. */
  groups: { readonly [name: string]: string };
  /** Hours that a unit runs in the period. */
  hours: Spread;
  /** Replicas, instances, volumes. */
  count: Spread;
  /** Of one unit. Memory in GiB; provisioned storage, and transfer over the whole period, in GB of 10^9 bytes. */
  unit: { vcpu: number; memoryGib: number; gpu: number; ssdGb: number; hddGb: number; networkGb: number };
  /** Name in the table of GPUs, where there are any and it is known. */
  gpuModel?: string;
  /** As told for this item, 0 to 1. */
  cpuUtilization?: number;
  /** Whether it reserves a part of a machine (a pod) and not a whole one that is sold as such. */
  shared: boolean;
  /** The part of the node's capacity that all pods together reserve, where the nodes are known. */
  packing?: number;
  /** What it costs in the period, where the input says. */
  cost?: { amount: number; currency: string };
  /** Of rows of a bill without a physical model: why they do not have one, and the kWh that their money stands for, once it is known. */
  spend?: { reason: string; kwhPerUnit?: Factor };
  notes: string[];
}

/** What was in the input, consumes energy, and cannot be estimated. */
export interface Unestimated {
  id: string;
  reason: string;
  cost?: { amount: number; currency: string };
}
