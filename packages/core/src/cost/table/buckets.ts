import { Temporal } from 'temporal-polyfill';
import { costError } from '../cost-error.js';
import { parseInstant } from '../values/instant.js';
import type { Granularity } from './cost-table.js';

/** The buckets of a granularity in a time zone: hours, days, weeks from Monday, or months of the wall clock there. */
export interface Calendar {
  /** Start of the bucket that holds an instant. Both in milliseconds of UTC. */
  startOf(instant: number): number;
  /** Start of the bucket after the one that starts at `start`. */
  next(start: number): number;
  /** `2026-05-30` of the zone for days, weeks and months, `2026-05-30T13:00:00Z` for hours. */
  label(start: number): string;
}

const HOUR = 3_600_000;
const DAY = 86_400_000;

/** @param timezone IANA name. @throws {BylawError} `timezone-unknown` */
export function calendar(granularity: Granularity, timezone: string): Calendar {
  return timezone === 'UTC' ? utcCalendar(granularity) : zonedCalendar(granularity, timezone);
}

/**
 * A day or an instant of a request, in milliseconds of UTC: a day alone is the day of the zone, and its start.
 * @returns undefined for what is neither
 * @throws {BylawError} `timezone-unknown`
 */
export function instantIn(text: string, timezone: string): number | undefined {
  const at = parseInstant(text);
  if (at === undefined || timezone === 'UTC' || text.length > 10) return at;
  const day = new Date(at).toISOString().slice(0, 10);
  return inZone(() => Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds);
}

function inZone<T>(ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    throw costError('timezone-unknown', 'Unknown time zone.', {
      cause,
      hint: 'Use a name from the IANA time zone database, such as Europe/Berlin, or UTC.',
    });
  }
}

function utcCalendar(granularity: Granularity): Calendar {
  const label = (start: number) => new Date(start).toISOString();
  switch (granularity) {
    case 'hour':
      return { startOf: (at) => at - modulo(at, HOUR), next: (start) => start + HOUR, label: (start) => `${label(start).slice(0, 19)}Z` };
    case 'day':
      return { startOf: (at) => at - modulo(at, DAY), next: (start) => start + DAY, label: (start) => label(start).slice(0, 10) };
    case 'week':
      // 1970-01-05 was a Monday.
      return {
        startOf: (at) => at - modulo(at - 4 * DAY, 7 * DAY),
        next: (start) => start + 7 * DAY,
        label: (start) => label(start).slice(0, 10),
      };
    case 'month':
      return { startOf: (at) => monthOf(at, 0), next: (start) => monthOf(start, 1), label: (start) => label(start).slice(0, 10) };
  }
}

function modulo(value: number, by: number): number {
  const rest = value % by;
  return rest < 0 ? rest + by : rest;
}

function monthOf(at: number, later: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

/** A day may have 23 or 25 hours; an hour is an hour of UTC, whatever the clock shows. */
function zonedCalendar(granularity: Granularity, timezone: string): Calendar {
  const zoned = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  inZone(() => zoned(0));
  if (granularity === 'hour') return utcCalendar('hour');
  const starts = new Map<number, number>();
  const startOf = (at: number) => {
    const day = zoned(at).startOfDay();
    const start =
      granularity === 'day'
        ? day
        : granularity === 'week'
          ? day.subtract({ days: day.dayOfWeek - 1 }).startOfDay()
          : day.with({ day: 1 }).startOfDay();
    return start.epochMilliseconds;
  };
  return {
    startOf: (at) => {
      // Zones shift by quarters of an hour at the finest, so all instants of one quarter share their bucket.
      const quarter = Math.floor(at / (HOUR / 4));
      const known = starts.get(quarter);
      if (known !== undefined) return known;
      const start = startOf(at);
      starts.set(quarter, start);
      return start;
    },
    next: (start) => {
      const later = granularity === 'day' ? { days: 1 } : granularity === 'week' ? { weeks: 1 } : { months: 1 };
      return zoned(start).add(later).startOfDay().epochMilliseconds;
    },
    label: (start) => zoned(start).toPlainDate().toString(),
  };
}
