import { secondsOf } from './number/index.js';

/** When a cron schedule runs: at times of some days, or again and again after some seconds. */
export type Schedule = Times | { readonly every: number };

/** All lists are in ascending order. */
export interface Times {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Days on which the schedule runs, counted from the first day of the cycle. */
  readonly days: readonly number[];
  /** Days after which they repeat. */
  readonly cycle: number;
}

/** What comes before the fields of a schedule: `TZ=Asia/Tokyo ` or `CRON_TZ=Asia/Tokyo `. */
const ZONE = /^(?:CRON_)?TZ=(\S+) /;

/** The name of the time zone that a schedule sets; empty if it sets none. */
export function timeZoneOf(text: string): string {
  return ZONE.exec(text)?.[1] ?? '';
}

const MAX_LENGTH = 1000;

/**
 * As `Parser.Parse` of robfig/cron v3 reads a schedule, which Kubernetes and most operators use:
 * https://github.com/robfig/cron/blob/v3.0.1/parser.go. Ignores daylight saving time.
 * @param withSeconds the first field is for seconds, and the last one (the day of the week) can be omitted
 * @returns undefined if it is not valid
 */
export function readSchedule(text: string, withSeconds = false): Schedule | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const timing = ZONE.test(text) ? text.replace(ZONE, '').trim() : text;
  if (timing.startsWith('@every ')) return everyOf(timing.slice('@every '.length));
  const fields = timing.startsWith('@') ? DESCRIPTORS.get(timing) : fieldsOf(timing, withSeconds);
  if (fields === undefined) return undefined;
  const [seconds, minutes, hours, days, months, weekdays] = RANGES.map((range, index) => valuesOf(fields[index] ?? '', range));
  if (!(seconds && minutes && hours && days && months && weekdays)) return undefined;
  return { seconds: sorted(seconds), minutes: sorted(minutes), hours: sorted(hours), ...firingDays(days, months, weekdays) };
}

function everyOf(text: string): Schedule | undefined {
  const seconds = secondsOf(text);
  return seconds === undefined ? undefined : { every: Math.max(1, Math.trunc(seconds)) };
}

function sorted({ values }: Field): readonly number[] {
  return [...values].sort((a, b) => a - b);
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

/** If both days of the month and of the week are limited, either is enough. */
function firingDays(days: Field, months: Field, weekdays: Field): Pick<Times, 'days' | 'cycle'> {
  const both = days.star || weekdays.star;
  const all = calendarDays();
  const cycle = days.star && months.star ? all.slice(0, 7) : all;
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
