/** What configuration makes run: pods and how many of them, machines and disks. What cost and carbon are estimated from. */

export { changesBetween, resourceId } from './changed.js';
export { runsPerHour } from './cron.js';
export { type CloudProvider, type Place, PROVIDERS, type Provider, placeWith } from './place.js';
export { demandOf, type PodDemand } from './pod-demand.js';
export { BYTES_PER_GB, BYTES_PER_GIB, parseQuantity } from './quantity.js';
export { type Period, type Running, runningOf } from './running.js';
export { type Scale, scalesOf } from './scales.js';
export { exactly, JOB_MINUTES, MONTH_HOURS, PACKING, type Spread } from './spread.js';
export { claimsOf, type Storage, type StorageClasses, storageClassesOf, storageOf } from './storage.js';
export { type TerraformParts, type TerraformTemplates, terraformParts, terraformTemplates } from './terraform-parts.js';
export type { TerraformPart } from './terraform-readers.js';
export { nodeTypeOf, podOfWorkload, type Readable, withoutOwned, workloadId } from './workload.js';
