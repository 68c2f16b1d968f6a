import type { CostTable } from '@bylaw/core/cost';
import { money, roundSignificant } from '@bylaw/core/number';
import { studentTail5 } from '../series/student.js';
import { type Anomaly, severityOf } from './anomaly.js';
import type { Candidate } from './candidate.js';
import { causesOf } from './causes.js';
import type { Driver } from './drivers.js';
import { explanationOf } from './explanation.js';
import type { FoundEvent } from './find-events.js';
import { dimensionOf } from './group-series.js';
import type { MergedEvent } from './merge-candidates.js';
import type { AnomalyParameters, PlannedEvent } from './parameters.js';

/** An event as answers show it: rounded, graded and explained. */
export function anomalyOf({ one, covers }: MergedEvent, table: CostTable, parameters: AnomalyParameters): Anomaly {
  const { event, group, drivers, amounts, id } = one;
  const impact = amounts.actual - amounts.expected;
  const percent = amounts.expected > 0 ? (impact / amounts.expected) * 100 : null;
  const planned = parameters.planned.find((plan) => isPlanned(plan, one, table));
  const label = (at: number) => table.buckets[at] ?? '';
  const causes = causesOf(drivers[0]?.members ?? [], event.start, event.end, table.granularity);
  const anomaly: Omit<Anomaly, 'explanation'> = {
    id,
    monitor: group.monitor,
    dimensions: group.dimensions,
    currency: table.currency,
    start: label(event.start),
    end: label(event.end),
    status: planned ? 'planned' : statusOf(event, table),
    direction: event.sign > 0 ? 'up' : 'down',
    kind: event.kind,
    severity: severityOf(impact, percent, parameters.min_impact.amount),
    actual: money(amounts.actual),
    expected: money(amounts.expected),
    lower: money(event.lower),
    upper: money(event.upper),
    impact: money(impact),
    impact_percent: percent === null ? null : roundSignificant(percent),
    z: event.z === null ? null : roundSignificant(event.z),
    p_value: event.z === null ? null : roundSignificant(studentTail5(event.z)),
    detected_on: label(event.detected),
    causes: causes.map(({ kind, share, amount }) => ({ kind, share: roundSignificant(share), amount: money(amount) })),
    drivers: drivers.map((driver) => ({
      dimensions: driver.dimensions,
      share: roundSignificant(driver.share),
      score: roundSignificant(driver.score),
      actual: money(driver.actual),
      expected: money(driver.expected),
      resources: resourcesOf(driver, event),
    })),
    ...(planned && { planned: planned.note ?? '' }),
    covers,
  };
  return { ...anomaly, explanation: explanationOf(anomaly, group.leaves.length) };
}

function statusOf({ start, end }: FoundEvent, { provisionalFrom }: CostTable): Anomaly['status'] {
  if (start >= provisionalFrom) return 'provisional';
  return end >= provisionalFrom - 1 ? 'open' : 'closed';
}

/** An event belongs to a plan that it begins in: what began before has another reason. */
function isPlanned({ start, end, match = {} }: PlannedEvent, { event, members }: Candidate, { buckets, granularity }: CostTable): boolean {
  const day = buckets[event.start]?.slice(0, 10) ?? '';
  const isShort = granularity === 'hour' || granularity === 'day';
  const next = isShort ? undefined : buckets[event.start + 1];
  const begins = day <= end && (isShort ? day >= start : next === undefined || next > start);
  return begins && Object.entries(match).every(([name, value]) => [...members].every((leaf) => dimensionOf(leaf, name) === value));
}

const MOST_RESOURCES = 5;

/** The resources whose cost is largest in its time, or smallest where it fell. */
function resourcesOf({ members }: Driver, { start, end, sign }: FoundEvent): { id: string; amount: number }[] {
  const amounts = new Map<string, number>();
  for (const { leaf } of members)
    for (const [id, byBucket] of leaf.resources ?? [])
      for (const [at, amount] of byBucket) if (at >= start && at <= end) amounts.set(id, (amounts.get(id) ?? 0) + amount);
  return [...amounts]
    .sort(([a, one], [b, other]) => sign * (other - one) || (a < b ? -1 : 1))
    .slice(0, MOST_RESOURCES)
    .map(([id, amount]) => ({ id, amount: money(amount) }));
}
