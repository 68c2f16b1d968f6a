import { roundSignificant } from '@bylaw/core/number';
import type { Factor } from '../factors/index.js';
import { rangedTotal } from './totals.js';
import type { EstimatedItem, ItemEstimation, ItemFactors } from './types.js';

/** An item as answers show it, rounded. */
export function shownItem(estimation: ItemEstimation): EstimatedItem {
  const { item, energy, factors, operational, embodied } = estimation;
  const { unit, count, hours } = item;
  const all = (perUnit: number) => roundSignificant(perUnit * count.central);
  return {
    id: item.id,
    source: item.source,
    provider: item.provider,
    region: item.region,
    instance_type: item.instanceType ?? null,
    groups: item.groups,
    quantity: {
      replicas: roundSignificant(count.central),
      vcpu: all(unit.vcpu),
      memory_gb: all(unit.memoryGib),
      gpu: all(unit.gpu),
      storage_gb: all(unit.ssdGb + unit.hddGb),
      hours: roundSignificant(hours.central),
    },
    energy_kwh: {
      cpu: roundSignificant(energy.cpu),
      memory: roundSignificant(energy.memory),
      gpu: roundSignificant(energy.gpu),
      storage: roundSignificant(energy.storage),
      network: roundSignificant(energy.network),
      overhead: roundSignificant(energy.overhead),
      ...(energy.spend !== undefined && { spend: roundSignificant(energy.spend) }),
    },
    kg_co2e: { ...rangedTotal(estimation), operational: roundSignificant(operational), embodied: roundSignificant(embodied) },
    factors: shownFactors(factors),
    notes: item.notes,
  };
}

/** The grid of the place is the grid of the estimate, unless another was given: it is shown once. */
function shownFactors({ locationGrid, ...factors }: ItemFactors): Factor[] {
  const all = [
    ...Object.values(factors),
    ...(locationGrid === factors.grid ? [] : [{ ...locationGrid, name: `location_${locationGrid.name}` }]),
  ];
  return all.flatMap((factor) => (factor === undefined ? [] : [shownFactor(factor)]));
}

/** Most factors are the same of many items, and rounded once. */
function shownFactor(factor: Factor): Factor {
  let shown = known.get(factor);
  if (shown === undefined) {
    const { name, value, low, high, source, year, class: kind } = factor;
    shown = { name, value: roundSignificant(value), low: roundSignificant(low), high: roundSignificant(high), source, year, class: kind };
    known.set(factor, shown);
  }
  return shown;
}

const known = new WeakMap<Factor, Factor>();
