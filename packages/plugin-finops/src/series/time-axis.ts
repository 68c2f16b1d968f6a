import { type Granularity, hoursOfDays, hoursOfWeek } from '@bylaw/core/cost';

/** Where the buckets of a table are in the week and in the month, and how long they are. */
export interface TimeAxis {
  /** Slots of a week: 7 for days, 168 for hours, else 1. */
  period: number;
  slots: Uint16Array;
  /** Days only: from 1, and 0 on the last day of the month. By the hour, what repeats monthly is not a single bucket. */
  dayOfMonth?: Uint8Array;
  daysToEnd?: Uint8Array;
  /** Length of each bucket, 1 for a usual one; absent where all are alike. */
  lengths?: Float64Array;
}

/**
 * @param buckets labels of a `CostTable`
 * @param timezone that of the table
 */
export function timeAxis(buckets: readonly string[], granularity: Granularity, timezone = 'UTC'): TimeAxis {
  switch (granularity) {
    case 'hour':
      return { period: 168, slots: hoursOfWeek(buckets, timezone) };
    case 'day':
      return { ...daysOf(buckets), ...(timezone !== 'UTC' && { lengths: hoursOfDays(buckets, timezone).map((hours) => hours / 24) }) };
    case 'week':
      return { period: 1, slots: new Uint16Array(buckets.length) };
    case 'month':
      return { period: 1, slots: new Uint16Array(buckets.length), lengths: Float64Array.from(buckets, monthLength) };
  }
}

function daysOf(buckets: readonly string[]): TimeAxis & { dayOfMonth: Uint8Array; daysToEnd: Uint8Array } {
  const slots = new Uint16Array(buckets.length);
  const dayOfMonth = new Uint8Array(buckets.length);
  const daysToEnd = new Uint8Array(buckets.length);
  for (const [at, label] of buckets.entries()) {
    const day = new Date(`${label}T00:00:00Z`);
    // Monday is 0.
    slots[at] = (day.getUTCDay() + 6) % 7;
    dayOfMonth[at] = day.getUTCDate();
    daysToEnd[at] = daysInMonth(label) - day.getUTCDate();
  }
  return { period: 7, slots, dayOfMonth, daysToEnd };
}

/** Buckets that so many days have, at least one. */
export function bucketsIn(days: number, granularity: Granularity): number {
  return Math.max(1, Math.ceil(days / DAYS_OF[granularity]));
}

/** Of the Gregorian calendar, on average. */
const DAYS_OF_MONTH = 365.2425 / 12;

const DAYS_OF = { hour: 1 / 24, day: 1, week: 7, month: DAYS_OF_MONTH } as const;

function monthLength(label: string): number {
  return daysInMonth(label) / DAYS_OF_MONTH;
}

/** Days of the month in which a day lies. */
function daysInMonth(label: string): number {
  return new Date(Date.UTC(Number(label.slice(0, 4)), Number(label.slice(5, 7)), 0)).getUTCDate();
}
