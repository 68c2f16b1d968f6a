/** The numbers that estimates rest on, where they come from, and how far they may be off. */

export { type Accelerators, acceleratorsOf } from './accelerated.js';
export {
  CPU_UTILIZATION,
  GPU_UTILIZATION,
  given,
  HDD_WATTS_PER_TB,
  JOB_MINUTES,
  LIFESPAN_HOURS,
  MEMORY_WATTS_PER_GIB,
  NETWORK_KWH_PER_GB,
  PACKING,
  pueOf,
  SSD_WATTS_PER_TB,
  STORAGE_REPLICATION,
} from './constants.js';
export { FACTOR_CLASSES, type Factor, type FactorClass } from './factor.js';
export { type GpuPower, gpuPowerOf } from './gpu.js';
export { GRID_ATTRIBUTION, type Grid, gridData, gridOf, worldGrid } from './grid.js';
export { CALIBRATION, type Machine, machineOf, type Power, type PowerModel, typicalMachine } from './machine.js';
export { MACHINE_ATTRIBUTION, machineData } from './machine-data.js';
export { carbonFreeEnergy, marketFactorOf } from './market.js';
export { type RegionIntensity, regionIntensities } from './region-intensity.js';
export { knownRegions } from './regions.js';
