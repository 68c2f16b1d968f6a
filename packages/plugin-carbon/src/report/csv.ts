import { csvText } from '@bylaw/core/csv';
import { roundSignificant } from '@bylaw/core/number';
import { endsOf } from './amount.js';
import type { Footprint } from './footprint.js';
import type { MadeReport } from './report.js';
import type { Entry, ReportPeriod } from './types.js';

const COLUMNS = [
  ...['period_start', 'period_end', 'item', 'source', 'provider', 'region', 'instance_type', 'component', 'energy_kwh', 'kg_co2e'],
  ...['item_kg_co2e', 'item_kg_co2e_p5', 'item_kg_co2e_p95'],
] as const;

const COMPONENTS = ['cpu', 'memory', 'gpu', 'storage', 'network', 'overhead', 'spend'] as const;

/**
 * One row per item and component, the components being the parts of the energy and `embodied`; `kg_co2e` of all rows adds up to the total.
 * Columns of the item repeat in each of its rows. A column for each dimension of `group_by` that is a tag or an account is at the end.
 */
export function reportCsv({ report, footprint }: MadeReport): string {
  const tags = [...new Set(report.groups.map(({ by }) => by).filter((by) => !GIVEN.has(by)))];
  const rows = footprint.entries.flatMap((entry) => rowsOf(entry, footprint, report.periods[entry.period], tags));
  return csvText([[...COLUMNS, ...tags], ...rows]);
}

/** What has a column of its own, or is not a property of an item. */
const GIVEN: ReadonlySet<string> = new Set(['region', 'source', 'provider', 'instance_type', 'kind']);

function rowsOf(entry: Entry, footprint: Footprint, period: ReportPeriod | undefined, tags: readonly string[]): (string | number)[][] {
  const { p5, central, p95 } = endsOf(footprint.amountOf(entry));
  const kgPerKwh = entry.energyKwh === 0 ? 0 : entry.operational / entry.energyKwh;
  const parts = COMPONENTS.map((name) => ({ name, kwh: entry.energy[name] ?? 0, kg: (entry.energy[name] ?? 0) * kgPerKwh }));
  const all: { name: string; kwh: number; kg: number }[] = [
    ...parts.filter(({ kwh }) => kwh !== 0),
    { name: 'embodied', kwh: 0, kg: entry.embodied },
  ];
  return all.map(({ name, kwh, kg }) => [
    ...[period?.start ?? '', period?.end ?? '', entry.id, entry.source, entry.provider, entry.region, entry.instanceType ?? '', name],
    ...[kwh, kg, central, p5, p95].map((value) => roundSignificant(value)),
    ...tags.map((tag) => (Object.hasOwn(entry.groups, tag) ? (entry.groups[tag] ?? '') : '')),
  ]);
}
