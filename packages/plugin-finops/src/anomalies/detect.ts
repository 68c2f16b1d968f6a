import { createHash } from 'node:crypto';
import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { money, roundSignificant } from '@bylaw/core/number';
import { studentTail5 } from '../series/student.js';
import { type TimeAxis, timeAxis } from '../series/time-axis.js';
import { type CauseKind, causesOf } from './causes.js';
import { type Driver, driversOf, type LeafShare } from './drivers.js';
import { explanationOf } from './explanation.js';
import { type AnomalyKind, type FoundEvent, findEvents, impactOf } from './find-events.js';
import { dimensionOf, type WatchedGroup, watchedGroups } from './group-series.js';
import { type Judgement, judgeSeries, neededHistory } from './judge-series.js';
import type { AnomalyParameters, PlannedEvent } from './parameters.js';
import { type AnomalySeverity, severityOf } from './severity.js';

/** Something that costs more or less than expected. Amounts are in units of `currency`. */
export interface Anomaly {
  /** The same whenever the same event is found, so that a caller can update instead of duplicate. */
  id: string;
  monitor: readonly string[];
  dimensions: { readonly [name: string]: string };
  currency: string;
  start: string;
  end: string;
  status: 'closed' | 'open' | 'provisional' | 'planned';
  direction: 'up' | 'down';
  kind: AnomalyKind;
  severity: AnomalySeverity;
  actual: number;
  expected: number;
  lower: number;
  upper: number;
  impact: number;
  /** Null where nothing was expected. */
  impact_percent: number | null;
  /** The furthest bucket, in usual residuals. */
  z: number;
  p_value: number;
  detected_on: string;
  causes: { kind: CauseKind; share: number; amount: number }[];
  drivers: {
    dimensions: { readonly [name: string]: string };
    share: number;
    score: number;
    actual: number;
    expected: number;
    resources: { id: string; amount: number }[];
  }[];
  explanation: string;
  /** What planned event it is, where it is one. */
  planned?: string;
  /** Identifiers of anomalies of wider monitors that this one explains. */
  covers: string[];
}

export interface SeriesBuckets {
  id: string;
  monitor: readonly string[];
  dimensions: { readonly [name: string]: string };
  currency: string;
  buckets: {
    start: string;
    actual: number | null;
    expected: number | null;
    lower: number | null;
    upper: number | null;
    z: number | null;
    provisional: boolean;
  }[];
}

export interface Detection {
  anomalies: Anomaly[];
  series: SeriesBuckets[];
  counts: { series: number; buckets: number; too_short: number; gaps: number };
}

/** The part of the leaves of an event that must belong to another for both to be one. */
const SAME_LEAVES = 0.8;

const MOST_RESOURCES = 5;

/** Looks at a table through every monitor. Pure: what it says of a bucket rests on earlier buckets alone. */
export function detect(table: CostTable, parameters: AnomalyParameters): Detection {
  const recent = lastDays(table, parameters.history_days);
  const axis = timeAxis(recent.buckets, recent.granularity);
  const leaves = new LeafJudge(recent, axis, parameters.threshold_z);
  const groups = parameters.monitors.flatMap((monitor) => watchedGroups(recent, monitor, parameters.min_impact.amount));
  const counts = { series: groups.length, buckets: 0, too_short: 0, gaps: 0 };
  const found: Candidate[] = [];
  const series: SeriesBuckets[] = [];
  for (const group of groups) {
    const known = group.values.reduce((count, value) => (Number.isNaN(value) ? count : count + 1), 0);
    counts.buckets += known;
    counts.gaps += gapsIn(group.values);
    if (known <= neededHistory(axis.period).first) counts.too_short += 1;
    const judged = judgeSeries(seriesOf(group.values, recent, axis), parameters.threshold_z);
    if (parameters.include_buckets) series.push(bucketsOf(group, judged, recent));
    for (const event of findEvents(group.values, judged, parameters))
      if (isCertain(event, recent)) found.push(candidate(event, group, recent, leaves, parameters));
  }
  return { anomalies: merged(found, recent, parameters), series, counts };
}

/** A partial bucket that is too dear already is certain; one that is too cheap may still fill up. */
function isCertain({ start, end, sign, kind }: FoundEvent, { provisionalFrom }: CostTable): boolean {
  if (kind === 'ended-series') return end < provisionalFrom;
  return start < provisionalFrom || sign > 0;
}

function lastDays(table: CostTable, days: number): CostTable {
  const perDay = { hour: 24, day: 1, week: 1 / 7, month: 12 / 365 }[table.granularity];
  const skip = Math.max(0, table.buckets.length - Math.ceil(days * perDay));
  if (skip === 0) return table;
  const cut = (values: Float64Array) => values.subarray(skip);
  return {
    ...table,
    buckets: table.buckets.slice(skip),
    provisionalFrom: Math.max(0, table.provisionalFrom - skip),
    leaves: table.leaves.map((leaf) => ({
      ...leaf,
      cost: cut(leaf.cost),
      ...(leaf.quantity && { quantity: cut(leaf.quantity) }),
      ...(leaf.committed && { committed: cut(leaf.committed) }),
      ...(leaf.unused && { unused: cut(leaf.unused) }),
      ...(leaf.oneTime && { oneTime: cut(leaf.oneTime) }),
      ...(leaf.resources && {
        resources: new Map(
          [...leaf.resources].map(([id, amounts]) => [id, new Map([...amounts].map(([at, amount]) => [at - skip, amount]))]),
        ),
      }),
    })),
  };
}

function seriesOf(values: Float64Array, { provisionalFrom }: CostTable, axis: TimeAxis) {
  return { values, provisionalFrom, minorUnit: MINOR_UNIT, ...axis };
}

/** Cents, and what other currencies have of their kind. */
const MINOR_UNIT = 0.01;

/** Leaves are judged when an event asks for them, and once. */
class LeafJudge {
  readonly #known = new Map<CostLeaf, Judgement>();

  constructor(
    private readonly table: CostTable,
    private readonly axis: TimeAxis,
    private readonly threshold: number,
  ) {}

  share(leaf: CostLeaf, { start, end }: FoundEvent): LeafShare {
    const judged = this.#judged(leaf);
    let [actual, expected] = [0, 0];
    for (let at = start; at <= end; at++) {
      actual += leaf.cost[at] || 0;
      const value = judged.expected[at] ?? Number.NaN;
      expected += Number.isNaN(value) ? usual(judged.clean, start) : value;
    }
    return { leaf, actual, expected };
  }

  #judged(leaf: CostLeaf): Judgement {
    const known = this.#known.get(leaf);
    if (known) return known;
    const judged = judgeSeries(seriesOf(leaf.cost, this.table, this.axis), this.threshold);
    this.#known.set(leaf, judged);
    return judged;
  }
}

/** What a leaf with too short a history cost before: the mean of two weeks. */
function usual(clean: Float64Array, start: number): number {
  let [sum, count] = [0, 0];
  for (let at = Math.max(0, start - 14); at < start; at++) {
    const value = clean[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

interface Candidate {
  event: FoundEvent;
  group: WatchedGroup;
  drivers: readonly Driver[];
  /** Leaves of the first driver, or of the group. */
  members: ReadonlySet<CostLeaf>;
  amounts: { actual: number; expected: number };
  id: string;
}

function candidate(
  event: FoundEvent,
  group: WatchedGroup,
  table: CostTable,
  leaves: LeafJudge,
  { max_drivers }: AnomalyParameters,
): Candidate {
  const shares = group.leaves.map((leaf) => leaves.share(leaf, event));
  const drivers = driversOf(
    shares,
    [...table.dimensions, ...(group.leaves.some(({ id }) => id !== undefined) ? ['series'] : [])],
    max_drivers,
  );
  const members = new Set((drivers[0]?.members ?? shares).map(({ leaf }) => leaf));
  const name = JSON.stringify([table.currency, group.monitor, group.dimensions, table.buckets[event.start]]);
  const id = `an_${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
  return { event, group, drivers, members, amounts: impactOf(event, group.values), id };
}

/**
 * Events of several monitors that are one. What explains most of the cost is kept, in the most specific of the monitors that explain the same;
 * it covers those whose leaves it holds.
 */
function merged(found: readonly Candidate[], table: CostTable, parameters: AnomalyParameters): Anomaly[] {
  const kept: { one: Candidate; covers: string[] }[] = [];
  for (const one of found.toSorted((a, b) => explained(b) - explained(a) || depth(b) - depth(a) || (a.id < b.id ? -1 : 1))) {
    const same = kept.find(({ one: other }) => overlap(one.event, other.event) && isWithin(one.members, other.members));
    if (!same) kept.push({ one, covers: [] });
    else if (depth(one) > depth(same.one) && isWithin(same.one.members, one.members)) {
      same.covers.push(same.one.id);
      same.one = one;
    } else same.covers.push(one.id);
  }
  return kept
    .map(({ one, covers }) => anomalyOf(one, covers.sort(), table, parameters))
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.id < b.id ? -1 : 1));
}

/** How much of the cost the first driver accounts for, and how well. */
function explained({ drivers: [first], amounts }: Candidate): number {
  return first ? Math.abs(first.actual - first.expected) * first.score : Math.abs(amounts.actual - amounts.expected) / 2;
}

function depth({ group: { monitor } }: Candidate): number {
  return monitor[0] === '*' ? 0 : monitor.length;
}

function overlap(a: FoundEvent, b: FoundEvent): boolean {
  return a.sign === b.sign && a.start <= b.end + 1 && b.start <= a.end + 1;
}

function isWithin(some: ReadonlySet<CostLeaf>, others: ReadonlySet<CostLeaf>): boolean {
  return some.intersection(others).size >= SAME_LEAVES * some.size;
}

function anomalyOf(
  { event, group, drivers, amounts, id }: Candidate,
  covers: string[],
  table: CostTable,
  parameters: AnomalyParameters,
): Anomaly {
  const impact = amounts.actual - amounts.expected;
  const percent = amounts.expected > 0 ? (impact / amounts.expected) * 100 : null;
  const [first] = drivers;
  const whole = group.leaves.map((leaf) => leaf);
  const causes = causesOf(first ? first.members : [], event.start, event.end);
  const planned = parameters.planned.find((one) => isPlanned(one, event, group, first, table));
  const label = (at: number) => table.buckets[at] ?? '';
  const width = Math.abs(impact) / Math.max(Math.abs(event.z), 1);
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
    lower: money(amounts.expected - width * parameters.threshold_z),
    upper: money(amounts.expected + width * parameters.threshold_z),
    impact: money(impact),
    impact_percent: percent === null ? null : roundSignificant(percent),
    z: roundSignificant(event.z),
    p_value: roundSignificant(event.z === 0 ? 0 : studentTail5(event.z)),
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
  return { ...anomaly, explanation: explanationOf(anomaly, whole.length) };
}

function statusOf({ start, end }: FoundEvent, { provisionalFrom, buckets }: CostTable): Anomaly['status'] {
  if (start >= provisionalFrom) return 'provisional';
  return end >= Math.min(provisionalFrom, buckets.length) - 1 ? 'open' : 'closed';
}

function isPlanned(
  { start, end, match = {} }: PlannedEvent,
  event: FoundEvent,
  group: WatchedGroup,
  first: Driver | undefined,
  table: CostTable,
): boolean {
  const [from = '', to = ''] = [table.buckets[event.start], table.buckets[event.end]];
  if (to.slice(0, start.length) < start || from.slice(0, end.length) > end) return false;
  const members = first?.members.map(({ leaf }) => leaf) ?? group.leaves;
  return Object.entries(match).every(([name, value]) => members.every((leaf) => dimensionOf(leaf, name) === value));
}

/** The resources whose cost grew, or fell, most. */
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

function gapsIn(values: Float64Array): number {
  const first = values.findIndex((value) => !Number.isNaN(value));
  const last = values.findLastIndex((value) => !Number.isNaN(value));
  let count = 0;
  for (let at = first + 1; at < last; at++) if (Number.isNaN(values[at])) count += 1;
  return count;
}

function bucketsOf({ monitor, dimensions, values }: WatchedGroup, judged: Judgement, table: CostTable): SeriesBuckets {
  const amount = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : money(value));
  return {
    id: `se_${createHash('sha256')
      .update(JSON.stringify([table.currency, monitor, dimensions]))
      .digest('hex')
      .slice(0, 12)}`,
    monitor,
    dimensions,
    currency: table.currency,
    buckets: table.buckets.map((start, at) => {
      const z = judged.z[at] ?? Number.NaN;
      return {
        start,
        actual: amount(values[at]),
        expected: amount(judged.expected[at]),
        lower: amount(judged.lower[at]),
        upper: amount(judged.upper[at]),
        z: Number.isNaN(z) ? null : roundSignificant(z),
        provisional: at >= table.provisionalFrom,
      };
    }),
  };
}
