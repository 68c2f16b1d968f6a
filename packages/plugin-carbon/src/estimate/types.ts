import type { Envelope } from '@bylaw/core/answer';
import type { Provider } from '@bylaw/core/workload';
import type { Factor, Machine } from '../factors/index.js';
import type { CarbonItem, ItemSource, Unestimated } from '../items/index.js';

/** What runs. At least one of the members but `nodes`. */
export interface EstimateInputs {
  /** Text of YAML or JSON, or objects of Kubernetes. */
  manifests?: string | readonly object[];
  /** Output of `terraform show -json`. */
  terraform?: { readonly [name: string]: unknown };
  /** Rows of a FOCUS table or of an export of AWS, Google Cloud or Azure. */
  focus_rows?: readonly { readonly [column: string]: unknown }[];
  focus_csv?: string;
  usage?: readonly UsageEntry[];
  /** Machines that the pods run on. */
  nodes?: readonly NodeGroup[];
}

export interface UsageEntry {
  id: string;
  provider?: Provider;
  region?: string;
  instance_type: string;
  /** Of each instance, within the period. */
  hours: number;
  /** 0 to 1. */
  cpu_utilization?: number;
  count?: number;
}

export interface NodeGroup {
  instance_type: string;
  count: number;
  /** Pods whose nodeSelector holds all of these run here; absent: all others. */
  match?: { readonly [label: string]: string };
}

export interface EstimateRequest extends EstimateInputs {
  provider?: Provider;
  region?: string;
  /** 730 where absent: a month. */
  period_hours?: number;
  assumptions?: Assumptions;
  method?: Method;
  functional_unit?: { name: string; count: number };
  /** What would run instead. Only `inputs` change: provider, region and all else stay, unless named. */
  compare?: { proposed: EstimateInputs & { provider?: Provider; region?: string } };
  /** Give rows of bills without a physical model the energy that the same money buys in the other rows of their account. */
  spend_based?: boolean;
  /** The span of the ranges, in percent. */
  levels?: 90;
  /** Refuse what is unknown, instead of naming it in `unestimated`. */
  strict?: boolean;
}

/** What is told instead of assumed; null is the same as absent. */
export interface Assumptions {
  /** 0 to 1; of pods: of what they request. */
  cpu_utilization?: number | null;
  gpu_utilization?: number | null;
  /** Share of the nodes' capacity that pods reserve, 0 to 1. */
  packing?: number | null;
  lifespan_years?: number | null;
  pue?: number | null;
  /** Average, or marginal with the method `marginal`. */
  grid_g_per_kwh?: number | null;
  market_g_per_kwh?: number | null;
  /** Copies that a provider keeps of stored data. */
  storage_replication?: number | null;
  /** How long a pod of a Job runs. */
  job_minutes?: number | null;
}

export interface Method {
  grid?: 'average' | 'marginal';
  embodied?: boolean;
  /** Only false: the intensities of the grids are of their whole life cycle already. */
  upstream_energy?: boolean;
  power_model?: 'best' | 'ccf';
}

/** The central estimate, and the ends of the range that holds 90 %. */
export interface Ranged {
  p5: number;
  central: number;
  p95: number;
}

/** The answer; energy in kWh, masses in kg CO2e, 6 significant digits. */
export interface CarbonEstimate extends Envelope {
  schema: 'carbon.estimate/v1';
  period_hours: number;
  total: EstimateTotal;
  /** Only with a functional unit. */
  sci?: Sci;
  items: EstimatedItem[];
  /** Only with `compare`. */
  comparison?: Comparison;
  unestimated: Unestimated[];
  /** What holds for all of it. Absent where there is nothing to say. */
  notes?: string[];
  /** Shares, 0 to 1, of what was in the input. `by_cost` is null where the input has no costs. */
  coverage: { by_items: number | null; by_cost: number | null };
  uncertainty: { level: 90; samples: number; largest: { factor: string; share_of_variance: number }[] };
}

/**
 * `kg_co2e` = `operational` + `embodied`. `location_based` and `market_based` are operational emissions by the two methods of the GHG Protocol;
 * `location_based` is `operational`, unless that is marginal.
 */
export interface EstimateTotal {
  kg_co2e: Ranged;
  operational: Ranged;
  embodied: Ranged;
  energy_kwh: Ranged;
  location_based: Ranged;
  /** Null where the market factor is unknown for any item; `notes` says why. */
  market_based: Ranged | null;
}

/** Software Carbon Intensity (ISO/IEC 21031): grams per functional unit. */
export interface Sci {
  value_g: number;
  p5: number;
  p95: number;
  functional_unit: string;
  boundary: string[];
  method: 'calculated';
}

export interface EstimatedItem {
  id: string;
  source: ItemSource;
  provider: Provider;
  region: string;
  instance_type: string | null;
  groups: { readonly [name: string]: string };
  /** `replicas` are pods, machines or volumes; all else is of all of them together, but for the hours of one. */
  quantity: { replicas: number; vcpu: number; memory_gb: number; gpu: number; storage_gb: number; hours: number };
  /** `overhead`: idle capacity that pods reserve, and the building (PUE). The members sum to the energy of the item. */
  energy_kwh: ItemEnergy;
  kg_co2e: Ranged & { operational: number; embodied: number };
  factors: Factor[];
  notes: string[];
}

export interface ItemEnergy {
  cpu: number;
  memory: number;
  gpu: number;
  storage: number;
  network: number;
  overhead: number;
  /** All of it, building included, where it follows from money. */
  spend?: number;
}

/** `proposed` minus what is there now. */
export interface Comparison {
  proposed: EstimateTotal;
  delta_kg_co2e: Ranged;
  /** Of what is there now; null where that is nothing. */
  percent: Ranged | null;
  /** Share of the points at which the proposal emits less. */
  probability_lower: number;
  per_item: { id: string; delta_kg_co2e: Ranged }[];
  /** Grams per functional unit. */
  sci_delta?: Ranged;
  items: EstimatedItem[];
  unestimated: Unestimated[];
}

/** An item with what was computed for it, before anything is rounded. */
export interface ItemEstimation {
  item: CarbonItem;
  /** What it runs on; a typical one where its type is not known. */
  machine: Machine;
  /** By their role in the formulas; absent where the item does not need them. */
  factors: ItemFactors;
  /** At the central value of every factor. Operational and embodied in kg CO2e. */
  energy: ItemEnergy;
  energyKwh: number;
  operational: number;
  embodied: number;
  marketBased: number | null;
  locationBased: number;
  samples: ItemSamples;
}

/** One value per point, the points being the same for every item. */
export interface ItemSamples {
  energyKwh: Float64Array;
  operational: Float64Array;
  embodied: Float64Array;
  locationBased: Float64Array;
  marketBased: Float64Array | null;
}

/** Values in the unit that the factor's name ends with. */
export interface ItemFactors {
  idleWattsPerVcpu?: Factor;
  maxWattsPerVcpu?: Factor;
  /** Watts of one vCPU at the utilisation of the item, by the curve of its type or the line between idle and max. */
  wattsPerVcpu?: Factor;
  cpuUtilization?: Factor;
  memoryWattsPerGib?: Factor;
  gpuIdleWatts?: Factor;
  gpuMaxWatts?: Factor;
  gpuUtilization?: Factor;
  ssdWattsPerTb?: Factor;
  hddWattsPerTb?: Factor;
  storageReplication?: Factor;
  networkKwhPerGb?: Factor;
  kwhPerSpend?: Factor;
  packing?: Factor;
  pue: Factor;
  grid: Factor;
  locationGrid: Factor;
  marketGrid?: Factor;
  /** Of the whole host. */
  embodiedKg?: Factor;
  lifespanHours?: Factor;
  /** The part of the host that one unit takes. */
  hostShare?: Factor;
  [role: string]: Factor | undefined;
}

/** Everything that was computed on a request, before it is rounded. */
export interface Estimation {
  items: ItemEstimation[];
  unestimated: Unestimated[];
}
