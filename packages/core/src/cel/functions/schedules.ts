import { spendOnMembers } from '../budget/costs.js';
import type { CelFunction } from '../function.js';
import { optionalOf, textOrEmpty } from '../standard/values.js';
import { secondsOf } from './durations.js';

/** Cron schedules as Kubernetes and most operators read them. */
export const schedules: readonly CelFunction[] = [
  {
    signature: 'schedule(dyn): optional<dyn>',
    summary:
      'What a cron schedule says, as {longestGap, shortestGap, hours, timeZone}: the most and the fewest seconds between two runs (both absent if it never runs), the hours of the day in which it runs, and the name after `TZ=` or `CRON_TZ=` (empty if there is none). Absent for any value that is not a valid schedule of five fields, a name such as `@daily`, or `@every` with a duration. Ignores daylight saving time.',
    example:
      'schedule("30 1 * * mon-fri").value() == {"longestGap": 259200, "shortestGap": 86400, "hours": [1], "timeZone": ""} && schedule("@every 6h").?longestGap.orValue(0) == 21600 && !schedule("0 25 * * *").hasValue() && !schedule({}.?schedule).hasValue()',
    call: (text: unknown) => scheduleOf(textOrEmpty(text), false),
  },
  {
    signature: 'schedule(dyn, bool): optional<dyn>',
    summary:
      'The same. If the second argument is true, the first field is for seconds, and the last field (the day of the week) can be omitted, as CloudNativePG reads schedules.',
    example: 'schedule("0 0 2 * * *", true).?longestGap.orValue(0) == 86400 && schedule("0 0 * * *", true).?longestGap.orValue(0) == 3600',
    call: (text: unknown, withSeconds: boolean) => scheduleOf(textOrEmpty(text), withSeconds),
  },
];

const MAX_LENGTH = 1000;

function scheduleOf(text: string, withSeconds: boolean): unknown {
  const zone = /^(?:CRON_)?TZ=(\S+) /.exec(text);
  const timing = text.length > MAX_LENGTH ? undefined : timingOf(zone === null ? text : text.slice(zone[0].length).trim(), withSeconds);
  return optionalOf(timing && { ...timing, timeZone: zone?.[1] ?? '' });
}

interface Timing {
  /** Seconds; absent if the schedule never runs. */
  longestGap?: number;
  shortestGap?: number;
  hours: readonly number[];
}

/**
 * As `Parser.Parse` of robfig/cron v3 reads a schedule: https://github.com/robfig/cron/blob/v3.0.1/parser.go
 * @returns undefined if it is not valid
 */
function timingOf(text: string, withSeconds: boolean): Timing | undefined {
  if (text.startsWith('@every ')) return everyOf(text.slice('@every '.length));
  const fields = text.startsWith('@') ? DESCRIPTORS.get(text) : fieldsOf(text, withSeconds);
  if (fields === undefined) return undefined;
  const [seconds, minutes, hours, days, months, weekdays] = RANGES.map((range, index) => valuesOf(fields[index] ?? '', range));
  if (!(seconds && minutes && hours && days && months && weekdays)) return undefined;
  return timingFrom([seconds, minutes, hours], firingDays(days, months, weekdays));
}

function everyOf(text: string): Timing | undefined {
  const seconds = secondsOf(text);
  if (seconds === undefined) return undefined;
  const gap = Math.max(1, Math.trunc(seconds));
  return { longestGap: gap, shortestGap: gap, hours: Array.from({ length: 24 }, (_, hour) => hour) };
}

/** Six fields, those that the text may omit filled in. */
function fieldsOf(text: string, withSeconds: boolean): readonly string[] | undefined {
  const fields = text.trim().split(/\s+/);
  if (!withSeconds) return fields.length === 5 ? ['0', ...fields] : undefined;
  if (fields.length === 5) return [...fields, '*'];
  return fields.length === 6 ? fields : undefined;
}

const DESCRIPTORS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['@yearly', '0 0 0 1 1 *'],
    ['@annually', '0 0 0 1 1 *'],
    ['@monthly', '0 0 0 1 * *'],
    ['@weekly', '0 0 0 * * 0'],
    ['@daily', '0 0 0 * * *'],
    ['@midnight', '0 0 0 * * *'],
    ['@hourly', '0 0 * * * *'],
  ].map(([name = '', text = '']) => [name, text.split(' ')] as const),
);

interface FieldRange {
  low: number;
  high: number;
  /** The name of the value `low`, of the next one, and so on. */
  names: readonly string[];
}

/** Seconds, minutes, hours, days of the month, months, days of the week. Sunday is 0, and never 7. */
const RANGES: readonly FieldRange[] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { low: 0, high: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

interface Field {
  values: ReadonlySet<number>;
  /** It has a `*` or `?` without a step, so it does not limit the days. */
  star: boolean;
}

function valuesOf(field: string, range: FieldRange): Field | undefined {
  const values = new Set<number>();
  let star = false;
  for (const part of field.split(',').filter((text) => text !== '')) {
    const [span = '', stepText, ...tooMany] = part.split('/');
    const step = stepText === undefined ? 1 : wholeNumber(stepText);
    const bounds = boundsOf(span, range, stepText !== undefined);
    if (bounds === undefined || step === undefined || step === 0 || tooMany.length > 0) return undefined;
    if (bounds.star && step === 1) star = true;
    for (let value = bounds.from; value <= bounds.to; value += step) values.add(value);
  }
  return { values, star };
}

/** `N/step` means from N to the highest value. */
function boundsOf(
  span: string,
  { low, high, names }: FieldRange,
  hasStep: boolean,
): { from: number; to: number; star: boolean } | undefined {
  const [first = '', last, ...tooMany] = span.split('-');
  if (first === '*' || first === '?') return { from: low, to: high, star: true };
  const read = (text: string) => {
    const name = names.indexOf(text.toLowerCase());
    return name === -1 ? wholeNumber(text) : low + name;
  };
  const from = read(first);
  const to = last === undefined ? (hasStep ? high : from) : read(last);
  if (from === undefined || to === undefined || tooMany.length > 0) return undefined;
  return from < low || to > high || from > to ? undefined : { from, to, star: false };
}

function wholeNumber(text: string): number | undefined {
  return /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

interface Days {
  /** Days on which the schedule runs, counted from the first day of the cycle. */
  days: readonly number[];
  /** Days after which they repeat. */
  cycle: number;
}

/** If both days of the month and of the week are limited, either is enough. */
function firingDays(days: Field, months: Field, weekdays: Field): Days {
  const both = days.star || weekdays.star;
  const all = calendarDays();
  const cycle = days.star && months.star ? all.slice(0, 7) : all;
  spendOnMembers(cycle.length);
  const firing = cycle.flatMap(({ month, day, weekday }, index) => {
    const [ofMonth, ofWeek] = [days.values.has(day), weekdays.values.has(weekday)];
    return months.values.has(month) && (both ? ofMonth && ofWeek : ofMonth || ofWeek) ? [index] : [];
  });
  return { days: firing, cycle: cycle.length };
}

interface CalendarDay {
  month: number;
  day: number;
  weekday: number;
}

let calendar: readonly CalendarDay[] | undefined;

/** From 1901 to 2099, dates and days of the week repeat every 28 years. */
function calendarDays(): readonly CalendarDay[] {
  calendar ??= Array.from({ length: 28 * 365 + 7 }, (_, index) => {
    const date = new Date(Date.UTC(2001, 0, 1 + index));
    return { month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday: date.getUTCDay() };
  });
  return calendar;
}

function timingFrom(fields: readonly Field[], { days, cycle }: Days): Timing {
  const [seconds = [], minutes = [], hours = []] = fields.map(({ values }) => [...values].sort((a, b) => a - b));
  const gaps = new Set<number>();
  // Where a run is within the minute, the hour and the day: at the first and at the last of its times.
  let [first, last] = [0, 0];
  const runDays = days[0] === undefined ? [] : [...days, days[0] + cycle];
  const levels = [[1, seconds] as const, [60, minutes] as const, [3600, hours] as const, [86_400, runDays] as const];
  for (const [unit, values] of levels) {
    for (const [index, value] of values.entries()) {
      const next = values[index + 1];
      if (next !== undefined) gaps.add((next - value) * unit + first - last);
    }
    first += (values[0] ?? 0) * unit;
    last += (values.at(-1) ?? 0) * unit;
  }
  const runs = levels.every(([, values]) => values.length > 0);
  return { ...(runs && { longestGap: Math.max(...gaps), shortestGap: Math.min(...gaps) }), hours: runs ? hours : [] };
}
