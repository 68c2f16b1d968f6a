/**
 * How well cost anomalies are found in synthetic bills with known events, beside two simple detectors: precision, recall, false alarms, delay; for
 * bills with dimensions also whether the driver and the cause are named rightly; and series per second of processor time. Settings are chosen on bills with even seeds
 * and reported for odd ones, too.
 *
 *   npm run bench:anomalies -- [--data FOLDER] [--z 4.5]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { evaluateSeries } from '../packages/plugin-finops/dist/anomalies/evaluation/evaluate-series.js';
import { type AnomalyParameters, detect } from '../packages/plugin-finops/dist/anomalies/index.js';
import { timeAxis } from '../packages/plugin-finops/dist/series/time-axis.js';

interface Bill {
  id: string;
  seed: number;
  currency: string;
  start: string;
  days: number;
  fees: { day: number; amount: number }[];
  incompleteTailDays: number;
  tailReportedShare: number[];
  leaves: { service: string; region: string; account: string; team: string; quantity: number[]; unitPrice: number | number[] }[];
  events: BillEvent[];
}

interface BillEvent {
  startIndex: number;
  endIndex: number;
  kind: string;
  cause: string;
  driver: { [dimension: string]: string };
}

interface Alarm {
  start: number;
  end: number;
}

/** Leaves that cost less a day are below the least impact whatever happens to them. */
const WORTH = 10;
/** Days after an event in which its end, or the way back, may still be seen. */
const AFTER = 6;

const { values: flags } = parseArgs({ options: { data: { type: 'string' }, z: { type: 'string', default: '4.5' } } });
const file = join(flags.data ?? join(import.meta.dirname, '..', '..', 'shared', 'data', 'cost-synthetic'), 'dev.jsonl.gz');
const bills = gunzipSync(readFileSync(file))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Bill); // the form is that of SOURCE.txt
const threshold = Number(flags.z);
const DAY = 86_400_000;

for (const [half, some] of [
  ['even seeds (settings chosen here)', bills.filter(({ seed }) => seed % 2 === 0)],
  ['odd seeds', bills.filter(({ seed }) => seed % 2 === 1)],
] as const) {
  console.log(`\n${half}: ${some.length} bills, ${some.reduce((sum, bill) => sum + bill.leaves.length, 0)} series`);
  row('this detector', singles(some, ours));
  row('mean + 3 sd', singles(some, meanAndDeviation));
  row('same weekday, MAD', singles(some, sameWeekday));
  console.log(dimensions(some));
}

function row(name: string, { precision, recall, falsePerYear, delay, perSecond }: Scores): void {
  const f1 = (2 * precision * recall) / (precision + recall) || 0;
  console.log(
    `${name.padEnd(20)} F1 ${f1.toFixed(3)}  precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  false alarms per series-year ${falsePerYear.toFixed(3)}  delay ${delay.toFixed(2)} d  ${Math.round(perSecond)} series/s`,
  );
}

interface Scores {
  precision: number;
  recall: number;
  falsePerYear: number;
  delay: number;
  perSecond: number;
}

/** Every leaf as a series of its own; an event counts where it moves the leaf by at least the least impact. */
function singles(some: readonly Bill[], detector: (values: Float64Array, bill: Bill) => Alarm[]): Scores {
  let [hits, misses, falses, late, days, series] = [0, 0, 0, 0, 0, 0];
  let spent = 0;
  for (const bill of some)
    for (const leaf of bill.leaves) {
      const values = costOf(leaf, bill);
      const before = process.cpuUsage();
      const alarms = detector(values, bill);
      const { user, system } = process.cpuUsage(before);
      spent += (user + system) / 1e6;
      series += 1;
      days += bill.days;
      const used = new Set<Alarm>();
      for (const event of bill.events.filter((one) => touches(one, leaf) && usual(values, one.startIndex) >= WORTH)) {
        const hit = alarms.find((alarm) => !used.has(alarm) && matches(alarm, event));
        if (!hit) misses += 1;
        else {
          hits += 1;
          late += Math.max(0, hit.start - event.startIndex);
        }
        for (const alarm of alarms) if (alarm.start >= event.startIndex - 1 && alarm.start <= event.endIndex + AFTER) used.add(alarm);
      }
      falses += alarms.filter(
        (alarm) => !used.has(alarm) && !bill.events.some((event) => touches(event, leaf) && matches(alarm, event)),
      ).length;
    }
  return {
    precision: hits / (hits + falses) || 0,
    recall: hits / (hits + misses) || 0,
    falsePerYear: falses / (days / 365),
    delay: late / hits || 0,
    perSecond: series / spent,
  };
}

function matches(alarm: Alarm, event: BillEvent): boolean {
  return alarm.end >= event.startIndex - 1 && alarm.start <= Math.max(event.endIndex, event.startIndex) + 3;
}

function touches({ driver }: BillEvent, leaf: Bill['leaves'][number]): boolean {
  return Object.entries(driver).every(([name, value]) => leaf[name as 'service'] === value); // names of dimensions
}

function usual(values: Float64Array, start: number): number {
  const before = [...values.slice(Math.max(0, start - 14), start)].sort((a, b) => a - b);
  return before[before.length >> 1] ?? 0;
}

function costOf({ quantity, unitPrice }: Bill['leaves'][number], { days, incompleteTailDays, tailReportedShare }: Bill): Float64Array {
  return Float64Array.from(quantity, (amount, at) => {
    const share = at >= days - incompleteTailDays ? (tailReportedShare[at - (days - incompleteTailDays)] ?? 1) : 1;
    return amount * (Array.isArray(unitPrice) ? (unitPrice[at] ?? 0) : unitPrice) * share;
  });
}

function ours(values: Float64Array, bill: Bill): Alarm[] {
  const axis = timeAxis(labels(bill), 'day');
  const provisionalFrom = bill.days - bill.incompleteTailDays;
  const { alarm, expected } = evaluateSeries({ values, provisionalFrom, minorUnit: 0.01, ...axis }, threshold);
  return joined([...values.keys()].filter((at) => at < provisionalFrom && alarm[at] !== 0 && worth(values[at], expected[at])));
}

function worth(actual = 0, expected = 0): boolean {
  const impact = Math.abs(actual - expected);
  return impact >= 10 && impact >= 0.05 * Math.abs(expected);
}

function meanAndDeviation(values: Float64Array, bill: Bill): Alarm[] {
  return joined(
    tested(bill).filter((at) => {
      const before = values.slice(Math.max(0, at - 60), at);
      const mean = before.reduce((sum, value) => sum + value, 0) / before.length;
      const deviation = Math.sqrt(before.reduce((sum, value) => sum + (value - mean) ** 2, 0) / before.length);
      return Math.abs((values[at] ?? 0) - mean) > 3 * deviation && worth(values[at], mean);
    }),
  );
}

function sameWeekday(values: Float64Array, bill: Bill): Alarm[] {
  const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0;
  return joined(
    tested(bill).filter((at) => {
      const same = Array.from({ length: Math.min(10, Math.floor(at / 7)) }, (_, week) => values[at - 7 * (week + 1)] ?? 0);
      const middle = median([...same]);
      const spread = 1.4826 * median(same.map((value) => Math.abs(value - middle)));
      return Math.abs((values[at] ?? 0) - middle) > threshold * Math.max(spread, 0.02 * middle) && worth(values[at], middle);
    }),
  );
}

function tested({ days, incompleteTailDays }: Bill): number[] {
  return Array.from({ length: days - incompleteTailDays - 56 }, (_, at) => at + 56);
}

function joined(days: readonly number[]): Alarm[] {
  const alarms: Alarm[] = [];
  for (const day of days) {
    const last = alarms.at(-1);
    if (last && day - last.end <= 3) last.end = day;
    else alarms.push({ start: day, end: day });
  }
  return alarms;
}

/** Whole bills through all monitors: how many events are found, and whether the first drivers and the cause are right. */
function dimensions(some: readonly Bill[]): string {
  let [events, found, totalOnly, top1, top3, causes, anomalies] = [0, 0, 0, 0, 0, 0, 0];
  const before = process.cpuUsage();
  for (const bill of some) {
    const table = tableOf(bill);
    const { anomalies: all } = detect(table, parameters([['*'], ['service'], ['account'], ['region'], ['team']]));
    const total = detect(table, parameters([['*']])).anomalies;
    anomalies += all.length;
    for (const event of bill.events) {
      events += 1;
      const at = (day: string) => table.buckets.indexOf(day);
      const hits = all.filter((one) => matches({ start: at(one.start), end: at(one.end) }, event));
      if (total.some((one) => matches({ start: at(one.start), end: at(one.end) }, event))) totalOnly += 1;
      if (hits.length === 0) continue;
      found += 1;
      const truth = leavesOf(bill, event.driver);
      const named = hits.flatMap((one) =>
        one.drivers
          .slice(0, 3)
          .map(({ dimensions: part }, place) => ({ place, leaves: leavesOf(bill, { ...monitored(one), ...part }), one })),
      );
      const exact = named.filter(({ leaves }) => leaves === truth);
      if (exact.some(({ place }) => place === 0)) top1 += 1;
      if (exact.length > 0) top3 += 1;
      const best = exact[0]?.one ?? hits[0];
      if (best?.causes[0]?.kind === event.cause) causes += 1;
    }
  }
  const rate = (part: number, whole: number) => (part / whole).toFixed(3);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  return `bills with dimensions: event recall ${rate(found, events)} (total alone ${rate(totalOnly, events)}), driver right first ${rate(top1, found)}, in three ${rate(top3, found)}, cause right ${rate(causes, found)}; ${anomalies} anomalies for ${events} events, ${(some.length / seconds).toFixed(1)} bills/s`;
}

function monitored({ monitor, dimensions: part }: { monitor: readonly string[]; dimensions: { readonly [name: string]: string } }) {
  return monitor[0] === '*' ? {} : part;
}

function leavesOf(bill: Bill, part: { readonly [name: string]: string }): string {
  return bill.leaves
    .flatMap((leaf, at) => (Object.entries(part).every(([name, value]) => leaf[name as 'service'] === value) ? [at] : []))
    .join(); // names of dimensions
}

function parameters(monitors: readonly (readonly string[])[]): AnomalyParameters {
  return {
    threshold_z: threshold,
    min_impact: { amount: 10, percent: 5 },
    direction: 'both',
    monitors,
    max_drivers: 5,
    planned: [],
    history_days: 400,
    include_buckets: false,
  };
}

function tableOf(bill: Bill): CostTable {
  const fees = bill.fees.length > 0 ? [feeLeaf(bill)] : [];
  const leaves: CostLeaf[] = bill.leaves.map((leaf) => ({
    dimensions: { account: leaf.account, region: leaf.region, service: leaf.service, team: leaf.team },
    cost: costOf(leaf, bill),
    quantity: Float64Array.from(leaf.quantity),
    unit: 'unit',
  }));
  return {
    currency: bill.currency,
    granularity: 'day',
    timezone: 'UTC',
    buckets: labels(bill),
    provisionalFrom: bill.days - bill.incompleteTailDays,
    dimensions: ['account', 'region', 'service', 'team'],
    leaves: [...leaves, ...fees],
    excluded: { tax: 0, credit: 0, adjustment: 0, other: 0 },
    corrections: { rows: 0, amount: 0 },
    rows: 0,
    warnings: [],
  };
}

function feeLeaf(bill: Bill): CostLeaf {
  const cost = Float64Array.from(labels(bill), (day) =>
    bill.fees.reduce((sum, fee) => (fee.day === Number(day.slice(8)) ? sum + fee.amount : sum), 0),
  );
  return { dimensions: { account: bill.leaves[0]?.account ?? '', region: '', service: 'fees', team: '' }, cost };
}

function labels({ start, days }: Bill): string[] {
  return Array.from({ length: days }, (_, at) => new Date(Date.parse(start) + at * DAY).toISOString().slice(0, 10));
}
