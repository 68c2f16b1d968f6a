import type { Provider } from '@bylaw/core/workload';
import { exactly } from '@bylaw/core/workload';
import { CPU_UTILIZATION, GPU_UTILIZATION, JOB_MINUTES, LIFESPAN_HOURS, PACKING, STORAGE_REPLICATION } from '../factors/index.js';
import type { ItemContext } from '../items/index.js';
import type { EstimateRequest, Method } from './types.js';

/** How an estimate is made, defaults filled in. Null: each item has a default of its own. */
export interface Parameters {
  provider: Provider | null;
  region: string | null;
  period_hours: number;
  assumptions: {
    cpu_utilization: number;
    gpu_utilization: number;
    packing: number;
    lifespan_years: number;
    pue: number | null;
    grid_g_per_kwh: number | null;
    market_g_per_kwh: number | null;
    storage_replication: number;
    job_minutes: number;
  };
  method: Required<Method>;
  functional_unit: { name: string; count: number } | null;
  levels: 90;
  spend_based: boolean;
  strict: boolean;
}

/** A month: a twelfth of 8,760 hours. */
const MONTH_HOURS = 730;

export function parametersOf(request: EstimateRequest): Parameters {
  const { assumptions = {}, method = {} } = request;
  return {
    provider: request.provider ?? null,
    region: request.region ?? null,
    period_hours: request.period_hours ?? MONTH_HOURS,
    assumptions: {
      cpu_utilization: assumptions.cpu_utilization ?? CPU_UTILIZATION.value,
      gpu_utilization: assumptions.gpu_utilization ?? GPU_UTILIZATION.value,
      packing: assumptions.packing ?? PACKING.value,
      lifespan_years: assumptions.lifespan_years ?? LIFESPAN_HOURS.value / 8760,
      pue: assumptions.pue ?? null,
      grid_g_per_kwh: assumptions.grid_g_per_kwh ?? null,
      market_g_per_kwh: assumptions.market_g_per_kwh ?? null,
      storage_replication: assumptions.storage_replication ?? STORAGE_REPLICATION.value,
      job_minutes: assumptions.job_minutes ?? JOB_MINUTES.value,
    },
    method: {
      grid: method.grid ?? 'average',
      embodied: method.embodied ?? true,
      upstream_energy: false,
      power_model: method.power_model ?? 'best',
    },
    functional_unit: request.functional_unit ?? null,
    levels: 90,
    spend_based: request.spend_based ?? false,
    strict: request.strict ?? false,
  };
}

export function contextOf(request: EstimateRequest, inputs: { provider?: Provider; region?: string } = {}): ItemContext {
  const minutes = request.assumptions?.job_minutes;
  return {
    provider: inputs.provider ?? request.provider,
    region: inputs.region ?? request.region,
    periodHours: request.period_hours ?? MONTH_HOURS,
    jobMinutes:
      typeof minutes === 'number' ? exactly(minutes) : { low: JOB_MINUTES.low, central: JOB_MINUTES.value, high: JOB_MINUTES.high },
    gridTold: typeof request.assumptions?.grid_g_per_kwh === 'number' && request.method?.grid !== 'marginal',
    spendBased: request.spend_based ?? false,
  };
}
